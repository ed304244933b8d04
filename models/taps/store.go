// Package taps credits batches of taps. (decision 0005: tap batches)
package taps

import (
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/settings"
	"mcbk/models/tasks"
)

// Store stores taps.
type Store struct {
	db       *db.DB
	settings *settings.Store
	tasks    *tasks.Store
	commit   *commit.Store
}

// New returns the store on an open database.
func New(database *db.DB, settings *settings.Store, tasks *tasks.Store, commit *commit.Store) *Store {
	return &Store{db: database, settings: settings, tasks: tasks, commit: commit}
}
