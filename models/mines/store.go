// Package mines holds tournaments: mines, digging, standings and prizes. (decision 0037: the mines)
// Raw SQL: commands, ranks and sums.
package mines

import (
	"sync/atomic"

	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/orders"
	"mcbk/models/outbox"
	"mcbk/models/settings"
	"mcbk/models/taps"
	"mcbk/models/treasury"
)

// Store stores mines.
type Store struct {
	db       *db.DB
	settings *settings.Store
	ledger   *ledger.Ledger
	outbox   *outbox.Store
	taps     *taps.Store
	orders   *orders.Store
	treasury *treasury.Store
	commit   *commit.Store
	reminded atomic.Value // the string that names the notice of prizes given last
}

// New returns the store on an open database.
func New(database *db.DB, settings *settings.Store, ledger *ledger.Ledger, outbox *outbox.Store, taps *taps.Store, orders *orders.Store, treasury *treasury.Store, commit *commit.Store) *Store {
	return &Store{db: database, settings: settings, ledger: ledger, outbox: outbox, taps: taps, orders: orders, treasury: treasury, commit: commit}
}
