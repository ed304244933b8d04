package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// Row is a row of a result.
type Row interface{ Scan(into ...any) error }

// Query is a statement of a round, and what is done with its result.
type Query struct {
	Statement
	Scan    func(row Row) error // reads a row; nil for a write
	Changes int64               // how many rows the write must change; 0 if that does not matter
}

// InRound runs a transaction of queries that are known beforehand and writes that decide makes of their rows. On PostgreSQL it takes
// two trips: BEGIN and the reads, each of which sees what was committed before it begins, then the writes and COMMIT. It returns
// ErrUnavailable like InTx, but never runs the transaction again.
func (d *DB) InRound(ctx context.Context, reads []Query, decide func() ([]Query, error)) error {
	if err := d.CheckSkew(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if d.Dialect != postgreSQL {
		return WrapUnavailable(d.attempt(ctx, d.Grouped, func(tx *gorm.DB) error {
			if err := RunQueries(tx, reads...); err != nil {
				return err
			}
			writes, err := decide()
			if err != nil {
				return err
			}
			return RunQueries(tx, writes...)
		}))
	}
	conn, err := d.freeConnection(ctx, d.Grouped)
	if err != nil {
		return WrapUnavailable(err)
	}
	defer conn.Close() //nolint:errcheck // goes back to the pool, where a broken one is noticed
	var failed error
	err = conn.Raw(func(raw any) error {
		pg := raw.(*stdlib.Conn).Conn() //nolint:forcetypeassert // the pool is pgx's
		if failed = inTwoTrips(ctx, pg, reads, decide); pg.PgConn().TxStatus() == 'I' {
			return nil
		}
		if _, err := pg.Exec(ctx, "ROLLBACK"); err != nil {
			return driver.ErrBadConn
		}
		return nil
	})
	return WrapUnavailable(errors.Join(failed, err))
}

// ScanRows runs one statement on a pool, outside of a transaction. On PostgreSQL the driver scans its rows: database/sql would convert every value once more.
func (d *DB) ScanRows(ctx context.Context, pool *gorm.DB, statement Query) error {
	if d.Dialect != postgreSQL {
		return run(pool.WithContext(ctx), statement)
	}
	conn, err := d.freeConnection(ctx, pool)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // goes back to the pool, where a broken one is noticed
	return conn.Raw(func(raw any) error {
		rows, err := raw.(*stdlib.Conn).Conn().Query(ctx, numbered(statement.Text), statement.args()...) //nolint:forcetypeassert // the pool is pgx's
		if err != nil {
			return err
		}
		return statement.scan(rows)
	})
}

// inTwoTrips is InRound on a connection of PostgreSQL; a transaction that is not committed may still be open.
func inTwoTrips(ctx context.Context, pg *pgx.Conn, reads []Query, decide func() ([]Query, error)) error {
	var first, second pgx.Batch
	first.Queue("BEGIN")
	for _, read := range reads {
		queue(&first, read)
	}
	if err := pg.SendBatch(ctx, &first).Close(); err != nil {
		return err
	}
	writes, err := decide()
	if err != nil || len(writes) == 0 {
		return err
	}
	for _, write := range writes {
		queue(&second, write)
	}
	second.Queue("COMMIT")
	err = pg.SendBatch(ctx, &second).Close()
	if refused := (*pgconn.PgError)(nil); err == nil || errors.As(err, &refused) && refused.SeverityUnlocalized == "ERROR" { // rolled back
		return err
	}
	return fmt.Errorf("commit, outcome unknown: %w: %w", ErrUnavailable, err)
}

// queue adds a query to a trip. COMMIT is in the same trip, so that a write that changes another number of rows must fail in SQL.
func queue(trip *pgx.Batch, q Query) {
	text := numbered(q.Text)
	if q.Changes > 0 {
		text = "WITH changed AS (" + text + " RETURNING 1) SELECT 1 / CAST(COUNT(*) = $" + strconv.Itoa(len(q.Values)+1) + " AS integer) FROM changed"
		q.Values = append(q.Values[:len(q.Values):len(q.Values)], q.Changes)
	}
	trip.Queue(text, q.args()...).Query(q.scan)
}

// args returns the arguments as pgx takes them.
func (q Query) args() []any {
	return MapSlice(q.Values, func(value any) any {
		if list, ok := value.(Array); ok {
			return list.Values
		}
		return value
	})
}

// scan reads all rows.
func (q Query) scan(rows pgx.Rows) error {
	defer rows.Close()
	for rows.Next() && q.Scan != nil {
		if err := q.Scan(rows); err != nil {
			return err
		}
	}
	rows.Close()
	return rows.Err()
}

// RunQueries runs queries one after the other in a transaction.
func RunQueries(tx *gorm.DB, queries ...Query) error {
	for _, q := range queries {
		if err := run(tx, q); err != nil {
			return err
		}
	}
	return nil
}

func run(tx *gorm.DB, q Query) error {
	if q.Scan == nil {
		done := tx.Exec(q.Text, q.Values...)
		if done.Error == nil && q.Changes > 0 && done.RowsAffected != q.Changes {
			return fmt.Errorf("a write changed %d rows, not %d: %s", done.RowsAffected, q.Changes, q.Text)
		}
		return done.Error
	}
	return Each(tx.Raw(q.Text, q.Values...), q.Scan)
}

// numbered replaces each ? by PostgreSQL's $1, $2, …; the text may hold no ? of its own.
func numbered(text string) string {
	var all strings.Builder
	for i, part := range strings.Split(text, "?") {
		if i > 0 {
			all.WriteString("$" + strconv.Itoa(i))
		}
		all.WriteString(part)
	}
	return all.String()
}
