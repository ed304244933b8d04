// Package wheel spins the wheel: seeds, outcomes, prizes and what ads add to them. (decisions 0020, 0029)
// Raw SQL: group commit and sweeps.
package wheel

import (
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/settings"
	"mcbk/models/tasks"
)

// Store stores wheel.
type Store struct {
	db       *db.DB
	settings *settings.Store
	ledger   *ledger.Ledger
	tasks    *tasks.Store
	spins    []*db.GroupCommit[*waitingSpin]
}

// New returns the store on an open database.
func New(database *db.DB, settings *settings.Store, ledger *ledger.Ledger, tasks *tasks.Store) *Store {
	s := &Store{db: database, settings: settings, ledger: ledger, tasks: tasks}
	s.openSpinCommits()
	return s
}

// Wait returns when every spin that was accepted is written; nothing more may come.
func (s *Store) Wait() {
	for _, g := range s.spins {
		g.Wait()
	}
}
