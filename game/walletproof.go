package game

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// WalletProof is a wallet's signed proof, after TON Connect's ton_proof.
type WalletProof struct {
	Timestamp int64  `json:"timestamp"` // Unix seconds
	Domain    string `json:"domain"`
	Payload   string `json:"payload"`
	PublicKey []byte `json:"public_key"`
	Signature []byte `json:"signature"`
}

// Signed reports whether the key has signed the proof for a wallet of the basechain, by its raw address. The caller checks that the key
// is the wallet's.
func (p WalletProof) Signed(wallet string) bool {
	address, basechain := strings.CutPrefix(wallet, "0:")
	hash, err := hex.DecodeString(address)
	if !basechain || err != nil || len(p.PublicKey) != ed25519.PublicKeySize {
		return false
	}
	digest := p.Digest(0, hash)
	return ed25519.Verify(p.PublicKey, digest[:], p.Signature)
}

// Digest returns the signed hash.
func (p WalletProof) Digest(workchain int32, hash []byte) [sha256.Size]byte {
	message := binary.BigEndian.AppendUint32([]byte("ton-proof-item-v2/"), uint32(workchain)) //nolint:gosec // its 32 bits
	message = append(message, hash...)
	message = binary.LittleEndian.AppendUint32(message, uint32(len(p.Domain))) //nolint:gosec // a short text
	message = append(message, p.Domain...)
	message = binary.LittleEndian.AppendUint64(message, uint64(p.Timestamp)) //nolint:gosec // as it is signed
	message = append(message, p.Payload...)
	sum := sha256.Sum256(message)
	return sha256.Sum256(append([]byte("\xff\xffton-connect"), sum[:]...))
}
