// Package ledger is the only way to change what a player owns: entries are posted with the rows of the locked players in one
// transaction; checkpoints seal them and daily totals count them. (decision 0003: ledger)
// Raw SQL: postings and balances are written in groups.
package ledger

import (
	"mcbk/models/db"
	"mcbk/models/leaderboard"
)

// Ledger posts entries.
type Ledger struct {
	db          *db.DB
	leaderboard *leaderboard.Store

	countChunk, countTail int // smaller in tests
}

// New returns the ledger on an open database.
func New(database *db.DB, leaderboard *leaderboard.Store) *Ledger {
	return &Ledger{db: database, leaderboard: leaderboard, countChunk: countChunk, countTail: countTail}
}
