// Package daily holds what a player gets once a day: check-in, advice, loyalty bonus. (decisions 0010, 0026)
// Raw SQL: commands.
package daily

import (
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/settings"
	"mcbk/models/tasks"
)

// Store stores what players claimed today.
type Store struct {
	db       *db.DB
	settings *settings.Store
	ledger   *ledger.Ledger
	tasks    *tasks.Store
	commit   *commit.Store
}

// New returns the store on an open database.
func New(database *db.DB, settings *settings.Store, ledger *ledger.Ledger, tasks *tasks.Store, commit *commit.Store) *Store {
	return &Store{db: database, settings: settings, ledger: ledger, tasks: tasks, commit: commit}
}
