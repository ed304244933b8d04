package api_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/tonkeeper/tongo/boc"

	"mcbk/api"
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

// walletCode is that version's code, from another program's proof.
var walletCode = sync.OnceValues(func() (*boc.Cell, error) {
	text, err := os.ReadFile("../ton/testdata/proofs.json")
	if err != nil {
		return nil, err
	}
	var all []struct {
		Version string
		Init    string `json:"state_init"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Version == "v4R2" {
			cells, err := boc.DeserializeBocBase64(p.Init)
			if err != nil {
				return nil, err
			}
			return cells[0].Refs()[0], nil
		}
	}
	return nil, errors.New("no wallet of version 4")
})

func walletOf(owner string) signer {
	seed := sha256.Sum256([]byte(owner))
	w := signer{key: ed25519.NewKeyFromSeed(seed[:])}
	code, err := walletCode()
	data, init := boc.NewCell(), boc.NewCell()
	if err = errors.Join(err,
		data.WriteUint(698983191, 64), data.WriteBytes(w.public()), data.WriteUint(0, 1),
		init.WriteUint(0b00110, 5), init.AddRef(code), init.AddRef(data),
	); err == nil {
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

func (w signer) public() []byte { return w.key.Public().(ed25519.PublicKey) }

// sign signs a payload by TON Connect's rules.
func (w signer) sign(payload, domain string, at time.Time) api.WalletProof {
	message := []byte("ton-proof-item-v2/\x00\x00\x00\x00")
	message = append(message, w.address.Hash[:]...)
	message = binary.LittleEndian.AppendUint32(message, uint32(len(domain)))
	message = append(message, domain...)
	message = binary.LittleEndian.AppendUint64(message, uint64(at.Unix()))
	message = append(message, payload...)
	inner := sha256.Sum256(message)
	digest := sha256.Sum256(append([]byte("\xff\xffton-connect"), inner[:]...))
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
