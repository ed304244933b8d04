package models

import "time"

// WalletNonce is a nonce that a player was given for a wallet to sign. Until it is used only the payload's hash is stored: a copy of
// the database proves nothing.
type WalletNonce struct {
	ID        int64
	PlayerID  PlayerID
	NonceHash string
	State     WalletNonceState
	MadeAt    time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time // UTC; nil until then
	Wallet    *string    // raw address of the wallet that it proved; nil until then, ForgottenWallet once its player is erased
	Proof     *string    // a game.WalletProof as JSON; empty if it was used before proofs were stored
}

// ForgottenWallet replaces the wallet that an erased player had proven.
const ForgottenWallet = ""

// WalletNonceState is the state of a nonce.
type WalletNonceState string

// A nonce is open until it has proven a wallet, or is too old for that.
const (
	WalletNonceOpen    WalletNonceState = "open"
	WalletNonceUsed    WalletNonceState = "used"
	WalletNonceExpired WalletNonceState = "expired"
)

// WalletNonceSteps are the states that follow each state of a nonce.
var WalletNonceSteps = Steps[WalletNonceState]{
	WalletNonceOpen: {WalletNonceUsed, WalletNonceExpired},
}
