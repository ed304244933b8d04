// Package orders sells coins: the price of TON, and orders at that price. (decision 0032: selling coins)
// Raw SQL: orders with the sums over their payments.
package orders

import (
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// Store stores orders.
type Store struct {
	db     *db.DB
	ledger *ledger.Ledger
}

// New returns the store on an open database.
func New(database *db.DB, ledger *ledger.Ledger) *Store {
	return &Store{db: database, ledger: ledger}
}
