package store_test

import (
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// eachAddress runs a test on both databases with a store and a second, plain connection beside
// it: what someone with the database's own tools could do.
func eachAddress(t *testing.T, test func(t *testing.T, store *store.Store, raw *sql.DB)) {
	t.Helper()
	t.Parallel()
	for _, name := range modelstest.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := modelstest.Address(t, name)
			raw := modelstest.Raw(t, address)
			test(t, modelstest.OpenStore(t, address), raw)
		})
	}
}

func isPostgres(t *testing.T) bool { return strings.HasSuffix(t.Name(), "/postgres") }

// do runs a statement that must change rows.
func do(t *testing.T, raw *sql.DB, statement string) {
	t.Helper()
	if _, err := raw.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// count asks for one number.
func count(t *testing.T, raw *sql.DB, query string) (n int) {
	t.Helper()
	if err := raw.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// untilLocked waits until a transaction waits for another's lock, or ended is told something.
func untilLocked[T any](t *testing.T, raw *sql.DB, ended <-chan T) {
	t.Helper()
	untilSoManyLocked(t, raw, 1, ended)
}

// untilSoManyLocked waits until so many transactions wait for another's lock, or ended is told something.
func untilSoManyLocked[T any](t *testing.T, raw *sql.DB, many int, ended <-chan T) {
	t.Helper()
	for range 2_000 {
		if len(ended) > 0 || count(t, raw, "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") >= many {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("fewer than %d wait for a lock", many)
}

// patiently asks as the app does, again after each "try again" for as long as a busy machine may need: where many want
// one row, a slow disk lets some wait longer than a lock does. What else is answered is what the test is about.
func patiently[T any](ask func() (T, error)) (answer T, err error) {
	for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if answer, err = ask(); !errors.Is(err, db.ErrUnavailable) || time.Now().After(until) {
			return answer, err
		}
	}
}

// allAtOnce runs n copies of fn and waits for all.
func allAtOnce(n int, fn func(i int)) {
	var all sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-gate
			fn(i)
		})
	}
	close(gate)
	all.Wait()
}

// deadlocks are those on PostgreSQL so far, also of tests that were lent the database before.
func deadlocks(t *testing.T, raw *sql.DB) int {
	t.Helper()
	return count(t, raw, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
}
