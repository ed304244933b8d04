package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"mcbk/trial"
)

// A daily player's day of `-days`, without ads.
const (
	batchesADay = 10 // of a hundred taps: the energy of the first level
	spinsADay   = 10
	tapsAtOnce  = 100
)

// measureRows plays some days and prints each table's rows per player and day, and bytes per row including indexes and dead rows.
func measureRows(days int) error {
	ctx := context.Background()
	db, err := newDatabase(ctx, *postgres)
	if err != nil {
		return err
	}
	defer db.drop()
	folder, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // temporary
	clock := filepath.Join(folder, "clock")
	if err := os.WriteFile(clock, []byte("0s"), 0o600); err != nil {
		return err
	}
	program, err := trial.Start(ctx, *binary, trial.Settings(db.address, "CLOCK_OFFSET_FILE="+clock))
	if err != nil {
		return err
	}
	defer program.Kill()
	now := time.Now().UTC()
	s := &stage{url: program.URL}
	if err := s.each(newPlayers(5_000_000, *players, now), (*actor).signIn); err != nil {
		return err
	}
	var played time.Duration
	noon := now.Truncate(24 * time.Hour).Add(36 * time.Hour) // the allowance of taps is full by then
	for day := range days {
		at := noon.Add(time.Duration(day) * 24 * time.Hour)
		if err := os.WriteFile(clock, []byte(time.Until(at).String()), 0o600); err != nil {
			return err
		}
		time.Sleep(2 * time.Second) // the program checks each second
		began := time.Now()
		if err := s.each(newPlayers(5_000_000, *players, at), (*actor).playDay); err != nil {
			return fmt.Errorf("day %d: %w", day+1, err)
		}
		played += time.Since(began)
	}
	if err := program.Term(30 * time.Second); err != nil {
		return err
	}
	fmt.Printf("%d players, %d days; %.0f players' days are played in a second\n", *players, days, float64(*players*days)/played.Seconds())
	return db.printRows(ctx, days)
}

// playDay plays a full day without ads and claims of prizes.
func (a *actor) playDay() error {
	for _, call := range []string{"GET /api/user/me", "POST /api/user/checkin", "GET /api/roulette/status", adviceCall, "POST /api/prediction/claim"} {
		if err := a.call(call); err != nil {
			return err
		}
	}
	for range batchesADay {
		if err := a.tap(tapsAtOnce); err != nil {
			return err
		}
	}
	for range spinsADay {
		if err := a.call(spinCall); err != nil {
			return err
		}
	}
	for {
		if err := a.call(tasksCall); err != nil {
			return err
		}
		if completed, err := completedTasks(a.answers[tasksCall]); err != nil || len(completed) == 0 {
			return err
		}
		if err := a.call("POST /api/tasks/claim"); err != nil {
			return err
		}
	}
}

func (db *database) printRows(ctx context.Context, days int) error {
	if err := execute(ctx, db.address, "VACUUM ANALYZE"); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, db.address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // read only
	tables, err := conn.Query(ctx, `SELECT c.relname, pg_relation_size(c.oid), pg_total_relation_size(c.oid), told.rows, COALESCE(told.width, 0)
		FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace,
			XMLTABLE('/table/row' PASSING query_to_xml('SELECT COUNT(*) AS n, AVG(pg_column_size(t))::bigint AS width FROM ' || c.oid::regclass || ' t', false, false, '')
				COLUMNS rows bigint PATH 'n', width bigint PATH 'width') told
		WHERE c.relkind = 'r' AND s.nspname = 'public' AND c.relname NOT LIKE 'peer_%' ORDER BY 3 DESC`)
	if err != nil {
		return err
	}
	defer tables.Close()
	var sum float64
	fmt.Print("| Table | Rows of a player and day | Bytes of a row | with its page | with indexes |\n|---|---|---|---|---|\n")
	for tables.Next() {
		var (
			name                    string
			heap, all, count, width int64
		)
		if err := tables.Scan(&name, &heap, &all, &count, &width); err != nil {
			return err
		}
		if count >= int64(*players) {
			fmt.Printf("| `%s` | %.2f | %d | %d | %d |\n", name, float64(count)/float64(*players*days), width, heap/count, all/count)
		}
		if name != "players" && name != "origins" { // one ever
			sum += float64(all)
		}
	}
	fmt.Printf("\nstored by a player's full day: %.1f kB\n", sum/float64(*players*days)/1000)
	return tables.Err()
}
