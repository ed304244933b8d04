package modelstest

import (
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// manyRows fill tables with tens of thousands of rows, as a long season does.
var manyRows = map[string]string{
	"player_tasks": `INSERT INTO player_tasks (player_id, task_id, day, state, progress, evidence, opened_at, completed_at, claimed_at)
		SELECT n % 5000 + 1, n / 5000 + 1, n / 15000, CASE WHEN n < 75000 THEN 'claimed' WHEN n % 3 = 0 THEN 'completed' ELSE 'active' END, 0, '', '2026-03-01',
			CASE WHEN n < 75000 OR n % 3 = 0 THEN '2026-03-01'::timestamptz END, CASE WHEN n < 75000 THEN '2026-03-01'::timestamptz END FROM generate_series(0, 89999) AS n`,
	"broadcasts": `INSERT INTO broadcasts (author_id, text, source_chat_id, source_message_id, state, cursor, audience, queued, drafted_at, started_at)
		VALUES (1, 'Hello', 0, 0, 'fanning', 0, 0, 0, '2026-03-01', '2026-03-01')`,
	"outbox": `INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, last_error, broadcast_id)
		SELECT n, n, 'broadcast', '{}', 2, 'queued', CASE WHEN n > 1000 THEN 1 ELSE 0 END, '2026-03-01'::timestamptz + CASE WHEN n > 1000 THEN n ELSE 0 END * interval '1 second',
			'2026-03-01', '', 1 FROM generate_series(1, 30000) AS n`,
	"admin_actions": `INSERT INTO admin_actions (admin_id, chat_id, action, args, state, asked_at, expires_at, decided_at, outcome)
		SELECT n, n, 'match', '[]', 'refused', at, at, at, 'not an admin' FROM (SELECT n, '2026-03-01'::timestamptz + n * interval '1 second' AS at FROM generate_series(1, 30000) AS n) refused`,
	"postings": `INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
		SELECT n % 1000 + 1, 'tap:' || n, 0, 'house:taps', 'game', 'MCBK', 1, '', '2026-03-01'::timestamptz + n * interval '1 second' FROM generate_series(1, 100000) AS n`,
	"payables": `INSERT INTO payables (player_id, tournament_id, amount, state, address, due_at, settled_at, settled_lt, settled_line)
		SELECT n, 1, 1, 'settled', '0:1', '2026-03-02', '2026-03-03', n, 0 FROM generate_series(1, 100) AS n`,
}

// Plans explains statements on both databases, where tables have many rows.
type Plans struct{ postgres, sqlite *sql.DB }

// NewPlans fills tables of a PostgreSQL database past its triggers.
func NewPlans(t *testing.T, tables ...string) Plans {
	t.Helper()
	settings := Must(pgx.ParseConfig(Address(t, "postgres")))(t)
	settings.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // EXPLAIN takes no parameters
	pool := stdlib.OpenDB(*settings)
	t.Cleanup(func() { _ = pool.Close() })
	pool.SetMaxOpenConns(1)
	MustExec(t, pool, "SET session_replication_role = replica")
	for _, table := range tables {
		MustExec(t, pool, manyRows[table])
	}
	MustExec(t, pool, "ANALYZE "+strings.Join(tables, ", "))
	return Plans{pool, Raw(t, Address(t, "sqlite"))}
}

// WantIndex checks that both databases find a statement's rows by an index, and neither read all rows of a table nor sort.
func (p Plans) WantIndex(t *testing.T, index, statement string, values ...any) {
	t.Helper()
	MustExec(t, p.postgres, "SET enable_sort = off; SET enable_hashagg = off") // a few rows are sorted for less; many must not have to be
	for database, plan := range map[string]string{
		"postgres": p.Postgres(t, statement, values...), "sqlite": explain(t, p.sqlite, "EXPLAIN QUERY PLAN ", statement, values),
	} {
		sorts := strings.Contains(plan, "TEMP B-TREE") && index != "player_tasks_permanent" // there only the tasks are, which are few
		if sorts || !strings.Contains(plan, index) || regexp.MustCompile(`Sort  \(|HashAggregate|SCAN (u|player_tasks|admin_actions$)`).MatchString(plan) {
			t.Errorf("not found by %s on %s:\n%s\n%s", index, database, statement, plan)
		}
	}
}

// Postgres is PostgreSQL's plan of a statement with question marks.
func (p Plans) Postgres(t *testing.T, statement string, values ...any) string {
	t.Helper()
	return explain(t, p.postgres, "EXPLAIN ", statement, values)
}

func explain(t *testing.T, pool *sql.DB, how, statement string, values []any) string {
	t.Helper()
	for i := range values {
		statement = strings.Replace(statement, "?", fmt.Sprint("$", i+1), 1)
	}
	return strings.Join(Lines(t, pool, how+statement, values...), "\n")
}
