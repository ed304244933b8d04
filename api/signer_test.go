package api_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"

	"github.com/tonkeeper/tongo/boc"
	"github.com/tonkeeper/tongo/tlb"
	"github.com/tonkeeper/tongo/wallet"

	"mcbk/api"
	"mcbk/game"
	"mcbk/ton"
)

// gameDomain is the host of the tests' web app.
const gameDomain = "game.example"

// signer is a version 4 wallet with its key.
type signer struct {
	key     ed25519.PrivateKey
	address ton.Address
	init    string // base64
}

func walletOf(owner string) signer {
	seed := sha256.Sum256([]byte(owner))
	w := signer{key: ed25519.NewKeyFromSeed(seed[:])}
	init := boc.NewCell()
	state, err := wallet.GenerateStateInit(w.public(), wallet.V4R2, nil, 0, nil)
	if err = errors.Join(err, tlb.Marshal(init, state)); err == nil {
		w.address.Hash, err = init.Hash256()
	}
	if err == nil {
		w.init, err = init.ToBocBase64()
	}
	if err != nil {
		panic(err)
	}
	return w
}

func (w signer) public() ed25519.PublicKey { return w.key.Public().(ed25519.PublicKey) }

// sign signs a payload by TON Connect's rules.
func (w signer) sign(payload, domain string, at time.Time) api.WalletProof {
	digest := game.WalletProof{Timestamp: at.Unix(), Domain: domain, Payload: payload}.Digest(0, w.address.Hash[:])
	return api.WalletProof{
		Timestamp: at.Unix(), Domain: api.WalletProofDomain{LengthBytes: len(domain), Value: domain}, Payload: payload,
		Signature: base64.StdEncoding.EncodeToString(ed25519.Sign(w.key, digest[:])), PublicKey: hex.EncodeToString(w.public()), StateInit: new(w.init),
	}
}

// connects is a call that connects the wallet.
func (w signer) connects(raw string, proof *api.WalletProof) request {
	body := map[string]any{"wallet_address": w.address.Raw()}
	if proof != nil {
		body["proof"] = proof
	}
	return request{method: "PUT", path: "/api/user/wallet", body: text(body), launch: raw}
}
