package store_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"mcbk/models/admin"
	"mcbk/models/audit"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/tasks"
	"mcbk/models/treasury"
	"mcbk/models/wallet"
)

// A plan that was made while a table was empty reads all of it later, and nothing tells PostgreSQL to make another.
func TestAConnectionForgetsItsPlansEachMinute(t *testing.T) {
	t.Parallel()
	settings, err := pgx.ParseConfig(modelstest.Address(t, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	now := modelstest.Noon
	pool := stdlib.OpenDB(*settings, stdlib.OptionResetSession(db.FreshPlans(func() time.Time { return now })))
	defer pool.Close() //nolint:errcheck // the test is over
	pool.SetMaxOpenConns(1)
	modelstest.MustExec(t, pool, "SET plan_cache_mode = force_generic_plan")
	modelstest.MustExec(t, pool, "CREATE TEMP TABLE things (id BIGINT)")
	modelstest.MustExec(t, pool, "PREPARE find AS SELECT id FROM things")
	empty := plan(t, pool)
	modelstest.MustExec(t, pool, "INSERT INTO things SELECT generate_series(1, 100000)")
	now = now.Add(59 * time.Second)
	if later := plan(t, pool); later != empty {
		t.Errorf("within the minute the plan %q became %q", empty, later)
	}
	now = now.Add(time.Second)
	if later := plan(t, pool); later == empty {
		t.Errorf("after a minute the plan is still %q", later)
	}
}

func plan(t *testing.T, pool *sql.DB) (first string) {
	t.Helper()
	if err := pool.QueryRowContext(t.Context(), "EXPLAIN EXECUTE find").Scan(&first); err != nil {
		t.Fatal(err)
	}
	return first
}

// What jobs look for among all that there ever was they find by an index that leads there, however long the season is.
func TestJobsDoNotReadAllThereEverWas(t *testing.T) {
	t.Parallel()
	pool := unwatched(t)
	modelstest.MustExec(t, pool, `INSERT INTO player_tasks (player_id, task_id, day, state, progress, evidence, opened_at, completed_at, claimed_at)
		SELECT n % 5000 + 1, n / 5000 + 1, n / 15000, CASE WHEN n < 75000 THEN 'claimed' WHEN n % 3 = 0 THEN 'completed' ELSE 'active' END, 0, '', '2026-03-01',
			CASE WHEN n < 75000 OR n % 3 = 0 THEN '2026-03-01'::timestamptz END, CASE WHEN n < 75000 THEN '2026-03-01'::timestamptz END FROM generate_series(0, 89999) AS n`)
	modelstest.MustExec(t, pool, `INSERT INTO broadcasts (author_id, text, source_chat_id, source_message_id, state, cursor, audience, queued, drafted_at, started_at)
		VALUES (1, 'Hello', 0, 0, 'fanning', 0, 0, 0, '2026-03-01', '2026-03-01')`)
	modelstest.MustExec(t, pool, `INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, last_error, broadcast_id)
		SELECT n, n, 'broadcast', '{}', 2, 'queued', CASE WHEN n > 1000 THEN 1 ELSE 0 END, '2026-03-01'::timestamptz + CASE WHEN n > 1000 THEN n ELSE 0 END * interval '1 second',
			'2026-03-01', '', 1 FROM generate_series(1, 30000) AS n`)
	modelstest.MustExec(t, pool, `INSERT INTO admin_actions (admin_id, chat_id, action, args, state, asked_at, expires_at, decided_at, outcome)
		SELECT n, n, 'match', '[]', 'refused', at, at, at, 'not an admin' FROM (SELECT n, '2026-03-01'::timestamptz + n * interval '1 second' AS at FROM generate_series(1, 30000) AS n) refused`)
	modelstest.MustExec(t, pool, "ANALYZE player_tasks, outbox, broadcasts, admin_actions")
	modelstest.MustExec(t, pool, "SET enable_sort = off; SET enable_hashagg = off") // a few rows are sorted for less; many must not have to be
	file := modelstest.Address(t, "sqlite")
	modelstest.OpenStore(t, file)
	page, values := store.DueOf(5)
	end := time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, statement string
		values          []any
		by              string
	}{
		{"days to pay", tasks.DueDay, []any{-1, 6}, "player_tasks_open"},
		{"tasks to pay", page, append(values, 100, 100), "player_tasks_open"},
		{"permanent tasks to pay", store.Permanent(), []any{100, 100}, "player_tasks_open"},
		{"tasks left open", audit.StaleTasks, []any{"active", 5, end, end, 20}, "player_tasks_open"},
		{"what waits of a broadcast, of which most has failed", outbox.UntriedMessages, []any{1, 10_000}, "outbox_untried"},
		{"what an admin settled today", treasury.ActionsSince, []any{"match", 1, end}, "admin_actions_executed"},
		{"how a setting was changed", treasury.ActionsWith, []any{"settings", "[%"}, "admin_actions_executed"},
		{"the audit, beside what was refused", admin.NewestQuestions, []any{20}, "admin_actions_questions"},
		{"what was refused lately", admin.RefusedSince, []any{end}, "admin_actions_refused_at"},
		{"who has done permanent tasks", tasks.PermanentTasks, nil, "player_tasks_permanent"},
	} {
		for database, plan := range map[string]string{
			"postgres": explained(t, pool, "EXPLAIN ", c.statement, c.values),
			"sqlite":   explained(t, modelstest.Raw(t, file), "EXPLAIN QUERY PLAN ", c.statement, c.values),
		} {
			sorts := strings.Contains(plan, "TEMP B-TREE") && c.by != "player_tasks_permanent" // there only the tasks are, which are few
			if sorts || !strings.Contains(plan, c.by) || regexp.MustCompile(`Sort  \(|HashAggregate|SCAN (u|player_tasks|admin_actions$)`).MatchString(plan) {
				t.Errorf("%s on %s:\n%s", c.name, database, plan)
			}
		}
	}
}

// Whoever has not played for long has only old postings, which are far from the newest.
func TestAPlayersPostingsAreFoundWithoutThoseOfOthers(t *testing.T) {
	t.Parallel()
	pool := unwatched(t)
	modelstest.MustExec(t, pool, `INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
		SELECT n % 1000 + 1, 'tap:' || n, 0, 'house:taps', 'game', 'MCBK', 1, '', '2026-03-01'::timestamptz + n * interval '1 second' FROM generate_series(1, 100000) AS n`)
	modelstest.MustExec(t, pool, `INSERT INTO payables (player_id, tournament_id, amount, state, address, due_at, settled_at, settled_lt, settled_line)
		SELECT n, 1, 1, 'settled', '0:1', '2026-03-02', '2026-03-03', n, 0 FROM generate_series(1, 100) AS n`)
	modelstest.MustExec(t, pool, "ANALYZE postings, payables")
	for name, c := range map[string]struct {
		statement string
		values    []any
	}{
		"the newest, for an admin":              {players.NewestPostings, []any{7, 5}},
		"those before a prize, for the history": {"SELECT 1, CAST(1 AS BIGINT), '', CAST(1 AS BIGINT)" + wallet.SettledPrizes, []any{7}},
	} {
		if plan := explained(t, pool, "EXPLAIN ", c.statement, c.values); !strings.Contains(plan, "postings_player_id_reference_line_key") {
			t.Errorf("%s:\n%s", name, plan)
		}
	}
}

// unwatched is one connection to a database in which a test may write rows of nobody, that no trigger looks at, and explain statements.
func unwatched(t *testing.T) *sql.DB {
	t.Helper()
	address := modelstest.Address(t, "postgres")
	modelstest.OpenStore(t, address)
	settings, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	settings.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // EXPLAIN takes no parameters
	pool := stdlib.OpenDB(*settings)
	t.Cleanup(func() { _ = pool.Close() })
	pool.SetMaxOpenConns(1)
	modelstest.MustExec(t, pool, "SET session_replication_role = replica")
	return pool
}

// explained is the plan of a statement with these values in place of its question marks.
func explained(t *testing.T, pool *sql.DB, how, statement string, values []any) string {
	t.Helper()
	for i := range values {
		statement = strings.Replace(statement, "?", fmt.Sprint("$", i+1), 1)
	}
	rows, err := pool.QueryContext(t.Context(), how+statement, values...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // read to the end
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	line := make([]any, len(columns)) // the last is in words
	for i := range line {
		line[i] = new(string)
	}
	var lines []string
	for rows.Next() {
		if err := rows.Scan(line...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, *line[len(line)-1].(*string)) //nolint:forcetypeassert // made above
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
