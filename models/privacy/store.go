// Package privacy erases accounts and deletes what is stored for a limited time. (decision 0039: what is forgotten)
// Raw SQL: sweeps.
package privacy

import (
	"mcbk/models/db"
	"mcbk/models/leaderboard"
	"mcbk/models/players"
)

// Store forgets.
type Store struct {
	db          *db.DB
	leaderboard *leaderboard.Store
	players     *players.Store
}

// New returns the store on an open database.
func New(database *db.DB, leaderboard *leaderboard.Store, players *players.Store) *Store {
	return &Store{db: database, leaderboard: leaderboard, players: players}
}
