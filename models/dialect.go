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
	"reflect"
	"runtime"
	"strings"
	"sync"
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

// This file, durability.go, skew.go, migrate.go and the wait in tx.go are the only ones that know the two databases apart.

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
	pgUniqueViolation      = "23505"

	entryIsUnique = "postings_player_id_reference_line_key" // the constraint
)

// PostgreSQL limits. (decision 0004: limits)
const (
	statementTimeout = "3s"
	lockTimeout      = "2s"
	idleTimeout      = "5s" // within a transaction
	poolSize         = 20
	connectTimeout   = 5 * time.Second // a server may take the connection and say nothing
)

// ErrInUse is another process serving from the same SQLite file.
var ErrInUse = errors.New("the database is in use by another process")

// connection is one opened database.
type connection struct {
	write, read *gorm.DB
	dialect     dialect
	close       func() error
	unhurried   func() (db *sql.DB, done func() error, err error) // for work that may take minutes
	lease       func(name string) (lease, error)
	folder      string // of a SQLite file
}

func connect(ctx context.Context, address string, now func() time.Time) (c connection, err error) {
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		c, err = connectSQLite(path, now)
	} else {
		c, err = connectPostgres(ctx, address, now)
	}
	if err != nil {
		return connection{}, err
	}
	if err := c.dialect.durable(ctx, c.write); err != nil {
		return connection{}, errors.Join(err, c.close())
	}
	return c, nil
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

// sqliteFile makes the file if it is not there and returns its own name: the lock belongs to
// the file, whatever link it is called by.
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
	return target, nil
}

// connectSQLite opens a file for this process alone: one connection writes, others read.
func connectSQLite(path string, now func() time.Time) (connection, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return connection{}, fmt.Errorf("make folder of %s: %w", path, err)
	}
	path, err := sqliteFile(path)
	if err != nil {
		return connection{}, err
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
		write: write, read: read, dialect: sqLite, folder: filepath.Dir(path),
		close: func() error { return errors.Join(closeGORM(read), closeGORM(write), lock.Unlock()) },
		unhurried: func() (*sql.DB, func() error, error) {
			db, err := write.DB()
			return db, func() error { return nil }, err
		},
		lease: func(string) (lease, error) { return alone{}, nil },
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
		"idle_in_transaction_session_timeout": idleTimeout,
		"timezone":                            "UTC",
		"application_name":                    "mcbk",
	} {
		settings.RuntimeParams[name] = value
	}
	if settings.ConnectTimeout == 0 {
		settings.ConnectTimeout = connectTimeout
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
		lease: func(name string) (lease, error) { return newPostgresLease(settings, name), nil },
	}, nil
}

// postgresLease is an advisory lock of a session of its own: PostgreSQL frees it when the
// session ends, and ends the session when it asks nothing for a while (from version 14 on). It
// needs a direct connection; behind a pool that hands out a session by transaction the lock is
// somebody else's at the next question, which is noticed. Each schema has locks of its own.
type postgresLease struct {
	name string
	pool *sql.DB // of one connection

	mu   sync.Mutex // one question at a time: the jobs and the clock ask beside each other
	conn *sql.Conn
}

func newPostgresLease(settings *pgx.ConnConfig, name string) *postgresLease {
	own := settings.Copy()
	own.RuntimeParams["application_name"] = "mcbk lease"
	return &postgresLease{name: name, pool: stdlib.OpenDB(*own, stdlib.OptionAfterConnect(endsWhenSilent))}
}

func endsWhenSilent(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT set_config(name, $1, false) FROM pg_settings WHERE name = 'idle_session_timeout'",
		fmt.Sprint(leaseSilence.Milliseconds()))
	return err
}

func (l *postgresLease) take(ctx context.Context) (mine bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		if l.conn, err = l.pool.Conn(ctx); err != nil {
			return false, err
		}
	}
	err = l.conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock(hashtext($1), hashtext(current_schema()))", l.name).Scan(&mine)
	return mine, err
}

func (l *postgresLease) held(ctx context.Context) (mine bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err = l.conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND classid = CAST(hashtext($1) AS oid) AND objid = CAST(hashtext(current_schema()) AS oid) AND objsubid = 2)`, l.name).Scan(&mine)
	return mine, err
}

func (l *postgresLease) close() error {
	if l.conn != nil {
		_ = l.conn.Close() // only handed back; the pool ends it
	}
	return l.pool.Close()
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

// forUpdate ends a SELECT that locks the rows of a table. SQLite has one writer and needs none.
func (d dialect) forUpdate(table string) string {
	if d == postgreSQL {
		return " FOR NO KEY UPDATE OF " + table
	}
	return ""
}

// column is a named list of values for a statement, one for each row of a table.
type column struct {
	name   string
	kind   string // PostgreSQL's type
	values any    // a slice
}

func integers[Row any, N ~int | ~int32 | ~int64](name string, rows []Row, of func(Row) N) column {
	return column{name, "bigint", each(rows, func(row Row) int64 { return int64(of(row)) })}
}

func texts[Row any, S ~string](name string, rows []Row, of func(Row) S) column {
	return column{name, "text", each(rows, func(row Row) string { return string(of(row)) })}
}

func times[Row any](name string, rows []Row, of func(Row) time.Time) column {
	return column{name, "timestamptz", each(rows, of)}
}

func each[Row, V any](rows []Row, of func(Row) V) []V {
	values := make([]V, len(rows))
	for i, row := range rows {
		values[i] = of(row)
	}
	return values
}

// values is a table named v, made of what is passed to a statement: FROM values. PostgreSQL
// takes a column as one array, so that a statement reads the same for any number of rows.
func (d dialect) values(columns ...column) (table string, args []any) {
	if d == postgreSQL {
		var arrays, names []string
		for _, c := range columns {
			arrays, names, args = append(arrays, "CAST(? AS "+c.kind+"[])"), append(names, c.name), append(args, array{c.values})
		}
		return fmt.Sprintf("unnest(%s) AS v (%s)", strings.Join(arrays, ", "), strings.Join(names, ", ")), args
	}
	var names, rows []string
	for i, c := range columns {
		names = append(names, fmt.Sprintf("column%d AS %s", i+1, c.name))
	}
	row := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	for i := range reflect.ValueOf(columns[0].values).Len() {
		rows = append(rows, row)
		for _, c := range columns {
			args = append(args, reflect.ValueOf(c.values).Index(i).Interface())
		}
	}
	return fmt.Sprintf("(SELECT %s FROM (VALUES %s)) AS v", strings.Join(names, ", "), strings.Join(rows, ", ")), args
}

// statement is SQL and what is passed to it.
type statement struct {
	text   string
	values []any
}

// inOneTrip runs two writes that do not see each other's rows, and returns how many rows the
// second changed. SQLite runs in this process: it has no trips to save.
func (d dialect) inOneTrip(tx *gorm.DB, first, second statement) (changed int64, err error) {
	if d == postgreSQL {
		both := tx.Exec("WITH first AS ("+first.text+") "+second.text, append(first.values, second.values...)...)
		return both.RowsAffected, both.Error
	}
	if err := tx.Exec(first.text, first.values...).Error; err != nil {
		return 0, err
	}
	done := tx.Exec(second.text, second.values...)
	return done.RowsAffected, done.Error
}

// array passes a slice to the driver whole; GORM would spread it into a list.
type array struct{ values any }

func (a array) Value() (driver.Value, error) { return a.values, nil }

// forUpdateOfFree is forUpdate that passes over rows another transaction holds.
func (d dialect) forUpdateOfFree(table string) string {
	if d == postgreSQL {
		return d.forUpdate(table) + " SKIP LOCKED"
	}
	return ""
}

// repeatable tells that the transaction lost a race and may simply be run again.
func repeatable(err error) bool { return lostRace(err) || postedMeanwhile(err) }

func lostRace(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == pgSerializationFailure || pg.Code == pgDeadlock
	}
	var lite *sqlitedriver.Error
	return errors.As(err, &lite) && (lite.Code()&0xff == sqliteBusy || lite.Code()&0xff == sqliteLocked)
}

// postedMeanwhile tells that another process posted the same entry after this one had looked
// for it. With SQLite there is no other process.
func postedMeanwhile(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == pgUniqueViolation && pg.ConstraintName == entryIsUnique
}

// away tells that the database could not do its work now: gone, full, restarting, too slow.
// A mistake in a statement or a broken constraint is not that.
func away(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		class := pg.Code[:2]
		// 08 connection, 25 transaction ended by its timeout, 53 resources, 55 object in use,
		// 57 operator intervention, 58 system
		return class == "08" || class == "25" || class == "53" || class == "55" || class == "57" || class == "58" || lostRace(err)
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

// guards lists what the database itself does to keep its rows right, by name and definition.
func (d dialect) guards() string {
	if d == postgreSQL {
		return `WITH tables AS (
			SELECT oid, relname FROM pg_class WHERE relkind = 'r' AND relname <> 'goose_db_version'
				AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
		)
		SELECT 'trigger ' || tgname || ' on ' || relname AS name,
			pg_get_triggerdef(t.oid, true) || ' ' || prosrc || CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE ' disabled' END AS definition
		FROM pg_trigger t JOIN tables ON tables.oid = tgrelid JOIN pg_proc p ON p.oid = tgfoid WHERE NOT tgisinternal
		UNION ALL
		SELECT 'constraint ' || conname || ' on ' || relname,
			pg_get_constraintdef(c.oid, true) || CASE WHEN EXISTS (
				SELECT 1 FROM pg_trigger WHERE tgconstraint = c.oid AND tgenabled NOT IN ('O', 'A')) THEN ' disabled' ELSE '' END
		FROM pg_constraint c JOIN tables ON tables.oid = conrelid WHERE contype IN ('c', 'f', 'p', 'u')`
	}
	return `SELECT type || ' ' || name || ' on ' || tbl_name AS name, sql AS definition FROM sqlite_master
		WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND tbl_name <> 'goose_db_version'`
}

// transactions are expressions for the number of the oldest transaction that may still be
// running and of the next one to begin. SQLite has one writer, whose rows come in order.
func (d dialect) transactions() (oldest, next string) {
	if d == postgreSQL {
		const number = "CAST(CAST(%s(pg_current_snapshot()) AS text) AS bigint)"
		return fmt.Sprintf(number, "pg_snapshot_xmin"), fmt.Sprintf(number, "pg_snapshot_xmax")
	}
	return "0", "0"
}
