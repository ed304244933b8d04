// Package wallet connects and proves wallets, and lists what brought a player coins. (decision 0034: the wallet)
// Raw SQL: history over several tables.
package wallet

import (
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// Store stores wallets.
type Store struct {
	db     *db.DB
	ledger *ledger.Ledger
}

// New returns the store on an open database.
func New(database *db.DB, ledger *ledger.Ledger) *Store {
	return &Store{db: database, ledger: ledger}
}
