package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	sqlitedriver "github.com/glebarez/go-sqlite"
	"github.com/jackc/pgx/v5/pgconn"
)

// SQLite result codes and PostgreSQL SQLSTATEs that decide what a failure means.
const (
	sqliteBusy   = 5
	sqliteLocked = 6

	pgSerializationFailure = "40001"
	pgDeadlock             = "40P01"
	pgLockNotAvailable     = "55P03"
	pgUniqueViolation      = "23505"
	pgUndefinedTable       = "42P01"

	// The constraints and indexes.
	entryIsUnique  = "postings_player_id_reference_line_key"
	keyIsUnique    = "idempotency_keys_pkey"
	walletIsUnique = "players_by_proven_wallet"
)

// repeatable reports whether the transaction lost a race and may simply be run again.
func repeatable(err error) bool { return lostRace(err) || postedMeanwhile(err) }

// LostRace reports whether a round was rolled back for what another transaction did or held, so that its commands may run again.
func LostRace(err error) bool { return repeatable(err) || lockRefused(err) }

func lostRace(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == pgSerializationFailure || pg.Code == pgDeadlock
	}
	lite, ok := errors.AsType[*sqlitedriver.Error](err)
	return ok && (lite.Code()&0xff == sqliteBusy || lite.Code()&0xff == sqliteLocked)
}

// lockRefused reports whether a statement waited longer for a lock than it may.
func lockRefused(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == pgLockNotAvailable
}

// postedMeanwhile reports whether another process posted the same entry, or answered under the same key, after this one had looked
// for it. With SQLite there is no other process.
func postedMeanwhile(err error) bool {
	return wasTaken(err, entryIsUnique) || wasTaken(err, keyIsUnique)
}

// IsWalletTaken reports whether another player has proven the same wallet after it was looked up. SQLite has one writer.
func IsWalletTaken(err error) bool { return wasTaken(err, walletIsUnique) }

func wasTaken(err error, unique string) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Code == pgUniqueViolation && pg.ConstraintName == unique
}

// IsUnavailable reports whether the database could not do its work now: gone, full, restarting, too slow. A mistake in a statement or a
// violated constraint does not count. Whatever a server answers to an attempt to connect does: PostgreSQL with a full disk then
// reports an internal error, "could not write init file".
func IsUnavailable(err error) bool {
	if errors.As(err, new(*pgconn.ConnectError)) {
		return true
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		class := pg.Code[:2]
		// 08 connection, 25 transaction ended by its timeout, 53 resources, 55 object in use,
		// 57 operator intervention, 58 system
		return class == "08" || class == "25" || class == "53" || class == "55" || class == "57" || class == "58" || lostRace(err)
	}
	if lite, ok := errors.AsType[*sqlitedriver.Error](err); ok {
		const constraint, mismatch, plainError = 19, 20, 1
		code := lite.Code() & 0xff
		return code != constraint && code != mismatch && code != plainError
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, sql.ErrTxDone) ||
		pgconn.Timeout(err) || pgconn.SafeToRetry(err) || isNetwork(err)
}

// noTable reports whether a statement names a table that does not exist.
func noTable(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == pgUndefinedTable
	}
	return err != nil && strings.Contains(err.Error(), "no such table") // SQLite has no code of its own for it
}

func isNetwork(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// Wrap adds to an error what was being done, and returns nil for nil.
func Wrap(err error, doing string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
}

// ErrUnavailable means that the database could not answer, or that it is unknown whether it committed. Repeating the call with the
// same idempotency key is always safe.
var ErrUnavailable = errors.New("database is not available, try again")

// ErrOverloaded is an ErrUnavailable because too much else is being written.
var ErrOverloaded = errors.New("no connection to the database was free")

// ErrNotFound means that the row does not exist, or is not this player's.
var ErrNotFound = errors.New("not found")
