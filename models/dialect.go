package models

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"strings"
	"time"

	"gorm.io/gorm"
)

// This file, connect.go, lease_postgres.go, failures.go, durability.go, skew.go, migrate.go and the
// wait in tx.go are the only ones that know the two databases apart.

// dialect is also the name of the migrations' folder.
type dialect string

const (
	sqLite     dialect = "sqlite"
	postgreSQL dialect = "postgres"
)

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
