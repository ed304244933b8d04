package drill

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"mcbk/trial"
)

// boardsAgree is how old a board may be. (decision 0038: ranks)
const boardsAgree = 60 * time.Second

// TestThreeProcessesShowTheSameBoards breaks the leader and Redis under load, and then compares what each process shows with what the database says.
func TestThreeProcessesShowTheSameBoards(t *testing.T) {
	t.Parallel()
	for name, shared := range map[string]bool{"with Redis": true, "without Redis": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, postgres(t))
			faults := []func(f *fleet){(*fleet).killLeader, (*fleet).freezeLeader}
			f := &fleet{scene: s}
			if shared {
				redis, err := trial.NewRedis(t.Context())
				must(t, err)
				t.Cleanup(redis.Stop)
				s.settings = append(s.settings, "REDIS_URL="+redis.Address)
				faults = append(faults,
					func(f *fleet) { must(f.t, redis.Flush(f.t.Context())) },
					func(f *fleet) {
						redis.Stop()
						f.wait(2 * time.Second)
						must(f.t, redis.Start(f.t.Context()))
					})
			}
			for len(f.programs) < 3 {
				f.programs = append(f.programs, s.start())
			}
			s.arrive(f.programs[0].URL)
			s.endpoints.Set(f.urls()...)
			s.during(func() {
				for range size().leaders {
					for _, fault := range faults {
						s.wait(2 * time.Second)
						fault(f)
					}
				}
				s.wait(2 * time.Second)
			})
			f.agree()
			for _, program := range f.programs {
				terminate(t, program)
			}
			s.prove()
		})
	}
}

// fleet is processes on one PostgreSQL.
type fleet struct {
	*scene
	programs []*trial.Program
}

func (f *fleet) urls(without ...*trial.Program) (urls []string) {
	for _, program := range f.programs {
		if !slices.Contains(without, program) {
			urls = append(urls, program.URL)
		}
	}
	return urls
}

// leader is the place of the process that leads, once there is one.
func (f *fleet) leader() (leader int) {
	f.t.Helper()
	f.until("somebody leads", followsFreeze, func() bool {
		leader = slices.IndexFunc(f.programs, func(program *trial.Program) bool {
			leads, err := program.Metric(f.t.Context(), "mcbk_leader")
			return err == nil && leads == 1
		})
		return leader >= 0
	})
	return leader
}

func (f *fleet) killLeader() {
	f.t.Helper()
	i := f.leader()
	f.endpoints.Set(f.urls(f.programs[i])...)
	f.programs[i].Kill()
	f.programs[i] = f.start()
	f.endpoints.Set(f.urls()...)
}

func (f *fleet) freezeLeader() {
	f.t.Helper()
	frozen := f.programs[f.leader()]
	f.endpoints.Set(f.urls(frozen)...)
	must(f.t, frozen.Freeze())
	time.Sleep(size().frozen) // the fault itself
	must(f.t, frozen.Thaw())
	f.recovered(frozen.URL, recovers)
	f.endpoints.Set(f.urls()...)
}

// agree waits until each process shows each board as the database would sort it.
func (f *fleet) agree() {
	f.t.Helper()
	raw, err := f.db.Open()
	must(f.t, err)
	defer raw.Close() //nolint:errcheck // read only
	began := time.Now()
	for kind, column := range map[string]string{"coins": "balance_game", "points": "balance_game_points", "purchased_coins": "balance_purchased"} {
		want := best(f.t, raw, column)
		if len(want) < min(size().people, 100) {
			f.t.Fatalf("only %d players are there", len(want))
		}
		for _, url := range f.urls() {
			f.until("the board of "+kind+" is right at "+url, boardsAgree, func() bool { return slices.Equal(f.board(url, kind), want) })
		}
	}
	f.t.Logf("%d processes agree with the database after %s", len(f.programs), time.Since(began).Round(time.Millisecond))
}

// best are the Telegram ids of those who have most in a column.
func best(t *testing.T, raw *sql.DB, column string) (ids []int64) {
	t.Helper()
	rows, err := raw.QueryContext(t.Context(), "SELECT telegram_id FROM players ORDER BY "+column+" DESC, id LIMIT 100") //nolint:gosec // ours
	must(t, err)
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	for rows.Next() {
		var id int64
		must(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	must(t, rows.Err())
	return ids
}

// board is who a process shows as the best hundred.
func (f *fleet) board(url, kind string) (ids []int64) {
	f.t.Helper()
	client := trial.NewClient(url)
	defer client.Close()
	answer, err := client.Do(trial.NewPlayer(7_000_000, f.now()).Request("GET", "/api/leaderboard?type="+kind, ""))
	if err == nil && answer.Status == http.StatusServiceUnavailable {
		return nil // for now
	}
	if err != nil || answer.Status != http.StatusOK {
		f.t.Fatalf("the board of %s: %d %s %v", kind, answer.Status, answer.Body, err)
	}
	var board struct {
		Leaderboard []struct {
			TelegramID int64 `json:"telegram_id"`
		} `json:"leaderboard"`
	}
	must(f.t, json.Unmarshal(answer.Body, &board))
	for _, row := range board.Leaderboard {
		ids = append(ids, row.TelegramID)
	}
	return ids
}
