// Package audit checks everything stored against what decided it: `mcbk verify`. Nothing imports it but the store. (decisions 0003, 0046)
// Its SQL is raw: it sums and joins what no feature does.
package audit

import (
	"mcbk/models/alarms"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/stars"
	"mcbk/models/treasury"
)

// Auditor checks a database.
type Auditor struct {
	db       *db.DB
	ledger   *ledger.Ledger
	treasury *treasury.Store
	stars    *stars.Store
	alarms   *alarms.Store
}

// New returns an auditor on an open database.
func New(database *db.DB, ledger *ledger.Ledger, treasury *treasury.Store, stars *stars.Store, alarms *alarms.Store) *Auditor {
	return &Auditor{db: database, ledger: ledger, treasury: treasury, stars: stars, alarms: alarms}
}
