package modelstest

import (
	"testing"

	"mcbk/models"
	"mcbk/models/store"
)

// StoredMessage is the message with that key.
func StoredMessage(t *testing.T, store *store.Store, key string) models.Message {
	t.Helper()
	return Must(store.Outbox.Message(t.Context(), key))(t)
}
