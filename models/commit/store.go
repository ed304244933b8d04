// Package commit makes repeated writes harmless: the answer to a request is stored under its idempotency key. (decision 0009: idempotency)
// Raw SQL: keys are claimed and looked up in groups.
package commit

import (
	"mcbk/models/db"
)

// Store stores answers by idempotency key.
type Store struct {
	db *db.DB
}

// New returns the store on an open database.
func New(database *db.DB) *Store {
	return &Store{db: database}
}
