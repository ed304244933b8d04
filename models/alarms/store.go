// Package alarms stores which alarms are raised, and the runs of the leader's jobs. (decision 0023: leader)
// Raw SQL: updates that compare with other rows.
package alarms

import (
	"mcbk/models/db"
)

// Store stores alarms.
type Store struct {
	db *db.DB
}

// New returns the store on an open database.
func New(database *db.DB) *Store {
	return &Store{db: database}
}
