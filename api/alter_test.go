package api_test

import (
	"database/sql"
	"fmt"
	"testing"

	"mcbk/api"
	"mcbk/models/given"
)

// A later version migrates the database while this one serves: a column that it adds fails no call, and no statement is planned again
// in vain.
func TestColumnsAddedWhileServingFailNoCall(t *testing.T) {
	t.Parallel()
	address := given.Address(t, "postgres")
	raw := given.Raw(t, address)
	g := serve(t, given.OpenStore(t, address), func(o *api.Options) { o.Ads.Trusted = true })
	offered(t, g)
	calls := func() {
		for _, r := range g.routes(t) {
			for range 3 { // on several connections
				launch := g.arrives(given.TelegramID())
				q, ok := r.good(g, launch, given.Key(1))
				if !ok || r.operation == nil {
					continue
				}
				if a := g.send(q); a.status > 299 {
					t.Errorf("%s: %d %s", r.name, a.status, a.body)
				}
			}
		}
		if report, err := g.store.Verify(t.Context(), given.Season, g.clock.Now()); err != nil || len(report.Broken()) > 0 {
			t.Errorf("verify: %v, %v", report.Broken(), err)
		}
	}
	calls()
	t.Cleanup(func() { alterTables(t, raw, "DROP COLUMN added_later") })
	alterTables(t, raw, "ADD COLUMN added_later TEXT NOT NULL DEFAULT 'x'")
	calls()
}

// alterTables alters each table of a database.
func alterTables(t *testing.T, raw *sql.DB, change string) {
	t.Helper()
	rows, err := raw.Query("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema AND table_type = 'BASE TABLE'")
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, name)
	}
	if err := rows.Err(); err != nil || len(tables) < 20 {
		t.Fatal(tables, err)
	}
	for _, name := range tables {
		if _, err := raw.Exec(fmt.Sprintf("ALTER TABLE %s %s", name, change)); err != nil {
			t.Fatal(err)
		}
	}
}
