// Package players finds, signs in and bans players.
// Raw SQL: coalesced reads, and single columns of a locked player.
package players

import (
	"mcbk/models/db"
	"mcbk/models/friends"
	"mcbk/models/leaderboard"
	"mcbk/models/ledger"
	"mcbk/models/outbox"
	"mcbk/models/settings"
)

// Store stores players.
type Store struct {
	db          *db.DB
	leaderboard *leaderboard.Store
	settings    *settings.Store
	ledger      *ledger.Ledger
	outbox      *outbox.Store
	friends     *friends.Store
	callers     db.GroupCommit[*waitingCaller]
}

// New returns the store on an open database.
func New(database *db.DB, leaderboard *leaderboard.Store, settings *settings.Store, ledger *ledger.Ledger, outbox *outbox.Store, friends *friends.Store) *Store {
	s := &Store{db: database, leaderboard: leaderboard, settings: settings, ledger: ledger, outbox: outbox, friends: friends}
	s.callers.Write, s.callers.MaxBatch = s.answerCallers, maxCallerGroup
	return s
}

// Wait returns when the reads under way are done; nothing more may come.
func (s *Store) Wait() {
	s.callers.Wait()
}
