// Package commit executes writes of players, many in one transaction, and makes repeated ones harmless. (decisions 0009: idempotency,
// 0020: group commit)
// Raw SQL: rows of many players are read and written by one statement.
package commit

import (
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// Store executes writes of players and stores their answers by idempotency key.
type Store struct {
	db        *db.DB
	ledger    *ledger.Ledger
	queue     db.GroupCommit[*waiting] // commands of rounds
	cached    db.GroupCommit[*waiting] // commands that are tried on cached rows first
	cache     *playerCache             // nil if none are
	lockWaits chan struct{}            // a slot for each command that waits for a locked player
}

// New returns the store on an open database.
func New(database *db.DB, ledger *ledger.Ledger) *Store {
	s := &Store{db: database, ledger: ledger, lockWaits: make(chan struct{}, maxLockWaits)}
	s.queue.Write, s.queue.MaxBatch, s.queue.MaxDelay = s.runRounds, maxRound, db.GroupCommitDelay
	if database.Dialect.VersionsRows() {
		s.cache = newPlayerCache(database)
		s.cached.Write, s.cached.MaxBatch, s.cached.MaxDelay = s.runCached, maxCachedRound, db.GroupCommitDelay
	}
	return s
}

// Wait returns when every command that was accepted is executed; nothing more may come.
func (s *Store) Wait() {
	s.cached.Wait()
	s.queue.Wait()
}
