package ton

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcbk/game"
)

// Proof shows that a wallet's owner agreed: TON Connect's ton_proof, with key and state_init of its ton_addr. All of it is untrusted.
type Proof struct {
	Address      Address
	Timestamp    int64 // signing time, Unix seconds
	Domain       string
	DomainLength int    // in bytes, as claimed
	Payload      string // issued to be signed
	Signature    string // base64
	PublicKey    string // hex
	StateInit    string // base64 of a bag of cells; empty if the wallet omits it
}

// Accepted differences of a proof's time from ours (decision 0034: the wallet).
const (
	proofAge  = 5 * time.Minute
	proofLead = time.Minute
)

// Lengths of signed fields, in bytes (TON Connect's limits).
const (
	longestPayload = 128
	longestDomain  = 253
)

// ErrProof means an invalid proof.
var ErrProof = errors.New("the wallet's proof is not valid")

// Key returns the key in the proof's state_init. ErrProof means an invalid state_init, ErrNoWallet one without a key, so that the chain
// must be asked (Reader.Account).
func (p Proof) Key() (WalletKey, error) {
	if p.StateInit == "" {
		return WalletKey{}, ErrNoWallet
	}
	key, err := initialKey(p.StateInit, p.Address)
	if err != nil && !errors.Is(err, ErrNoWallet) {
		err = fmt.Errorf("%w: %w", ErrProof, err)
	}
	return key, err
}

// Check checks that the wallet with this key has recently signed the proof for the domain. The caller checks that the payload was issued
// and is unused. Any error is ErrProof.
func (p Proof) Check(key WalletKey, domain string, now time.Time) error {
	wrong := func(what string) error { return fmt.Errorf("%w: %s", ErrProof, what) }
	signed := time.Unix(p.Timestamp, 0)
	switch {
	case key == WalletKey{}: // anybody can sign for it
		return wrong("no key")
	case p.Address.Workchain != 0:
		return wrong("no wallet of the basechain")
	case p.Domain != domain || p.DomainLength != len(p.Domain) || len(p.Domain) > longestDomain:
		return wrong("for another domain")
	case p.Payload == "" || len(p.Payload) > longestPayload:
		return wrong("of a payload that nobody asked for")
	case signed.After(now.Add(proofLead)):
		return wrong("from the future")
	case signed.Before(now.Add(-proofAge)):
		return wrong("too old")
	}
	if claimed, err := hex.DecodeString(p.PublicKey); err != nil || !bytes.Equal(claimed, key[:]) {
		return wrong("the key is not the wallet's")
	}
	signature, err := unbase64(p.Signature)
	if err != nil || len(signature) != ed25519.SignatureSize {
		return wrong("the signature has not 64 bytes")
	}
	if digest := p.digest(); !ed25519.Verify(key[:], digest[:], signature) {
		return wrong("the signature is another's")
	}
	return nil
}

// unbase64 decodes canonical base64; the library would accept line breaks.
func unbase64(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, base64.CorruptInputError(strings.IndexAny(text, "\r\n"))
	}
	return base64.StdEncoding.Strict().DecodeString(text)
}

// digest returns the signed hash.
func (p Proof) digest() [sha256.Size]byte {
	return game.WalletProof{Timestamp: p.Timestamp, Domain: p.Domain, Payload: p.Payload}.Digest(int32(p.Address.Workchain), p.Address.Hash[:])
}

// Stored returns the stored form of a proof that passed Check.
func (p Proof) Stored() (stored game.WalletProof) {
	stored = game.WalletProof{Timestamp: p.Timestamp, Domain: p.Domain, Payload: p.Payload}
	stored.PublicKey, _ = hex.DecodeString(p.PublicKey) //nolint:errcheck // checked before
	stored.Signature, _ = unbase64(p.Signature)         //nolint:errcheck // checked before
	return stored
}
