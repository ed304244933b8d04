package db

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// durable makes sure that what the database confirms survives a power failure, and that SQLite enforces its foreign keys. A
// database set up otherwise must not hold anybody's coins.
func (d Dialect) durable(ctx context.Context, db *gorm.DB) error {
	if d == postgreSQL {
		return durablePostgres(db.WithContext(ctx))
	}
	return durableSQLite(db.WithContext(ctx))
}

// durableSQLite checks the connection that writes.
func durableSQLite(db *gorm.DB) error {
	for _, s := range []struct{ name, want, means string }{
		{"journal_mode", "wal", "WAL"},
		{"synchronous", "2", "FULL"},
		{"foreign_keys", "1", "ON"},
	} {
		var is string
		if err := db.Raw("PRAGMA " + s.name).Scan(&is).Error; err != nil {
			return fmt.Errorf("read %s: %w", s.name, err)
		}
		if is != s.want {
			return fmt.Errorf("SQLite would not keep its word: %s is %q, it must be %s", s.name, is, s.means)
		}
	}
	return nil
}

// durablePostgres checks the settings as our sessions see them.
func durablePostgres(db *gorm.DB) error {
	var settings []struct{ Name, Setting string }
	err := db.Raw("SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name").
		Scan(&settings).Error
	if err != nil {
		return fmt.Errorf("read fsync: %w", err)
	}
	for _, s := range settings {
		if s.Setting == "off" { // synchronous_commit has several levels, and only off loses commits
			return fmt.Errorf("PostgreSQL would not keep its word: %s is off, it must be on", s.Name)
		}
	}
	return nil
}
