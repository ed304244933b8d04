// Package admin executes what admins confirm and keeps the audit log. (decision 0022: admins)
// Raw SQL: statistics, and lists that a test explains.
package admin

import (
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// Store stores admins' actions.
type Store struct {
	db       *db.DB
	settings *settings.Store
	actions  map[models.Action]ActionHandler
}

// New returns the store on an open database.
func New(database *db.DB, settings *settings.Store, actions map[models.Action]ActionHandler) *Store {
	return &Store{db: database, settings: settings, actions: actions}
}
