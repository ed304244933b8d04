// Package db opens the two databases and runs transactions on them. SQL is written by hand where locks, groups and sweeps need it.
// A query of a queue or sweep names a state as a literal, or PostgreSQL's generic plans would not use the index of that state's rows.
package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/glebarez/sqlite"
	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Limits of connections, of PostgreSQL where nothing else is said. (decision 0004: limits)
const (
	statementTimeout = 3 * time.Second
	lockTimeout      = 2 * time.Second
	idleTimeout      = 5 * time.Second // within a transaction
	busyTimeout      = 5 * time.Second // of SQLite, which has one writer
	tableTimeout     = time.Second     // a migration that waits for a table lets nobody else in
	untimedIdle      = "1min"          // within a transaction of work that nobody waits for: a busy machine may pause a migration, a dead one must let go
	poolSize         = 20
	roundConnections = 5                // for rounds, cached writes, reads of callers, and what else is planned once
	sessionAge       = 30 * time.Minute // after a failover, a session of the server that was may go on, and only read
	connectTimeout   = 5 * time.Second  // a server may take the connection and say nothing
)

// planLife is how long plans are kept on the connections of group commits: tables grow, whether or not somebody analyzes them.
// (decision 0020)
const planLife = time.Minute

// ErrInUse means that another process serves from the same SQLite file.
var ErrInUse = errors.New("the database is in use by another process")

// DB is an open database: a SQLite file or PostgreSQL.
type DB struct {
	Dialect            Dialect
	writer, reader     *gorm.DB // transactions; committed state, for reads outside of transactions
	Grouped            *gorm.DB // rounds and cached writes of commands
	Lookups            *gorm.DB // coalesced reads of callers; their statements are planned once
	close              func() error
	NoStatementTimeout func() (db *sql.DB, done func() error, err error) // for work that may take minutes
	Lease              func(name string) (Lease, error)
	folder             string // of a SQLite file; empty when the disk is not ours to watch
	Scale              TimeoutScale
	entropy            io.Reader // seeds and codes; crypto/rand in production
	Meter              Meter
	ahead              atomic.Int64 // nanoseconds, see CompareClocks
}

// Open connects to address, sqlite:PATH or postgres://…, without migrating it. now stamps the rows that GORM writes; entropy must
// be cryptographically random; scale multiplies the timeouts. A SQLite file that another process serves from returns ErrInUse; a
// database that may lose what it has confirmed is refused.
func Open(ctx context.Context, address string, now func() time.Time, entropy io.Reader, scale TimeoutScale) (d *DB, err error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		d, err = connectSQLite(path, now, scale)
	} else {
		d, err = connectPostgres(ctx, address, now, scale)
	}
	if err != nil {
		return nil, err
	}
	if err := d.Dialect.durable(ctx, d.writer); err != nil {
		return nil, errors.Join(err, d.close())
	}
	d.entropy, d.Scale, d.Meter = entropy, scale, NoMeter{}
	return d, nil
}

// Close closes all connections.
func (d *DB) Close() error { return d.close() }

// OpenToRead connects for checks only, also beside a serving process.
func OpenToRead(ctx context.Context, address string, now func() time.Time) (*DB, error) {
	d, err := connectToRead(ctx, address, now)
	if err == nil {
		d.Scale, d.Meter = 1, NoMeter{}
	}
	return d, err
}

// connectToRead takes no lock on a SQLite file and cannot change it.
func connectToRead(ctx context.Context, address string, now func() time.Time) (*DB, error) {
	path, ok := strings.CutPrefix(address, "sqlite:")
	if !ok {
		return connectPostgres(ctx, address, now, 1)
	}
	file, err := os.Open(path) //nolint:gosec // the operator's own setting
	if err != nil {
		return nil, fmt.Errorf("find the database: %w", err) // SQLite would say that memory is out
	}
	if err := errors.Join(file.Close(), hasOneName(path)); err != nil {
		return nil, err
	}
	read, err := openGORM(sqlite.Open(path+"?"+sqliteReader(1).Encode()), 1, now)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return &DB{writer: read, reader: read, Dialect: SQLite, close: func() error { return closeGORM(read) }}, nil
}

// sqliteWriter syncs in full at each commit: an answered request survives a power failure.
func sqliteWriter(scale TimeoutScale) url.Values {
	return url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(" + scale.milliseconds(busyTimeout) + ")", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
	}}
}

func sqliteReader(scale TimeoutScale) url.Values {
	return url.Values{"_pragma": {"busy_timeout(" + scale.milliseconds(busyTimeout) + ")", "query_only(ON)", "foreign_keys(ON)"}}
}

// sqliteFile creates the file if it does not exist and returns its real path, with links resolved: by that name SQLite finds the
// files beside it that hold what is not in it yet.
func sqliteFile(path string) (string, error) {
	if strings.HasPrefix(path, ":memory:") {
		return "", errors.New("a database in memory keeps nothing")
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the operator's own setting
	if err != nil {
		return "", fmt.Errorf("open %s: %w", path, err)
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", path, err)
	}
	return target, hasOneName(target)
}

// hasOneName refuses a file with several hard links: a process that opens it by another name does not find the files that SQLite
// keeps beside this one.
func hasOneName(path string) error {
	names, err := hardLinks(path)
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	if names > 1 {
		return fmt.Errorf("%s has %d names: remove its hard links", path, names)
	}
	return nil
}

// connectSQLite opens a file for this process alone: one connection writes, others read.
func connectSQLite(path string, now func() time.Time, scale TimeoutScale) (*DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, fmt.Errorf("make folder of %s: %w", path, err)
	}
	path, err := sqliteFile(path)
	if err != nil {
		return nil, err
	}
	lock := flock.New(path + ".lock")
	if locked, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	} else if !locked {
		return nil, fmt.Errorf("%s: %w", path, ErrInUse)
	}
	write, err := openGORM(sqlite.Open(path+"?"+sqliteWriter(scale).Encode()), 1, now)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), lock.Unlock())
	}
	read, err := openGORM(sqlite.Open(path+"?"+sqliteReader(scale).Encode()), max(4, runtime.NumCPU()), now)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), closeGORM(write), lock.Unlock())
	}
	return &DB{
		writer: write, reader: read, Grouped: write, Lookups: read, Dialect: SQLite, folder: filepath.Dir(path),
		close: func() error { return errors.Join(closeGORM(read), closeGORM(write), lock.Unlock()) },
		NoStatementTimeout: func() (*sql.DB, func() error, error) {
			db, err := write.DB()
			return db, func() error { return nil }, err
		},
		Lease: func(string) (Lease, error) { return singleProcess{}, nil },
	}, nil
}

func connectPostgres(ctx context.Context, address string, now func() time.Time, scale TimeoutScale) (*DB, error) {
	settings, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("not the address of a PostgreSQL database") // err may quote a password
	}
	maps.Copy(settings.RuntimeParams, map[string]string{
		"statement_timeout":                   scale.milliseconds(statementTimeout),
		"lock_timeout":                        scale.milliseconds(lockTimeout),
		"idle_in_transaction_session_timeout": scale.milliseconds(idleTimeout),
		"timezone":                            "UTC",
		"application_name":                    "mcbk",
	})
	if settings.ConnectTimeout == 0 {
		settings.ConnectTimeout = connectTimeout
	}
	untimed := settings.Copy()
	untimed.RuntimeParams["statement_timeout"] = "0"
	untimed.RuntimeParams["lock_timeout"] = strconv.FormatInt(tableTimeout.Milliseconds(), 10)
	untimed.RuntimeParams["idle_in_transaction_session_timeout"] = untimedIdle
	pool := stdlib.OpenDB(*settings, stdlib.OptionAfterConnect(timesInUTC))
	pool.SetConnMaxLifetime(sessionAge)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("reach the database: %w", err), pool.Close())
	}
	db, err := openGORM(postgres.New(postgres.Config{Conn: pool}), scale.connections(), now)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the database: %w", err), pool.Close())
	}
	// The statements of group commits find every row by its key. Planned once for good, they must not be planned for tables that
	// were empty then.
	byKey := settings.Copy()
	maps.Copy(byKey.RuntimeParams, map[string]string{
		"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
	})
	keyed := stdlib.OpenDB(*byKey, stdlib.OptionAfterConnect(timesInUTC), stdlib.OptionResetSession(freshPlans(now)))
	keyed.SetConnMaxLifetime(sessionAge)
	grouped, err := openGORM(postgres.New(postgres.Config{Conn: keyed}), roundConnections, now)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the database for group commits: %w", err), keyed.Close(), pool.Close())
	}
	return &DB{
		writer: db, reader: db, Grouped: grouped, Lookups: grouped, Dialect: postgreSQL, close: func() error { return errors.Join(keyed.Close(), pool.Close()) },
		NoStatementTimeout: func() (*sql.DB, func() error, error) {
			db := stdlib.OpenDB(*untimed)
			return db, db.Close, nil
		},
		Lease: func(name string) (Lease, error) { return newPostgresLease(settings, name), nil },
	}, nil
}

// openGORM opens a pool of so many connections.
func openGORM(d gorm.Dialector, connections int, now func() time.Time) (*gorm.DB, error) {
	db, err := gorm.Open(d, &gorm.Config{
		NowFunc:                now,
		Logger:                 logger.Discard, // failures are logged once, at the edge
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		QueryFields:            true,
	})
	if err != nil {
		return nil, err
	}
	if err := countRows(db); err != nil {
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

// closeGORM closes a pool.
func closeGORM(db *gorm.DB) error {
	pool, err := db.DB()
	if err != nil {
		return err
	}
	return pool.Close()
}

// freshPlans makes a pooled connection forget plans older than planLife. A new connection would have new plans too, but the server
// may be out of connections.
func freshPlans(now func() time.Time) func(context.Context, *pgx.Conn) error {
	const forgotten = "plans forgotten at"
	return func(ctx context.Context, conn *pgx.Conn) error {
		custom := conn.PgConn().CustomData()
		if last, ok := custom[forgotten].(time.Time); ok && now().Sub(last).Abs() < planLife {
			return nil
		}
		if _, err := conn.PgConn().Exec(ctx, "DISCARD PLANS").ReadAll(); err != nil {
			return driver.ErrBadConn
		}
		custom[forgotten] = now()
		return nil
	}
}

// timesInUTC makes the driver hand out UTC instead of the machine's zone.
func timesInUTC(_ context.Context, conn *pgx.Conn) error {
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	return nil
}

// LiftHourlyLimits lifts the hourly limits on ads and orders. Daily limits, and how many orders may be open, stay. Call it before
// the store is used.
func (d *DB) LiftHourlyLimits() {
	for _, handle := range []**gorm.DB{&d.writer, &d.reader} {
		*handle = (*handle).Set(noHourlyLimitsKey, true).Session(&gorm.Session{})
	}
}

// DiskFree returns how many bytes the disk of a SQLite file can still take. It is not known for PostgreSQL, whose disk others
// watch.
func (d *DB) DiskFree() (bytes int64, known bool, err error) {
	if d.folder == "" {
		return 0, false, nil
	}
	return freeBytes(d.folder)
}

// Ready returns nil if the database answers, is at the newest migration and agrees on the time; else BehindError, SkewedError or
// the error of the database.
func (d *DB) Ready(ctx context.Context) error {
	newest, err := newestMigration(d.Dialect)
	if err != nil {
		return err
	}
	var at int64
	if err := d.Committed(ctx).Raw("SELECT MAX(version_id) FROM goose_db_version WHERE is_applied").Scan(&at).Error; err != nil && !noTable(err) {
		return fmt.Errorf("ping the database: %w", err)
	}
	if at < newest {
		return BehindError{At: at, Newest: newest}
	}
	return d.CheckSkew()
}
