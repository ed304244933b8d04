// Package treasury records what the chain shows, credits payments and pays what is owed. (decisions 0022, 0031, 0032, 0037)
// Raw SQL: payments and payouts with what the chain shows of them.
package treasury

import (
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// Store stores treasury.
type Store struct {
	db       *db.DB
	ledger   *ledger.Ledger
	settlers map[models.OrderKind]Settler
	sold     soldCache
}

// New returns the store on an open database.
func New(database *db.DB, ledger *ledger.Ledger, settlers map[models.OrderKind]Settler) *Store {
	return &Store{db: database, ledger: ledger, settlers: settlers}
}
