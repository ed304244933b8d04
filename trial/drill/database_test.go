package drill

import (
	"os"
	"testing"
	"time"

	"mcbk/trial"
)

func TestTerminatedConnectionsAreReplaced(t *testing.T) {
	t.Parallel()
	s := newScene(t, postgres(t))
	db, err := s.db.Open()
	must(t, err)
	defer db.Close() //nolint:errcheck // a test's own
	program := s.start()
	s.arrive(program.URL)
	var slowest time.Duration
	ended := 0
	s.during(func() {
		for range size().cuts {
			s.wait(500 * time.Millisecond)
			n := 0
			must(t, db.QueryRowContext(t.Context(), `SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE datname = current_database() AND application_name LIKE 'mcbk%'`).Scan(&n))
			ended += n
			slowest = max(slowest, s.recovered(program.URL, recovers))
		}
		s.playOn()
	})
	t.Logf("%d connections ended, recovered within %s", ended, slowest.Round(time.Millisecond))
	s.crowd.Leave()
	terminate(t, program)
	s.allAnswered()
	s.prove()
}

func TestProgramWaitsForRestartingDatabase(t *testing.T) {
	t.Parallel()
	folder, err := os.MkdirTemp("", "drill-postgres")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	own := server(t, folder, "")
	db, err := trial.NewPostgres(t.Context(), own.Address)
	must(t, err)
	s := newScene(t, db)
	program := s.start()
	s.arrive(program.URL)
	var slowest time.Duration
	crashes := 0
	s.during(func() {
		for turn := range size().restarts {
			s.wait(2 * time.Second)
			crash := turn%2 == 0
			if crash {
				crashes++
			}
			own.Stop(crash)
			s.wait(time.Second)
			must(t, own.Start(t.Context()))
			slowest = max(slowest, s.recovered(program.URL, recovers))
		}
		s.playOn()
	})
	t.Logf("%d restarts, %d of them crashes, recovered within %s", size().restarts, crashes, slowest.Round(time.Millisecond))
	s.crowd.Leave()
	terminate(t, program)
	if s.crowd.Seen.Answers("503") == 0 {
		t.Error("nobody noticed that the database was gone: the drill shows nothing")
	}
	s.allAnswered()
	s.prove()
}
