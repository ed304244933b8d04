// Package taps credits batches of taps, many in one transaction. (decisions 0005, 0020)
// Raw SQL: group commit.
package taps

import (
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/settings"
	"mcbk/models/tasks"
)

// Store stores taps.
type Store struct {
	db         *db.DB
	settings   *settings.Store
	ledger     *ledger.Ledger
	tasks      *tasks.Store
	taps       db.GroupCommit[*WaitingTap]
	cache      *playerCache // nil if batches are always written under locks
	lockedTaps lockedQueue
}

// New returns the store on an open database.
func New(database *db.DB, settings *settings.Store, ledger *ledger.Ledger, tasks *tasks.Store) *Store {
	s := &Store{db: database, settings: settings, ledger: ledger, tasks: tasks}
	if database.Dialect.VersionsRows() {
		s.cache = newPlayerCache(database.Grouped)
	}
	s.openTapCommits()
	return s
}

// Wait returns when every batch that was accepted is written; nothing more may come.
func (s *Store) Wait() {
	s.taps.Wait()
}
