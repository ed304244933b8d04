package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Migrations are the numbered files of each database, by the name of its folder.
//
//go:embed migrations/*/*.sql
var Migrations embed.FS

// NewestMigration returns the version to which this program migrates any database: files come in pairs.
func NewestMigration() (int64, error) { return newestMigration(SQLite) }

// newestMigration returns the version to which this program migrates a database.
func newestMigration(d Dialect) (version int64, err error) {
	files, err := Migrations.ReadDir("migrations/" + string(d))
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(files[len(files)-1].Name()) // the files come in the order of their names
}

// migrator returns a goose provider of the dialect's numbered files, forward only. On PostgreSQL an advisory lock lets one process
// migrate while others wait; a SQLite file has one process.
func migrator(db *sql.DB, d Dialect) (*goose.Provider, error) {
	files, err := fs.Sub(Migrations, "migrations/"+string(d))
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if d == postgreSQL {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // try each second, for five minutes
		if err != nil {
			return nil, err
		}
		return goose.NewProvider(goose.DialectPostgres, db, files, append(options, goose.WithSessionLocker(locker))...)
	}
	return goose.NewProvider(goose.DialectSQLite3, db, files, options...)
}

// A migration that does not get a table within tableTimeout, because somebody reads it in a long transaction as pg_dump does, lets
// those behind it in and tries again.
const (
	migrationPause = 3 * time.Second
	migrationTries = 75 // with tableTimeout, five minutes
)

// Migrate migrates the database to the newest version and returns that version. On PostgreSQL it waits some minutes for tables that
// others hold.
func (d *DB) Migrate(ctx context.Context) (version int64, err error) {
	db, done, err := d.NoStatementTimeout()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, done()) }()
	goosed, err := migrator(db, d.Dialect)
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	for try := 1; ; try++ {
		_, err := goosed.Up(ctx)
		if err == nil {
			break
		}
		if !lockRefused(err) || try == migrationTries {
			return 0, fmt.Errorf("migrate: %w", err)
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("migrate: %w", ctx.Err())
		case <-time.After(migrationPause):
		}
	}
	return goosed.GetDBVersion(ctx)
}

// BehindError means that the database was not migrated far enough.
type BehindError struct{ At, Newest int64 }

func (e BehindError) Error() string {
	if e.At == 0 {
		return fmt.Sprintf("the database is empty, at migration 0 of %d", e.Newest)
	}
	return fmt.Sprintf("the database is at migration %d of %d", e.At, e.Newest)
}
