package modelstest

import (
	"reflect"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/store"
)

// ValidSignature is what a wallet's signature comes to, which ton judges.
func ValidSignature() error { return nil }

// NewNonce is a payload of a player's.
func NewNonce(t *testing.T, store *store.Store, p models.Player, at time.Time) string {
	t.Helper()
	payload, nonce, err := store.Wallet.NewWalletNonce(t.Context(), p.ID, at)
	if err != nil || len(payload) != 64 || !nonce.ExpiresAt.Equal(at.Add(5*time.Minute)) {
		t.Fatalf("a nonce of %q until %v: %v", payload, nonce.ExpiresAt, err)
	}
	return payload
}

// ProveWallet connects a wallet with a signature.
func ProveWallet(t *testing.T, store *store.Store, p models.Player, address string, at time.Time) {
	t.Helper()
	Must(store.Wallet.ProveWallet(t.Context(), p.ID, address, Proof(address, NewNonce(t, store, p, at)), ValidSignature, at))(t)
	WantWallet(t, store, p, &address, true)
}

// WantWallet checks a player's wallet.
func WantWallet(t *testing.T, store *store.Store, p models.Player, address *string, proven bool) {
	t.Helper()
	now, err := store.Players.Player(t.Context(), p.ID)
	if err != nil || !reflect.DeepEqual(now.Wallet, address) || now.WalletProven != proven {
		t.Errorf("player %d has the wallet %v, proven %v, want %v, %v: %v", p.ID, now.Wallet, now.WalletProven, address, proven, err)
	}
}
