package modelstest

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	_ "github.com/glebarez/go-sqlite"  // the plain connection's driver
	_ "github.com/jackc/pgx/v5/stdlib" // the plain connection's driver
)

// Raw opens a plain connection beside the store: what somebody with the database's own tools could do.
func Raw(t testing.TB, address string) *sql.DB {
	t.Helper()
	driver, source := "pgx", address
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		driver, source = "sqlite", path+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(ON)"
	}
	raw := Must(sql.Open(driver, source))(t)
	t.Cleanup(func() {
		if err := raw.Close(); err != nil {
			t.Errorf("close the plain connection: %v", err)
		}
	})
	return raw
}

// Contents are all rows of all tables, as text, by table: a test that compares them misses no
// change, whatever tables there will be.
type Contents map[string][]string

// ReadContents reads all tables over a connection of Raw, while nobody writes.
func ReadContents(t testing.TB, raw *sql.DB) Contents {
	t.Helper()
	tables := "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
	if strings.Contains(fmt.Sprintf("%T", raw.Driver()), "sqlite") {
		tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	}
	contents := Contents{}
	for _, name := range Lines(t, raw, tables) {
		contents[name] = Lines(t, raw, "SELECT * FROM "+name)
		slices.Sort(contents[name])
	}
	if len(contents["players"]) == 0 {
		t.Fatal("the database has no player whose rows could be compared")
	}
	return contents
}

// Changed names the tables whose rows differ from before.
func (c Contents) Changed(before Contents) (tables []string) {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if !slices.Equal(c[name], before[name]) {
			tables = append(tables, name)
		}
	}
	return tables
}

// Added returns how many more rows than before each table has; tables with as many are left out.
func (c Contents) Added(before Contents) map[string]int {
	added := map[string]int{}
	for name := range c {
		if n := len(c[name]) - len(before[name]); n != 0 {
			added[name] = n
		}
	}
	return added
}

// Lines returns a query's rows, each as one text.
func Lines(t testing.TB, raw *sql.DB, query string, values ...any) (all []string) {
	t.Helper()
	rows, err := raw.QueryContext(context.Background(), query, values...) // also in a cleanup
	NoError(t, err, query)
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	columns := Must(rows.Columns())(t)
	cells, places, texts := make([]sql.NullString, len(columns)), make([]any, len(columns)), make([]string, len(columns))
	for i := range cells {
		places[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for i, value := range cells {
			texts[i] = value.String
			if !value.Valid {
				texts[i] = "<nil>"
			}
		}
		all = append(all, strings.Join(texts, " "))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return all
}

// AlterTables alters each table of a PostgreSQL database.
func AlterTables(t testing.TB, raw *sql.DB, change string) {
	t.Helper()
	tables := Lines(t, raw, "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema AND table_type = 'BASE TABLE'")
	if len(tables) < 20 {
		t.Fatal(tables)
	}
	for _, name := range tables {
		Must(raw.ExecContext(context.Background(), fmt.Sprintf("ALTER TABLE %s %s", name, change)))(t)
	}
}

// StoredBytes is the size of a database's tables without what was deleted or replaced.
func StoredBytes(t testing.TB, raw *sql.DB) (bytes int64) {
	t.Helper()
	const tables = "FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema::regnamespace AND pg_relation_size(oid) > 0"
	size, vacuum := "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()", "VACUUM"
	var filled string
	if err := raw.QueryRowContext(t.Context(), "SELECT string_agg(quote_ident(relname), ', ') "+tables).Scan(&filled); err == nil { // PostgreSQL
		size, vacuum = "SELECT CAST(SUM(pg_total_relation_size(oid)) AS BIGINT) "+tables, "VACUUM FULL "+filled
	}
	MustExec(t, raw, vacuum)
	NoError(t, raw.QueryRowContext(t.Context(), size).Scan(&bytes))
	return bytes
}
