package wallet

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"mcbk-sandbox/chain"
)

type proofItem struct {
	Name  string `json:"name"`
	Proof proof  `json:"proof"`
}

// proof is a ton_proof, which authenticates the wallet's owner.
type proof struct {
	Timestamp int64  `json:"timestamp"` // Unix seconds
	Domain    domain `json:"domain"`
	Payload   string `json:"payload"`
	Signature string `json:"signature"` // base64
}

type domain struct {
	LengthBytes int    `json:"lengthBytes"`
	Value       string `json:"value"`
}

// prove signs the app's payload for its domain.
func prove(w *chain.Wallet, of, payload string, now time.Time) proofItem {
	own := w.WalletAddress()
	message := binary.BigEndian.AppendUint32([]byte("ton-proof-item-v2/"), uint32(own.Workchain()))
	message = append(message, own.Data()...)
	message = binary.LittleEndian.AppendUint32(message, uint32(len(of)))
	message = append(message, of...)
	message = binary.LittleEndian.AppendUint64(message, uint64(now.Unix()))
	message = append(message, payload...)
	hash := sha256.Sum256(message)
	digest := sha256.Sum256(append([]byte("\xff\xffton-connect"), hash[:]...))
	return proofItem{"ton_proof", proof{
		Timestamp: now.Unix(), Domain: domain{len(of), of}, Payload: payload,
		Signature: base64.StdEncoding.EncodeToString(w.Sign(digest[:])),
	}}
}
