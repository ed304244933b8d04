package models

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

// The two databases differ here, in connect.go, lease_postgres.go, failures.go, durability.go, skew.go, migrate.go, in
// freeConnection of tx.go and in tapcommit_cached.go, which is for PostgreSQL alone. Nothing else asks which one it is.

// dialect is also the name of the migrations' folder.
type dialect string

const (
	sqLite     dialect = "sqlite"
	postgreSQL dialect = "postgres"
)

// locksRows reports whether other transactions write at the same time, so that a row must be locked. SQLite has one writer.
func (d dialect) locksRows() bool { return d == postgreSQL }

// versionsRows reports whether a row has a version that each change replaces, so that the row can be cached with it. See
// cachedPlayer.
func (d dialect) versionsRows() bool { return d == postgreSQL }

// spinCommits returns how many groups of spins are committed at once.
func (d dialect) spinCommits() int {
	if d == postgreSQL {
		return 2
	}
	return 1
}

// forUpdate returns the end of a SELECT that locks the rows of a table. SQLite has one writer and needs none.
func (d dialect) forUpdate(table string) string {
	if d == postgreSQL {
		return " FOR NO KEY UPDATE OF " + table
	}
	return ""
}

// forUpdateSkipLocked is forUpdate that skips rows locked by another transaction.
func (d dialect) forUpdateSkipLocked(table string) string {
	if d == postgreSQL {
		return d.forUpdate(table) + " SKIP LOCKED"
	}
	return ""
}

// forShare returns the end of a SELECT whose rows nobody may change until the transaction ends, though others may share them.
func (d dialect) forShare(table string) string {
	if d == postgreSQL {
		return " FOR SHARE OF " + table
	}
	return ""
}

// lockTable keeps others from writing to a table until the transaction ends: if the absence of a row decides, there is no row to
// lock.
func (d dialect) lockTable(tx *gorm.DB, table string) error {
	if d != postgreSQL { // SQLite has one writer
		return nil
	}
	if err := tx.Exec("LOCK TABLE " + table + " IN SHARE ROW EXCLUSIVE MODE").Error; err != nil {
		return fmt.Errorf("lock the table of %s: %w", table, err)
	}
	return nil
}

// column is a named list of values for a statement, one for each row of a table.
type column struct {
	name   string
	kind   string // PostgreSQL's type
	values any    // a slice
}

func integers[Row any, N ~int | ~int32 | ~int64](name string, rows []Row, of func(Row) N) column {
	return column{name, "bigint", mapped(rows, func(row Row) int64 { return int64(of(row)) })}
}

func texts[Row any, S ~string](name string, rows []Row, of func(Row) S) column {
	return column{name, "text", mapped(rows, func(row Row) string { return string(of(row)) })}
}

func times[Row any](name string, rows []Row, of func(Row) time.Time) column {
	return column{name, "timestamptz", mapped(rows, of)}
}

// listOf returns a column of the given kind, which may have NULLs if V is a pointer.
func listOf[Row, V any](name, kind string, rows []Row, of func(Row) V) column {
	return column{name, kind, mapped(rows, of)}
}

func mapped[Row, V any](rows []Row, of func(Row) V) []V {
	values := make([]V, len(rows))
	for i, row := range rows {
		values[i] = of(row)
	}
	return values
}

// listedRows is the number of rows up to which PostgreSQL gets a list of values. For few rows that is less work for it than arrays,
// but each number of rows is a statement of its own to prepare.
const listedRows = 4

// values returns a table named v, made of the arguments of a statement: FROM values. PostgreSQL takes many rows as one array for
// each column, so that the text of a statement is the same for any number.
func (d dialect) values(columns ...column) (table string, args []any) {
	rows := reflect.ValueOf(columns[0].values).Len()
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	if d == postgreSQL && rows > listedRows {
		var arrays []string
		for _, c := range columns {
			arrays, args = append(arrays, "CAST(? AS "+c.kind+"[])"), append(args, array{c.values})
		}
		return fmt.Sprintf("unnest(%s) AS v (%s)", strings.Join(arrays, ", "), strings.Join(names, ", ")), args
	}
	for i := range rows {
		for _, c := range columns {
			value := reflect.ValueOf(c.values).Index(i).Interface()
			if bytes, ok := value.([]byte); ok {
				value = array{bytes}
			}
			args = append(args, value)
		}
	}
	if d == postgreSQL {
		var kinds []string // the first row's, which all rows share
		for _, c := range columns {
			kinds = append(kinds, "CAST(? AS "+c.kind+")")
		}
		list := "(" + strings.Join(kinds, ", ") + ")" + strings.Repeat(", "+places(len(columns)), rows-1)
		return fmt.Sprintf("(VALUES %s) AS v (%s)", list, strings.Join(names, ", ")), args
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("column%d AS %s", i+1, name)
	}
	list := places(len(columns)) + strings.Repeat(", "+places(len(columns)), rows-1)
	return fmt.Sprintf("(SELECT %s FROM (VALUES %s)) AS v", strings.Join(names, ", "), list), args
}

// among returns the condition that a column is one of these ids.
func (d dialect) among(name string, ids []PlayerID) (condition string, args []any) {
	if d == postgreSQL {
		return name + " = ANY(?)", []any{array{ids}}
	}
	return name + " IN ?", []any{ids}
}

// places returns the placeholders of a row's values.
func places(columns int) string { return "(?" + strings.Repeat(", ?", columns-1) + ")" }

// statement is SQL and its arguments.
type statement struct {
	text   string
	values []any
}

// askPostgres runs a statement as it is, on a connection of PostgreSQL. GORM would copy the text letter by letter, which was a
// twenty-fifth of all that the program does for taps. The text may hold no ? of its own.
func askPostgres(tx *gorm.DB, s statement) (*sql.Rows, error) {
	var numbered strings.Builder
	parts := strings.Split(s.text, "?")
	for i, part := range parts {
		numbered.WriteString(part)
		if i+1 < len(parts) {
			numbered.WriteString("$" + strconv.Itoa(i+1))
		}
	}
	return tx.Statement.ConnPool.QueryContext(tx.Statement.Context, numbered.String(), s.values...)
}

// inOneTrip runs writes that do not see each other's rows in one round trip, and returns how many rows the last one changed. SQLite
// runs in this process: it has no trips to save.
func (d dialect) inOneTrip(tx *gorm.DB, writes ...statement) (changed int64, err error) {
	if d == postgreSQL {
		writes = []statement{together(writes)}
	}
	for _, write := range writes {
		done := tx.Exec(write.text, write.values...)
		if changed, err = done.RowsAffected, done.Error; err != nil {
			return 0, err
		}
	}
	return changed, nil
}

// together returns one statement of PostgreSQL that makes all writes, and returns the rows of the last.
func together(writes []statement) (all statement) {
	last := len(writes) - 1
	for i, write := range writes[:last] {
		all.text += []string{"WITH", ","}[min(i, 1)] + fmt.Sprintf(" write%d AS (%s)", i, write.text)
		all.values = append(all.values, write.values...)
	}
	return statement{all.text + " " + writes[last].text, append(all.values, writes[last].values...)}
}

// columns names the columns that a row type stores, in a table or under an alias. Statements name them, since PostgreSQL refuses a
// planned `SELECT *` once a later version has added a column.
func columns[Row any](table string) string {
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

// nextID is SQL for the id of a table's next row, before it is written; for row i of a statement the id is idAt(i, …).
func (d dialect) nextID(table string) string {
	if d == postgreSQL {
		return "nextval(pg_get_serial_sequence('" + table + "', 'id'))"
	}
	return "(SELECT COALESCE(MAX(id), 0) + 1 FROM " + table + ")"
}

// idAt makes the ids of one statement differ: SQLite's nextID is the same for all of its rows, since it looks only at those that
// are stored.
func (d dialect) idAt(i int, next int64) int64 {
	if d == postgreSQL {
		return next
	}
	return next + int64(i)
}

// array passes a slice to the driver whole; GORM would spread it into a list.
type array struct{ values any }

func (a array) Value() (driver.Value, error) { return a.values, nil }

// snapshot returns the options of a read-only transaction that sees one moment.
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

// guards is a query for the constraints, unique indexes and triggers by which the database keeps its rows right, by name and definition,
// and for what else may change rows, hide them or switch triggers off.
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

// date returns the UTC date of a column with times, like 2026-03-04.
func (d dialect) date(column string) string {
	if d == postgreSQL {
		return "to_char(" + column + " AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
	}
	return "date(" + column + ")"
}

// hour returns an expression for the number of hours from 1970 to a column with a time.
func (d dialect) hour(column string) string {
	if d == postgreSQL {
		return "CAST(FLOOR(EXTRACT(EPOCH FROM " + column + ") / 3600) AS BIGINT)"
	}
	return "(CAST(strftime('%s', " + column + ") AS INTEGER) / 3600)"
}

// transactions returns expressions for the number of the oldest transaction that may still be running, and for one above that of
// each that has a number by now. A snapshot's own upper limit is none: it is above those that have ended. SQLite has one writer,
// whose rows come in order.
func (d dialect) transactions() (oldest, next string) {
	if d == postgreSQL {
		const number = "CAST(CAST(%s AS text) AS bigint)"
		return fmt.Sprintf(number, "pg_snapshot_xmin(pg_current_snapshot())"), fmt.Sprintf(number, "pg_current_xact_id()")
	}
	return "0", "0"
}
