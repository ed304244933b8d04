// Package settings holds what admins set while the game runs: runtime settings, maintenance, the start of the season. (decision 0022: admins)
package settings

import (
	"sync"
	"sync/atomic"

	"mcbk/models/db"
)

// Store stores settings.
type Store struct {
	db *db.DB

	reading sync.Mutex
	current atomic.Pointer[Snapshot] // the newest, so that no call reads the settings from the database
}

// New returns the store on an open database.
func New(database *db.DB) *Store {
	s := &Store{db: database}
	s.current.Store(&Snapshot{Runtime: DefaultSettings()})
	return s
}
