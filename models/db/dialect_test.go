package db

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
)

func TestUnavailableDatabaseIsDistinguishedFromMistake(t *testing.T) {
	sqlState := func(code string) error { return fmt.Errorf("write: %w", &pgconn.PgError{Code: code}) }
	for name, c := range map[string]struct {
		err  error
		away bool
	}{
		"the server is shutting down":        {sqlState("57P01"), true},
		"a statement took too long":          {sqlState("57014"), true},
		"a lock was not given":               {sqlState("55P03"), true},
		"the disk is full":                   {sqlState("53100"), true},
		"a transaction idled too long":       {sqlState("25P03"), true},
		"a deadlock that did not go away":    {sqlState("40P01"), true},
		"the connection broke":               {fmt.Errorf("write: %w", io.ErrUnexpectedEOF), true},
		"the pool met a dead connection":     {fmt.Errorf("read: %w", driver.ErrBadConn), true},
		"the caller waited long enough":      {context.DeadlineExceeded, true},
		"a constraint was broken":            {sqlState("23514"), false},
		"a table is missing":                 {sqlState("42P01"), false},
		"a trigger refused":                  {sqlState("P0001"), false},
		"a program error":                    {gorm.ErrInvalidField, false},
		"the same key came twice":            {sqlState("23505"), false},
		"a number that does not fit its row": {sqlState("22003"), false},
	} {
		if got := IsUnavailable(c.err); got != c.away {
			t.Errorf("%s: away %v", name, got)
		}
	}
}
