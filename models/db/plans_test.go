package db_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"mcbk/models/db"
	"mcbk/models/modelstest"
)

// A plan that was made while a table was empty reads all of it later, and nothing tells PostgreSQL to make another.
func TestConnectionDropsPlansEachMinute(t *testing.T) {
	t.Parallel()
	settings := modelstest.Must(pgx.ParseConfig(modelstest.Address(t, "postgres")))(t)
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
	modelstest.Equal(t, plan(t, pool), empty, "within the minute the plan became")
	now = now.Add(time.Second)
	if later := plan(t, pool); later == empty {
		t.Errorf("after a minute the plan is still %q", later)
	}
}

func plan(t *testing.T, pool *sql.DB) (first string) {
	t.Helper()
	modelstest.NoError(t, pool.QueryRowContext(t.Context(), "EXPLAIN EXECUTE find").Scan(&first))
	return first
}
