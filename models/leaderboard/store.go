// Package leaderboard holds the three leaderboards in memory. (decision 0038: ranks)
// Raw SQL: it reads every player.
package leaderboard

import (
	"mcbk/models/db"
)

// Store reads and answers the leaderboards.
type Store struct {
	db     *db.DB
	boards *boards
}

// New returns the store on an open database.
func New(database *db.DB) *Store {
	return &Store{db: database, boards: newBoards()}
}
