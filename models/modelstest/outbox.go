package modelstest

import (
	"testing"

	"mcbk/models"
	"mcbk/models/store"
)

// StoredMessage is the message with that key.
func StoredMessage(t *testing.T, store *store.Store, key string) models.Message {
	t.Helper()
	m, err := store.Outbox.Message(t.Context(), key)
	if err != nil {
		t.Fatalf("message %s: %v", key, err)
	}
	return m
}
