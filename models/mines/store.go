// Package mines holds tournaments: mines, digging, standings and prizes. (decision 0037: the mines)
// Raw SQL: group commit, ranks and sums.
package mines

import (
	"sync/atomic"

	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/orders"
	"mcbk/models/outbox"
	"mcbk/models/taps"
	"mcbk/models/treasury"
)

// Store stores mines.
type Store struct {
	db       *db.DB
	ledger   *ledger.Ledger
	outbox   *outbox.Store
	taps     *taps.Store
	orders   *orders.Store
	treasury *treasury.Store
	digs     db.GroupCommit[*waitingDig]
	reminded atomic.Value // the string that names the notice of prizes given last
}

// New returns the store on an open database.
func New(database *db.DB, ledger *ledger.Ledger, outbox *outbox.Store, taps *taps.Store, orders *orders.Store, treasury *treasury.Store) *Store {
	s := &Store{db: database, ledger: ledger, outbox: outbox, taps: taps, orders: orders, treasury: treasury}
	s.digs.Write, s.digs.MaxBatch, s.digs.MaxDelay = s.answerDigs, maxDigGroup, db.GroupCommitDelay
	return s
}

// Wait returns when every batch that was accepted is written; nothing more may come.
func (s *Store) Wait() {
	s.digs.Wait()
}
