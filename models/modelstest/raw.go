package modelstest

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/store"
)

// EachDatabaseRaw runs a test on both databases with a store and a second, plain connection beside
// it: what someone with the database's own tools could do.
func EachDatabaseRaw(t *testing.T, test func(t *testing.T, store *store.Store, raw *sql.DB)) {
	t.Helper()
	Each(t, func(t *testing.T, database string) {
		address := Address(t, database)
		raw := Raw(t, address)
		test(t, OpenStore(t, address), raw)
	})
}

// EachDatabaseProcesses is EachDatabaseRaw with the stores of two processes on PostgreSQL; SQLite serves one.
func EachDatabaseProcesses(t *testing.T, test func(t *testing.T, stores []*store.Store, raw *sql.DB)) {
	t.Helper()
	Each(t, func(t *testing.T, database string) {
		address := Address(t, database)
		raw, stores := Raw(t, address), []*store.Store{OpenStore(t, address)}
		if database == "postgres" {
			stores = append(stores, OpenStore(t, address))
		}
		test(t, stores, raw)
	})
}

// IsPostgres reports whether a test of EachDatabase runs on PostgreSQL.
func IsPostgres(t *testing.T) bool { return strings.HasSuffix(t.Name(), "/postgres") }

// MustExec runs a statement, or ends the test with its error.
func MustExec(t testing.TB, raw *sql.DB, statement string) {
	t.Helper()
	if _, err := raw.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// Count asks for one number.
func Count(t *testing.T, raw *sql.DB, query string) (n int) {
	t.Helper()
	if err := raw.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// AwaitLock waits until a transaction waits for a lock, or ended receives something.
func AwaitLock[T any](t *testing.T, raw *sql.DB, ended <-chan T) {
	t.Helper()
	AwaitLocks(t, raw, 1, ended)
}

// AwaitLocks waits until so many transactions wait for a lock, or ended receives something.
func AwaitLocks[T any](t *testing.T, raw *sql.DB, many int, ended <-chan T) {
	t.Helper()
	for range 2_000 {
		if len(ended) > 0 || Count(t, raw, "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") >= many {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("fewer than %d wait for a lock", many)
}

// Retry asks as the app does, again after each "try again" for as long as a busy machine may need: where many want
// one row, a slow disk lets some wait longer than a lock does. What else is answered is what the test is about.
func Retry[T any](ask func() (T, error)) (answer T, err error) {
	for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if answer, err = ask(); !errors.Is(err, db.ErrUnavailable) || time.Now().After(until) {
			return answer, err
		}
	}
}

// Concurrently runs n copies of fn and waits for all.
func Concurrently(n int, fn func(i int)) {
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

// Deadlocks are those on PostgreSQL so far, also of tests that were lent the database before.
func Deadlocks(t *testing.T, raw *sql.DB) int {
	t.Helper()
	return Count(t, raw, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
}

// ManyPlayers adds so many players who never did anything, and returns the first of them.
func ManyPlayers(t *testing.T, store *store.Store, raw *sql.DB, many int) (first models.PlayerID) {
	t.Helper()
	first = Player(t, store, Unconsented()).ID
	columns := "first_name, username, photo_url, is_premium, language, notifications, consent_version, created_at, " +
		"balance_game, balance_referral, balance_purchased, balance_game_points, balance_referral_points, balance_mine, balance_spins, " +
		"balance_ad_spins, bag_spins, bag_day, bag_taps_today, bag_energy_spent, bag_allowance_milli, bag_allowance_at"
	MustExec(t, raw, fmt.Sprintf(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < %d)
		INSERT INTO players (telegram_id, referral_code, %s) SELECT 5000000 + n, 'code-' || n, %s FROM players, numbers
		WHERE players.id = %d ORDER BY n`, many-1, columns, columns, first))
	return first
}
