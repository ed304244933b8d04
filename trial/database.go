package trial

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	_ "github.com/glebarez/go-sqlite"  // database/sql's "sqlite"
	_ "github.com/jackc/pgx/v5/stdlib" // database/sql's "pgx"
)

// Database is the tested program's database.
type Database struct {
	Address string // DATABASE_URL
	drop    func() error
}

// NewSQLite names a file in a folder that the caller removes.
func NewSQLite(folder string) Database {
	return Database{Address: "sqlite:" + filepath.Join(folder, "mcbk.db"), drop: func() error { return nil }}
}

// NewPostgres creates a database on a PostgreSQL server; Drop removes it.
func NewPostgres(ctx context.Context, server string) (Database, error) {
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		return Database{}, err
	}
	name := "trial_" + hex.EncodeToString(random[:])
	address, err := url.Parse(server)
	if err != nil {
		return Database{}, err
	}
	address.Path = "/" + name
	run := func(ctx context.Context, statement string) error {
		db, err := sql.Open("pgx", server)
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // its work is done
		_, err = db.ExecContext(ctx, statement)
		return err
	}
	if err := run(ctx, "CREATE DATABASE "+name); err != nil {
		return Database{}, fmt.Errorf("make a database (is PostgreSQL there? try `make services`): %w", err)
	}
	return Database{Address: address.String(), drop: func() error {
		return run(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)")
	}}, nil
}

// Drop removes what NewPostgres made.
func (d Database) Drop() error { return d.drop() }

// Open opens a separate connection, read-only for SQLite.
func (d Database) Open() (*sql.DB, error) {
	if d.isFile() {
		return sql.Open("sqlite", strings.TrimPrefix(d.Address, "sqlite:")+"?_pragma=busy_timeout(5000)&_pragma=query_only(ON)")
	}
	return sql.Open("pgx", d.Address)
}

func (d Database) isFile() bool { return strings.HasPrefix(d.Address, "sqlite:") }

// books are the contents of a database, by Telegram ID.
type books struct {
	posted map[entryID]posted
	stored map[entryID]Answer // by Idempotency-Key
	people map[int64]account
}

type entryID struct {
	person int64
	name   string // a posting's reference, or an Idempotency-Key
}

type posted struct {
	amount int64 // micro-MCBK
	lines  int
}

type account struct {
	game     int64 // micro-MCBK
	won      int64 // part of it from the wheel and actions
	rolled   int   // number of spins
	orders   int
	proven   bool // the wallet
	language string
}

// postings are those of batches and actions.
const postings = `(q.reference LIKE 'tap:%' OR q.reference LIKE 'checkin%' OR q.reference LIKE 'pred:%' OR q.reference LIKE 'task:%' OR q.reference LIKE 'adspin:%')`

// read loads all effects of the crowd's calls.
func (d Database) read(ctx context.Context) (b books, err error) {
	db, err := d.Open()
	if err != nil {
		return books{}, err
	}
	defer db.Close() //nolint:errcheck // read only
	options := &sql.TxOptions{ReadOnly: true}
	if !d.isFile() {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := db.BeginTx(ctx, options) // a killed program's COMMIT may still arrive
	if err != nil {
		return books{}, err
	}
	defer tx.Rollback() //nolint:errcheck // read only
	b = books{map[entryID]posted{}, map[entryID]Answer{}, map[int64]account{}}
	return b, errors.Join(
		each(ctx, tx, `SELECT p.telegram_id, CASE WHEN u.id IS NULL THEN q.reference ELSE 'task:' || u.task_id END, q.amount
			FROM postings q JOIN players p ON p.id = q.player_id LEFT JOIN player_tasks u ON u.player_id = q.player_id AND 'task:' || u.id = q.reference
			WHERE `+postings, func(scan scan) error {
			var (
				id     entryID
				amount int64
			)
			err := scan(&id.person, &id.name, &amount)
			if strings.HasPrefix(id.name, "checkin") { // of any day
				id.name, _, _ = strings.Cut(id.name, ":")
				id.name += ":"
			}
			b.posted[id] = posted{b.posted[id].amount + amount, b.posted[id].lines + 1}
			return err
		}),
		each(ctx, tx, "SELECT p.telegram_id, k.key, k.status, k.answer FROM idempotency_keys k JOIN players p ON p.id = k.player_id", func(scan scan) error {
			var (
				id     entryID
				answer Answer
			)
			err := scan(&id.person, &id.name, &answer.Status, &answer.Body)
			b.stored[id] = answer
			return err
		}),
		each(ctx, tx, `SELECT telegram_id, balance_game, language, wallet_proven, (SELECT COUNT(*) FROM orders o WHERE o.player_id = p.id),
			(SELECT COUNT(*) FROM postings q WHERE q.player_id = p.id AND q.reference LIKE 'roll:%'),
			(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM postings q WHERE q.player_id = p.id AND asset = 'MCBK'
				AND (q.reference LIKE 'spin:%' OR q.reference LIKE 'checkin%' OR q.reference LIKE 'task:%'))
			FROM players p`, func(scan scan) error {
			var (
				id int64
				a  account
			)
			err := scan(&id, &a.game, &a.language, &a.proven, &a.orders, &a.rolled, &a.won)
			b.people[id] = a
			return err
		}),
	)
}

type scan = func(into ...any) error

func each(ctx context.Context, tx *sql.Tx, query string, row func(scan) error) error {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
