// Package settings holds what admins set while the game runs: runtime settings, maintenance, the start of the season. (decision 0022: admins)
package settings

import (
	"mcbk/models/db"
)

// Store stores settings.
type Store struct {
	db    *db.DB
	cache *cache
}

// New returns the store on an open database.
func New(database *db.DB) *Store {
	return &Store{db: database, cache: newCache()}
}
