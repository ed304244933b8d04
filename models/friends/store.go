// Package friends stores who invited whom, and pays inviters. (decision 0006: referral)
// Raw SQL: sweeps, and joins with players.
package friends

import (
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// Store stores friends.
type Store struct {
	db     *db.DB
	ledger *ledger.Ledger
}

// New returns the store on an open database.
func New(database *db.DB, ledger *ledger.Ledger) *Store {
	return &Store{db: database, ledger: ledger}
}
