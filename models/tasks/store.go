// Package tasks offers, counts and pays tasks of a day and permanent ones. (decision 0028: tasks)
// Raw SQL: commands and sweeps.
package tasks

import (
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// Store stores tasks.
type Store struct {
	db     *db.DB
	ledger *ledger.Ledger
	commit *commit.Store
	cache  Cache
}

// New returns the store on an open database.
func New(database *db.DB, ledger *ledger.Ledger, commit *commit.Store) *Store {
	return &Store{db: database, ledger: ledger, commit: commit}
}
