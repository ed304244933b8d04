// Package ads issues and settles the tickets of rewarded ads. (decision 0026: the daily loop)
// Raw SQL: an update with a sub-select.
package ads

import (
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/players"
	"mcbk/models/tasks"
)

// Store stores ads.
type Store struct {
	db       *db.DB
	ledger   *ledger.Ledger
	players  *players.Store
	tasks    *tasks.Store
	handlers map[models.AdPurpose]Handler
}

// New returns the store on an open database.
func New(database *db.DB, ledger *ledger.Ledger, players *players.Store, tasks *tasks.Store, handlers map[models.AdPurpose]Handler) *Store {
	return &Store{db: database, ledger: ledger, players: players, tasks: tasks, handlers: handlers}
}
