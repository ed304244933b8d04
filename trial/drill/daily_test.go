package drill

import (
	"net/http"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"mcbk/trial"
)

// advised is how many players have a task completed and not claimed when its day ends: six times
// as many as are paid in one transaction.
const advised = 600

// closesADay is how long the job may take where other drills take the machine: how soon a program plays again is theirs to prove.
const closesADay = time.Minute

func TestKilledDayCloseJobPaysOnce(t *testing.T) {
	eachDatabase(t, func(s *scene) {
		program := s.start()
		s.askForAdvice(program.URL)
		terminate(s.t, program)
		// Else it is over before anybody looks; but no transaction may come near its time limit, however busy the machine.
		if !s.onFile() {
			s.slowly("AFTER UPDATE ON player_tasks", 0.01)
		} else {
			s.do(`PRAGMA query_only = OFF; CREATE TRIGGER take_a_while AFTER UPDATE ON player_tasks BEGIN
				SELECT COUNT(*) FROM (WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1500) SELECT n FROM c); END`)
		}

		s.setClock(s.ahead + 24*time.Hour)
		halfWay, kills := 0, 0
		for paid := s.claimed(); paid < advised; kills++ {
			next := s.start()
			s.until("some are paid", closesADay, func() bool { return s.claimed() > paid })
			next.Kill()
			if paid = s.claimed(); paid < advised {
				halfWay++
			}
		}
		if halfWay == 0 {
			s.t.Error("no kill came half-way: the drill shows nothing")
		}
		last := s.start()
		s.until("the day is closed", closesADay, func() bool {
			return s.count("SELECT COUNT(*) FROM job_runs WHERE job = 'close_tasks' AND period > $1", s.now()) == 1 // of tomorrow
		})
		terminate(s.t, last)
		if !s.onFile() {
			s.normally()
		} else {
			s.do("PRAGMA query_only = OFF; DROP TRIGGER take_a_while")
		}
		must(s.t, trial.Verify(s.t.Context(), *binary, s.settings))
		paid := s.count("SELECT COUNT(*) FROM postings WHERE reference LIKE 'task:%'")
		points := s.count("SELECT SUM(balance_game_points) FROM players")
		if paid != advised || points != 20*advised {
			s.t.Errorf("%d entries and %d points for %d tasks of 20", paid, points, advised)
		}
		s.t.Logf("killed %d times, %d of them half-way", kills, halfWay)
	})
}

// askForAdvice lets as many players as that complete the task of asking for advice.
func (s *scene) askForAdvice(url string) {
	s.t.Helper()
	const atOnce = 8
	var asking errgroup.Group
	for part := range atOnce {
		asking.Go(func() error {
			client := trial.NewClient(url)
			defer client.Close()
			for i := part; i < advised; i += atOnce {
				player := trial.NewPlayer(int64(8_000_000+i), s.now())
				if err := player.SignIn(client); err != nil {
					return err
				}
				answer, err := client.Do(player.Request("GET", "/api/prediction", ""))
				if err != nil {
					return err
				}
				if answer.Status != http.StatusOK {
					s.t.Errorf("advice: %d %s", answer.Status, answer.Body)
				}
			}
			return nil
		})
	}
	must(s.t, asking.Wait())
}

// claimed is how many tasks are claimed.
func (s *scene) claimed() int64 {
	s.t.Helper()
	return s.count("SELECT COUNT(*) FROM player_tasks WHERE state = 'claimed'")
}
