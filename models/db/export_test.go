package db

import (
	"context"
	"errors"
	"time"

	"github.com/glebarez/sqlite"
)

// Attempts is how often InTx runs a transaction that lost a race.
const Attempts = attempts

// FreshPlans has connections forget old plans.
var FreshPlans = freshPlans

// DurableSQLite opens a file the way source says and checks it like the connection that writes.
func DurableSQLite(ctx context.Context, source string) error {
	view, err := openGORM(sqlite.Open(source), 1, time.Now)
	if err != nil {
		return err
	}
	defer closeGORM(view) //nolint:errcheck // a test's own connection
	return SQLite.durable(ctx, view)
}

// MigrateTo migrates an empty database to a version.
func (d *DB) MigrateTo(ctx context.Context, version int64) error {
	view, done, err := d.NoStatementTimeout()
	if err != nil {
		return err
	}
	goosed, err := migrator(view, d.Dialect)
	if err == nil {
		_, err = goosed.UpTo(ctx, version)
	}
	return errors.Join(err, done())
}
