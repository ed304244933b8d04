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

// Proof is what a wallet signs to show that its owner agreed: TON Connect's ton_proof, with the account's key and state from its
// ton_addr. All of it is untrusted.
type Proof struct {
	Address      Address
	Timestamp    int64 // when the wallet signed, Unix seconds
	Domain       string
	DomainLength int    // in bytes, as the wallet says
	Payload      string // what the wallet was asked to sign
	Signature    string // base64
	PublicKey    string // hex
	StateInit    string // base64 of a bag of cells; empty if the wallet withholds it
}

// How far a proof's time may be from ours. (decision 0034: the wallet)
const (
	proofAge  = 5 * time.Minute
	proofLead = time.Minute
)

// Lengths of what is signed, in bytes, as TON Connect limits them.
const (
	longestPayload = 128
	longestDomain  = 253
)

// ErrProof says that a proof is not valid.
var ErrProof = errors.New("the wallet's proof is not valid")

// Key returns the key in the proof's own state_init. ErrProof says that the state_init is wrong; ErrNoWallet that it shows no
// key, so that only the chain may know (see Reader.Account).
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

// Check checks that the wallet with this key has signed the proof for the domain, not long ago. It is for the caller to check
// that the payload was issued, and is used for the first time. Any error is ErrProof.
func (p Proof) Check(key WalletKey, domain string, now time.Time) error {
	wrong := func(what string) error { return fmt.Errorf("%w: %s", ErrProof, what) }
	signed := time.Unix(p.Timestamp, 0)
	switch {
	case key == WalletKey{}: // no wallet's, and one for which anybody can sign
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

// unbase64 reads base64 that is written in the one canonical way; the library would accept line breaks.
func unbase64(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, base64.CorruptInputError(strings.IndexAny(text, "\r\n"))
	}
	return base64.StdEncoding.Strict().DecodeString(text)
}

// digest returns what the wallet signs.
func (p Proof) digest() [sha256.Size]byte {
	return game.WalletProof{Timestamp: p.Timestamp, Domain: p.Domain, Payload: p.Payload}.Digest(int32(p.Address.Workchain), p.Address.Hash[:])
}

// Stored returns what shows later that the wallet has signed a proof that passed Check.
func (p Proof) Stored() (stored game.WalletProof) {
	stored = game.WalletProof{Timestamp: p.Timestamp, Domain: p.Domain, Payload: p.Payload}
	stored.PublicKey, _ = hex.DecodeString(p.PublicKey) //nolint:errcheck // Check has read it
	stored.Signature, _ = unbase64(p.Signature)         //nolint:errcheck // Check has read it
	return stored
}
