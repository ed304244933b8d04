// Package stars takes Telegram Stars: it answers whether an invoice may be paid, credits what Telegram says was paid, books refunds,
// and compares all of it with Telegram's list of transactions. (decision 0048: Stars)
// Raw SQL: sweeps, and charges with their orders.
package stars

import (
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/settings"
	"mcbk/models/treasury"
)

// Store stores charges.
type Store struct {
	db       *db.DB
	settings *settings.Store
	ledger   *ledger.Ledger
	treasury *treasury.Store
	settlers map[models.OrderKind]treasury.Settler
}

// New returns the store on an open database; settlers are those of the treasury.
func New(database *db.DB, settings *settings.Store, ledger *ledger.Ledger, treasury *treasury.Store, settlers map[models.OrderKind]treasury.Settler) *Store {
	return &Store{db: database, settings: settings, ledger: ledger, treasury: treasury, settlers: settlers}
}
