// Package models keeps everything that must survive: players, the ledger, the bot's inbox.
// Exported methods own their transaction; unexported helpers are given one.
package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"gorm.io/gorm"
)

// ErrTryAgain means the database could not answer, or whether it committed is unknown.
// Repeating the call with the same idempotency key is always safe.
var ErrTryAgain = errors.New("database is not available, try again")

// ErrNotFound is a row that is not there, or not this player's.
var ErrNotFound = errors.New("not found")

// BehindError is a database that was not migrated far enough.
type BehindError struct{ At, Newest int64 }

func (e BehindError) Error() string {
	return fmt.Sprintf("the database is at migration %d of %d", e.At, e.Newest)
}

// Store is the program's memory: a SQLite file or a PostgreSQL database.
type Store struct {
	db        *gorm.DB // writes and transactions
	read      *gorm.DB // committed state, for reads outside transactions
	dialect   dialect
	close     func() error
	unhurried func() (db *sql.DB, done func() error, err error)
	entropy   io.Reader // seeds and codes; crypto/rand in production
}

// Open connects to address, sqlite:PATH or postgres://…, without migrating it.
// now stamps the rows that GORM writes; entropy must be cryptographically random.
// A SQLite file that another process serves from returns ErrInUse.
func Open(ctx context.Context, address string, now func() time.Time, entropy io.Reader) (*Store, error) {
	c, err := connect(ctx, address, now)
	if err != nil {
		return nil, err
	}
	return &Store{db: c.write, read: c.read, dialect: c.dialect, close: c.close, unhurried: c.unhurried, entropy: entropy}, nil
}

// OpenToRead connects for checks only, also beside a serving process.
func OpenToRead(ctx context.Context, address string, now func() time.Time) (*Store, error) {
	c, err := connectToRead(ctx, address, now)
	if err != nil {
		return nil, err
	}
	return &Store{db: c.write, read: c.read, dialect: c.dialect, close: c.close}, nil
}

// Close lets go of the database.
func (s *Store) Close() error { return s.close() }

// Ready tells whether the database answers and stands at the newest migration.
func (s *Store) Ready(ctx context.Context) error {
	db, err := s.read.DB()
	if err != nil {
		return err
	}
	goosed, err := migrator(db, s.dialect)
	if err != nil {
		return err
	}
	var at int64
	if err := s.read.WithContext(ctx).Raw("SELECT MAX(version_id) FROM goose_db_version WHERE is_applied").Scan(&at).Error; err != nil {
		return fmt.Errorf("ask the database: %w", err)
	}
	sources := goosed.ListSources()
	if newest := sources[len(sources)-1].Version; at < newest {
		return BehindError{At: at, Newest: newest}
	}
	return nil
}
