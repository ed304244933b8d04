package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
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
	var played time.Duration
	noon := now.Truncate(24 * time.Hour).Add(36 * time.Hour) // the allowance of taps is full by then
	for day := range days {
		at := noon.Add(time.Duration(day) * 24 * time.Hour)
		if day == 0 {
			if err := eachPlayer(program.URL, now, (*daily).signIn); err != nil {
				return err
			}
		}
		if err := os.WriteFile(clock, []byte(time.Until(at).String()), 0o600); err != nil {
			return err
		}
		time.Sleep(2 * time.Second) // the program checks each second
		began := time.Now()
		if err := eachPlayer(program.URL, at, (*daily).play); err != nil {
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

// daily is a player on a day.
type daily struct {
	trial.Player
	client *trial.Client
	url    string
	day    int
}

func eachPlayer(url string, at time.Time, do func(*daily) error) error {
	var next atomic.Int64
	_, err := inParallel(32, func(int) error {
		client := trial.NewClient(url)
		defer client.Close()
		for i := int(next.Add(1)) - 1; i < *players; i = int(next.Add(1)) - 1 {
			d := daily{trial.NewPlayer(int64(5_000_000+i), at), client, url, at.YearDay()}
			if err := do(&d); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

func (d *daily) signIn() error { return d.SignIn(d.client) }

func (d *daily) play() error {
	for _, r := range [][3]string{
		{"GET", "/api/user/me", ""}, {"POST", "/api/user/checkin", ""}, {"GET", "/api/roulette/status", ""},
	} {
		if _, err := d.call(r[0], r[1], r[2]); err != nil {
			return err
		}
	}
	advice, err := d.call("GET", "/api/prediction", "")
	if err != nil {
		return err
	}
	id, err := advice.Number("id")
	if err != nil {
		return err
	}
	if _, err := d.call("POST", "/api/prediction/claim", fmt.Sprintf(`{"prediction_id":%s}`, id)); err != nil {
		return err
	}
	for n := range batchesADay {
		tapped, err := d.client.Do(d.Tap(tapsAtOnce, fmt.Sprintf("01928c7e-5b1a-7000-8000-%04d%08d", d.day, n)))
		if err != nil || tapped.Status != http.StatusOK {
			return fmt.Errorf("a batch is answered %d: %s, %w", tapped.Status, tapped.Body, err)
		}
	}
	for range spinsADay {
		if _, err := d.call("POST", "/api/roulette/spin", `{"is_golden_spin_requested":false}`); err != nil {
			return err
		}
	}
	return d.claim()
}

// claim claims completed tasks, whose list exceeds trial.Client's limit.
func (d *daily) claim() error {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, d.url+"/api/tasks", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "tma "+d.Launch)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // read only
	var all struct {
		Tasks []struct {
			ID     int64  `json:"id"`
			Status string `json:"status"`
		} `json:"tasks"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&all); err != nil || len(all.Tasks) == 0 {
		return fmt.Errorf("the tasks are answered %d: %w", answer.StatusCode, err)
	}
	for _, task := range all.Tasks {
		if task.Status != "completed" {
			continue
		}
		if _, err := d.call("POST", "/api/tasks/claim", fmt.Sprintf(`{"user_task_id":%d}`, task.ID)); err != nil {
			return err
		}
	}
	return nil
}

var keys atomic.Int64

// call makes a call with an Idempotency-Key, as the web app does.
func (d *daily) call(method, path, body string) (trial.Answer, error) {
	answer, err := d.client.Do(d.Request(method, path, body, "Idempotency-Key", fmt.Sprintf("01928c7e-5b1a-7000-9000-%012d", keys.Add(1))))
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("%s is answered %d: %s", path, answer.Status, answer.Body)
	}
	return answer, err
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
	}
	return tables.Err()
}
