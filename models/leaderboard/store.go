// Package leaderboard holds the three leaderboards in memory. (decision 0038: ranks)
// Raw SQL: it reads every player.
package leaderboard

import (
	"sync"
	"sync/atomic"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ranks"
)

// Store holds the three leaderboards in this process's memory, of all players who are not banned, as of the last read. One goroutine
// feeds them (jobs.FollowRanks), any number read them.
type Store struct {
	db    *db.DB
	built atomic.Pointer[[boardCount]*ranks.Board] // nil until they are

	// Used by the feeding goroutine alone.
	read        watermark                // everything up to here is on the boards
	seen        watermark                // becomes read once every transaction that was running has ended
	refreshedTo models.PlayerID          // up to this id rows were read again
	banned      map[models.PlayerID]bool // banned as of the last read

	mu      sync.Mutex
	waiting map[models.PlayerID]struct{} // rows that this process has changed since the last DrainChanged
}

// New returns the store on an open database.
func New(database *db.DB) *Store {
	return &Store{db: database, banned: map[models.PlayerID]bool{}, waiting: map[models.PlayerID]struct{}{}}
}
