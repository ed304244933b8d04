package db

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"mcbk/models"
)

// The two databases differ here, in connect.go, lease_postgres.go, failures.go, durability.go, skew.go, migrate.go, in
// freeConnection of tx.go, in round.go and in commit/cache.go, which is for PostgreSQL alone. Nothing else asks which one it is.

// Dialect is also the name of the migrations' folder.
type Dialect string

// The databases.
const (
	SQLite     Dialect = "sqlite"
	postgreSQL Dialect = "postgres"
)

// LocksRows reports whether other transactions write at the same time, so that a row must be locked. SQLite has one writer.
func (d Dialect) LocksRows() bool { return d == postgreSQL }

// VersionsRows reports whether a row has a version that each change replaces, so that the row can be cached with it. See
// cachedPlayer.
func (d Dialect) VersionsRows() bool { return d == postgreSQL }

// ForUpdate returns the end of a SELECT that locks the rows of a table. SQLite has one writer and needs none.
func (d Dialect) ForUpdate(table string) string {
	if d == postgreSQL {
		return " FOR NO KEY UPDATE OF " + table
	}
	return ""
}

// ForUpdateSkipLocked is ForUpdate that skips rows locked by another transaction.
func (d Dialect) ForUpdateSkipLocked(table string) string {
	if d == postgreSQL {
		return d.ForUpdate(table) + " SKIP LOCKED"
	}
	return ""
}

// ForShare returns the end of a SELECT that keeps others from changing the rows of a table, or skips rows that others are changing.
func (d Dialect) ForShare(table string, skipLocked bool) string {
	switch {
	case d != postgreSQL:
		return ""
	case skipLocked:
		return " FOR SHARE OF " + table + " SKIP LOCKED"
	}
	return " FOR SHARE OF " + table
}

// LockTable keeps others from writing to a table until the transaction ends: if the absence of a row decides, there is no row to
// lock.
func (d Dialect) LockTable(tx *gorm.DB, table string) error {
	if d != postgreSQL { // SQLite has one writer
		return nil
	}
	return Wrap(tx.Exec("LOCK TABLE "+table+" IN SHARE ROW EXCLUSIVE MODE").Error, "lock the table of %s", table)
}

// Column is a named list of values for a statement, one for each row of a table.
type Column struct {
	Name   string
	kind   string // PostgreSQL's type
	values any    // a slice
}

// Integers returns a column of numbers.
func Integers[Row any, N ~int | ~int32 | ~int64](name string, rows []Row, of func(Row) N) Column {
	return Column{name, "bigint", MapSlice(rows, func(row Row) int64 { return int64(of(row)) })}
}

// Texts returns a column of texts.
func Texts[Row any, S ~string](name string, rows []Row, of func(Row) S) Column {
	return Column{name, "text", MapSlice(rows, func(row Row) string { return string(of(row)) })}
}

// Times returns a column of times.
func Times[Row any](name string, rows []Row, of func(Row) time.Time) Column {
	return Column{name, "timestamptz", MapSlice(rows, of)}
}

// List returns a column of the given kind, which may have NULLs if V is a pointer.
func List[Row, V any](name, kind string, rows []Row, of func(Row) V) Column {
	return Column{name, kind, MapSlice(rows, of)}
}

// MapSlice returns what of makes of each row.
func MapSlice[Row, V any](rows []Row, of func(Row) V) []V {
	values := make([]V, len(rows))
	for i, row := range rows {
		values[i] = of(row)
	}
	return values
}

// listedRows is the number of rows up to which PostgreSQL gets a list of values. For few rows that is less work for it than arrays,
// but each number of rows is a statement of its own to prepare.
const listedRows = 4

// Values returns a table named v, made of the arguments of a statement: FROM values. PostgreSQL takes many rows as one array for
// each column, so that the text of a statement is the same for any number.
func (d Dialect) Values(columns ...Column) (table string, args []any) {
	rows := reflect.ValueOf(columns[0].values).Len()
	names := MapSlice(columns, func(c Column) string { return c.Name })
	if d == postgreSQL && rows > listedRows {
		arrays := MapSlice(columns, func(c Column) string { return "CAST(? AS " + c.kind + "[])" })
		args = MapSlice(columns, func(c Column) any { return Array{c.values} })
		return fmt.Sprintf("unnest(%s) AS v (%s)", strings.Join(arrays, ", "), strings.Join(names, ", ")), args
	}
	for i := range rows {
		for _, c := range columns {
			value := reflect.ValueOf(c.values).Index(i).Interface()
			if bytes, ok := value.([]byte); ok {
				value = Array{bytes}
			}
			args = append(args, value)
		}
	}
	if d == postgreSQL {
		kinds := MapSlice(columns, func(c Column) string { return "CAST(? AS " + c.kind + ")" }) // the first row's, which all rows share
		list := "(" + strings.Join(kinds, ", ") + ")" + strings.Repeat(", "+places(len(columns)), rows-1)
		return fmt.Sprintf("(VALUES %s) AS v (%s)", list, strings.Join(names, ", ")), args
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("column%d AS %s", i+1, name)
	}
	list := places(len(columns)) + strings.Repeat(", "+places(len(columns)), rows-1)
	return fmt.Sprintf("(SELECT %s FROM (VALUES %s)) AS v", strings.Join(names, ", "), list), args
}

// AnyOf returns the condition that a column is one of these ids.
func (d Dialect) AnyOf(name string, ids []models.PlayerID) (condition string, args []any) {
	if d == postgreSQL {
		return name + " = ANY(?)", []any{Array{ids}}
	}
	return name + " IN ?", []any{ids}
}

// places returns the placeholders of a row's values.
func places(columns int) string { return "(?" + strings.Repeat(", ?", columns-1) + ")" }

// Statement is SQL and its arguments.
type Statement struct {
	Text   string
	Values []any
}

// Insert returns the statement that inserts rows into a table.
func (d Dialect) Insert(table string, columns ...Column) Statement {
	rows, values := d.Values(columns...)
	names := MapSlice(columns, func(c Column) string { return c.Name })
	return Statement{Text: "INSERT INTO " + table + " (" + strings.Join(names, ", ") + ") SELECT * FROM " + rows, Values: values}
}

// Update returns the statement that updates rows of a table: set and where name their values v.
func (d Dialect) Update(table, set, where string, columns ...Column) Statement {
	rows, values := d.Values(columns...)
	return Statement{Text: "UPDATE " + table + " SET " + set + " FROM " + rows + " WHERE " + where, Values: values}
}

// Assignments returns the set of an Update that stores columns under their names.
func Assignments(columns []Column) string {
	return strings.Join(MapSlice(columns, func(c Column) string { return c.Name + " = v." + c.Name }), ", ")
}

// ExecBatch runs writes that do not see each other's rows in one round trip. SQLite runs in this process: it has no trips to save.
func (d Dialect) ExecBatch(tx *gorm.DB, writes ...Statement) error {
	if d == postgreSQL && len(writes) > 1 {
		writes = []Statement{batch(writes)}
	}
	for _, write := range writes {
		if err := tx.Exec(write.Text, write.Values...).Error; err != nil {
			return err
		}
	}
	return nil
}

// batch returns one statement of PostgreSQL that makes all writes, and returns the rows of the last.
func batch(writes []Statement) (all Statement) {
	last := len(writes) - 1
	for i, write := range writes[:last] {
		all.Text += []string{"WITH", ","}[min(i, 1)] + fmt.Sprintf(" write%d AS (%s)", i, write.Text)
		all.Values = append(all.Values, write.Values...)
	}
	return Statement{all.Text + " " + writes[last].Text, append(all.Values, writes[last].Values...)}
}

// Columns names the columns that a row type stores, in a table or under an alias. Statements name them, since PostgreSQL refuses a
// planned `SELECT *` once a later version has added a column.
func Columns[Row any](table string) string {
	parsed, err := schema.Parse(new(Row), &rowTypes, schema.NamingStrategy{})
	if err != nil {
		panic(err) // a row type that GORM cannot read
	}
	var names []string
	for _, field := range parsed.Fields {
		if field.Creatable { // others are computed
			names = append(names, table+"."+field.DBName)
		}
	}
	return strings.Join(names, ", ")
}

var rowTypes sync.Map

// NextID is SQL for the id of a table's next row, before it is written. nr is SQL for a number that differs between the rows of a
// statement: SQLite looks only at ids that are stored.
func (d Dialect) NextID(table, nr string) string {
	if d == postgreSQL {
		return "nextval('" + table + "_id_seq')"
	}
	return "(SELECT COALESCE(MAX(id), 0) + 1 FROM " + table + ") + " + nr
}

// Array passes a slice to the driver whole; GORM would spread it into a list.
type Array struct{ Values any }

// Value implements driver.Valuer.
func (a Array) Value() (driver.Value, error) { return a.Values, nil }

// snapshot returns the options of a read-only transaction that sees one moment.
func (d Dialect) snapshot() *sql.TxOptions {
	if d == postgreSQL {
		return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	}
	return &sql.TxOptions{ReadOnly: true}
}

// noStatementTimeout lifts the statement limit for a long check.
func (d Dialect) noStatementTimeout(tx *gorm.DB) error {
	if d == postgreSQL {
		return tx.Exec("SET LOCAL statement_timeout = 0").Error
	}
	return nil
}

// Guards is a query for the constraints, unique indexes and triggers by which the database keeps its rows right, by name and definition,
// and for what else may change rows, hide them or switch triggers off.
func (d Dialect) Guards() string {
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
		FROM pg_constraint c JOIN tables ON tables.oid = conrelid WHERE contype IN ('c', 'f', 'p', 'u')
		UNION ALL
		SELECT 'index ' || pg_class.relname || ' on ' || tables.relname,
			pg_get_indexdef(indexrelid, 0, true) || CASE WHEN indisvalid THEN '' ELSE ' invalid' END
		FROM pg_index i JOIN tables ON tables.oid = indrelid JOIN pg_class ON pg_class.oid = indexrelid
		WHERE indisunique AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
		UNION ALL
		SELECT 'rule ' || rulename || ' on ' || relname, pg_get_ruledef(r.oid, true) FROM pg_rewrite r JOIN tables ON tables.oid = ev_class
		UNION ALL
		SELECT 'policy ' || polname || ' on ' || relname, '' FROM pg_policy JOIN tables ON tables.oid = polrelid
		UNION ALL
		SELECT 'row security on ' || relname, '' FROM pg_class JOIN tables USING (oid, relname) WHERE relrowsecurity
		UNION ALL
		SELECT 'event trigger ' || evtname, evtevent FROM pg_event_trigger WHERE evtenabled <> 'D'
		UNION ALL
		SELECT 'session_replication_role of the session', current_setting('session_replication_role') WHERE current_setting('session_replication_role') <> 'origin'
		UNION ALL
		SELECT 'session_replication_role of ' || COALESCE('role ' || rolname, 'the database'), setting
		FROM pg_db_role_setting LEFT JOIN pg_roles ON pg_roles.oid = setrole, unnest(setconfig) AS setting
		WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
			AND setting LIKE 'session_replication_role=%' AND setting <> 'session_replication_role=origin'`
	}
	return `SELECT type || ' ' || name || ' on ' || tbl_name AS name, sql AS definition FROM sqlite_master
		WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND tbl_name <> 'goose_db_version'`
}

// Date returns the UTC date of a column with times, like 2026-03-04.
func (d Dialect) Date(column string) string {
	if d == postgreSQL {
		return "to_char(" + column + " AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
	}
	return "date(" + column + ")"
}

// Hour returns an expression for the number of hours from 1970 to a column with a time.
func (d Dialect) Hour(column string) string {
	if d == postgreSQL {
		return "CAST(FLOOR(EXTRACT(EPOCH FROM " + column + ") / 3600) AS BIGINT)"
	}
	return "(CAST(strftime('%s', " + column + ") AS INTEGER) / 3600)"
}

// Transactions returns expressions for the number of the oldest transaction that may still be running, and for one above that of
// each that has a number by now. A snapshot's own upper limit is none: it is above those that have ended. SQLite has one writer,
// whose rows come in order.
func (d Dialect) Transactions() (oldest, next string) {
	if d == postgreSQL {
		const number = "CAST(CAST(%s AS text) AS bigint)"
		return fmt.Sprintf(number, "pg_snapshot_xmin(pg_current_snapshot())"), fmt.Sprintf(number, "pg_current_xact_id()")
	}
	return "0", "0"
}
