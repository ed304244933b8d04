package models

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	sqlitedriver "github.com/glebarez/go-sqlite"
	"github.com/glebarez/sqlite"
	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// This file is the only one that knows the two databases apart.

// dialect is also the name of the migrations' folder.
type dialect string

const (
	sqLite     dialect = "sqlite"
	postgreSQL dialect = "postgres"
)

// SQLite result codes and PostgreSQL SQLSTATEs that decide what a failure means.
const (
	sqliteBusy   = 5
	sqliteLocked = 6

	pgSerializationFailure = "40001"
	pgDeadlock             = "40P01"
)

// PostgreSQL limits. (decision 0004: limits)
const (
	statementTimeout   = "3s"
	lockTimeout        = "2s"
	transactionTimeout = "5s"
	poolSize           = 20
)

// ErrInUse is another process serving from the same SQLite file.
var ErrInUse = errors.New("the database is in use by another process")

// connection is one opened database.
type connection struct {
	write, read *gorm.DB
	dialect     dialect
	close       func() error
	unhurried   func() (db *sql.DB, done func() error, err error) // for work that may take minutes
}

func connect(ctx context.Context, address string, now func() time.Time) (connection, error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		return connectSQLite(path, now)
	}
	return connectPostgres(ctx, address, now)
}

// connectToRead takes no lock on a SQLite file and cannot change it.
func connectToRead(ctx context.Context, address string, now func() time.Time) (connection, error) {
	path, ok := strings.CutPrefix(address, "sqlite:")
	if !ok {
		return connectPostgres(ctx, address, now)
	}
	if _, err := os.Stat(path); err != nil {
		return connection{}, fmt.Errorf("find the database: %w", err)
	}
	read, err := openGORM(sqlite.Open(path+"?"+sqliteReader.Encode()), 1, now)
	if err != nil {
		return connection{}, fmt.Errorf("open %s: %w", path, err)
	}
	return connection{write: read, read: read, dialect: sqLite, close: func() error { return closeGORM(read) }}, nil
}

var (
	// A full sync at each commit: an answered request survives the power going off.
	sqliteWriter = url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
	}}
	sqliteReader = url.Values{"_pragma": {"busy_timeout(5000)", "query_only(ON)", "foreign_keys(ON)"}}
)

// connectSQLite opens a file for this process alone: one connection writes, others read.
func connectSQLite(path string, now func() time.Time) (connection, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return connection{}, fmt.Errorf("make folder of %s: %w", path, err)
	}
	// The lock belongs to the file, whatever name it is called by.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	lock := flock.New(path + ".lock")
	if locked, err := lock.TryLock(); err != nil {
		return connection{}, fmt.Errorf("lock %s: %w", path, err)
	} else if !locked {
		return connection{}, fmt.Errorf("%s: %w", path, ErrInUse)
	}
	write, err := openGORM(sqlite.Open(path+"?"+sqliteWriter.Encode()), 1, now)
	if err != nil {
		return connection{}, errors.Join(fmt.Errorf("open %s: %w", path, err), lock.Unlock())
	}
	read, err := openGORM(sqlite.Open(path+"?"+sqliteReader.Encode()), max(4, runtime.NumCPU()), now)
	if err != nil {
		return connection{}, errors.Join(fmt.Errorf("open %s: %w", path, err), closeGORM(write), lock.Unlock())
	}
	return connection{
		write: write, read: read, dialect: sqLite,
		close: func() error { return errors.Join(closeGORM(read), closeGORM(write), lock.Unlock()) },
		unhurried: func() (*sql.DB, func() error, error) {
			db, err := write.DB()
			return db, func() error { return nil }, err
		},
	}, nil
}

func connectPostgres(ctx context.Context, address string, now func() time.Time) (connection, error) {
	settings, err := pgx.ParseConfig(address)
	if err != nil {
		return connection{}, fmt.Errorf("read database address: %w", err)
	}
	for name, value := range map[string]string{
		"statement_timeout":                   statementTimeout,
		"lock_timeout":                        lockTimeout,
		"idle_in_transaction_session_timeout": transactionTimeout,
		"timezone":                            "UTC",
		"application_name":                    "mcbk",
	} {
		settings.RuntimeParams[name] = value
	}
	unhurried := settings.Copy()
	unhurried.RuntimeParams["statement_timeout"], unhurried.RuntimeParams["lock_timeout"] = "0", "0"
	pool := stdlib.OpenDB(*settings, stdlib.OptionAfterConnect(timesInUTC))
	if err := pool.PingContext(ctx); err != nil {
		return connection{}, errors.Join(fmt.Errorf("reach the database: %w", err), pool.Close())
	}
	db, err := openGORM(postgres.New(postgres.Config{Conn: pool}), poolSize, now)
	if err != nil {
		return connection{}, errors.Join(fmt.Errorf("open the database: %w", err), pool.Close())
	}
	return connection{
		write: db, read: db, dialect: postgreSQL, close: pool.Close,
		unhurried: func() (*sql.DB, func() error, error) {
			db := stdlib.OpenDB(*unhurried)
			return db, db.Close, nil
		},
	}, nil
}

func openGORM(d gorm.Dialector, connections int, now func() time.Time) (*gorm.DB, error) {
	db, err := gorm.Open(d, &gorm.Config{
		NowFunc:                now,
		Logger:                 logger.Discard, // failures are logged once, at the edge
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
	})
	if err != nil {
		return nil, err
	}
	pool, err := db.DB()
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return db, nil
}

func closeGORM(db *gorm.DB) error {
	pool, err := db.DB()
	if err != nil {
		return err
	}
	return pool.Close()
}

// timesInUTC makes the driver hand out UTC instead of the machine's zone.
func timesInUTC(_ context.Context, conn *pgx.Conn) error {
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	return nil
}

// forUpdate ends a SELECT that locks its rows. SQLite has one writer and needs none.
func (d dialect) forUpdate() string {
	if d == postgreSQL {
		return " FOR NO KEY UPDATE"
	}
	return ""
}

// forUpdateOfFree is forUpdate that passes over rows another transaction holds.
func (d dialect) forUpdateOfFree() string {
	if d == postgreSQL {
		return d.forUpdate() + " SKIP LOCKED"
	}
	return ""
}

// repeatable tells that the transaction lost a race and may simply be run again.
func repeatable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == pgSerializationFailure || pg.Code == pgDeadlock
	}
	var lite *sqlitedriver.Error
	return errors.As(err, &lite) && (lite.Code()&0xff == sqliteBusy || lite.Code()&0xff == sqliteLocked)
}

// away tells that the database could not do its work now: gone, full, restarting, too slow.
// A mistake in a statement or a broken constraint is not that.
func away(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		class := pg.Code[:2]
		// 08 connection, 25 transaction ended by its timeout, 53 resources, 55 object in use,
		// 57 operator intervention, 58 system
		return class == "08" || class == "25" || class == "53" || class == "55" || class == "57" || class == "58" || repeatable(err)
	}
	var lite *sqlitedriver.Error
	if errors.As(err, &lite) {
		const constraint, mismatch, plainError = 19, 20, 1
		code := lite.Code() & 0xff
		return code != constraint && code != mismatch && code != plainError
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, sql.ErrTxDone) || errors.As(err, new(*pgconn.ConnectError)) ||
		pgconn.Timeout(err) || pgconn.SafeToRetry(err) || isNetwork(err)
}

func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// snapshot begins a read-only transaction that sees one moment.
func (d dialect) snapshot() *sql.TxOptions {
	if d == postgreSQL {
		return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	}
	return &sql.TxOptions{ReadOnly: true}
}

// unhurried lifts the statement limit for a long check.
func (d dialect) unhurried(tx *gorm.DB) error {
	if d == postgreSQL {
		return tx.Exec("SET LOCAL statement_timeout = 0").Error
	}
	return nil
}
