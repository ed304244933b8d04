// Package wheel spins the wheel: seeds, outcomes, prizes and what ads add to them. (decisions 0020, 0029)
// Raw SQL: commands and sweeps.
package wheel

import (
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/settings"
	"mcbk/models/tasks"
)

// Store stores wheel.
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
