package drill

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcbk/jobs"
	"mcbk/trial"
)

// Time limits of a change of leader (decision 0023: leader).
const (
	followsKill   = 5 * time.Second  // the server sees the connection end
	followsFreeze = 15 * time.Second // it closes a silent one after six seconds
	noticesThaw   = 5 * time.Second
	jobsDone      = 30 * time.Second // checked every five seconds
	alarmTold     = 30 * time.Second // evaluated every fifteen
)

// crew is two processes on one PostgreSQL, with a stepped clock.
type crew struct {
	*scene
	offset   time.Duration // of their clock
	programs [2]*trial.Program
}

func newCrew(t *testing.T) *crew {
	t.Helper()
	c := &crew{scene: newScene(t, postgres(t))}
	c.offset = c.ahead
	telegram := trial.NewBotAPI(trial.Faults{}, *seed)
	t.Cleanup(telegram.Close)
	c.settings = append(c.settings, "ADMIN_IDS=11,12", "TELEGRAM_API_URL="+telegram.URL)
	for i := range c.programs {
		c.programs[i] = c.start()
	}
	return c
}

func (c *crew) advance(by time.Duration) {
	c.t.Helper()
	c.offset += by
	c.setClock(c.offset)
}

func (c *crew) leads(i int) bool {
	c.t.Helper()
	leads, err := c.programs[i].Metric(c.t.Context(), "mcbk_leader")
	must(c.t, err)
	return leads == 1
}

// leader is the leading process, once there is one; two are an error.
func (c *crew) leader() (leader int) {
	c.t.Helper()
	c.until("somebody leads", followsKill, func() bool {
		one, other := c.leads(0), c.leads(1)
		if one && other {
			c.t.Fatal("two lead")
		}
		leader = 0
		if other {
			leader = 1
		}
		return one || other
	})
	return leader
}

// follows waits until a process leads and has done every current job.
func (c *crew) follows(i int, within time.Duration) {
	c.t.Helper()
	began := time.Now()
	c.until("the other leads", within, func() bool { return c.leads(i) })
	c.t.Logf("the other leads after %s", time.Since(began).Round(10*time.Millisecond))
	c.done()
}

// done waits until the current hour's and day's jobs are done, each once.
func (c *crew) done() {
	c.t.Helper()
	c.until("every job is done", jobsDone, func() bool {
		now := c.at() // an hour may begin meanwhile
		var due []string
		for _, d := range jobs.Schedule() {
			if period := map[time.Duration]string{time.Hour: "hour", 24 * time.Hour: "day"}[d.Every]; period != "" {
				due = append(due, fmt.Sprintf("SELECT job FROM job_runs WHERE job = '%s' AND period = date_trunc('%s', %s - interval '%d seconds', 'UTC')",
					d.Job, period, now, int(d.At.Seconds())))
			}
		}
		return c.count("SELECT COUNT(*) FROM ("+strings.Join(due, " UNION ALL ")+") done") == int64(len(due))
	})
}

// at is the processes' time, as SQL.
func (c *crew) at() string {
	return "timestamptz '" + time.Now().Add(c.offset).UTC().Format("2006-01-02 15:04:05-07") + "'"
}

const (
	oldAnswers = 20_000 // deleted a thousand at a time, each slowed down
	oldRuns    = 7
)

// work creates work for each job, and an alarm.
func (c *crew) work() {
	c.t.Helper()
	client := trial.NewClient(c.programs[c.leader()].URL)
	defer client.Close()
	player := trial.NewPlayer(7_000_001, c.now())
	must(c.t, player.SignIn(client))
	answer, err := client.Do(player.Tap(1, "leader-0001"))
	if err != nil || answer.Status != 200 {
		c.t.Fatalf("a tap: %d, %v", answer.Status, err)
	}
	c.do(`CREATE FUNCTION take_a_while() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END';
		CREATE TRIGGER slowly AFTER DELETE ON idempotency_keys FOR EACH STATEMENT EXECUTE FUNCTION take_a_while()`)
	c.do(fmt.Sprintf(`INSERT INTO job_runs (job, period, done_at, rows)
		SELECT 'retired', now() - interval '200 days' + n * interval '1 hour', now(), 0 FROM generate_series(0, %d) n`, oldRuns))
	c.do(fmt.Sprintf(`INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, finished_at, last_error)
		SELECT 'dead', 1, 'bulk', '{}', 2, 'dead', 8, now, now, now, 'timeout' FROM (SELECT now() + interval '%d seconds' AS now) by_their_clock`,
		int(c.offset.Seconds())))
}

func (c *crew) answers(prefix string) int64 {
	c.t.Helper()
	return c.count("SELECT COUNT(*) FROM idempotency_keys WHERE key LIKE '" + prefix + "-%'")
}

// alarmsTold counts the messages of one alarm: a busy machine may raise others.
const alarmsTold = "SELECT COUNT(*) FROM outbox WHERE kind = 'alarm' AND key LIKE 'alarm:outbox_dead:%'"

// After any fault of a leader another one does its work once: stored responses and old runs deleted, the ledger sealed, an alarm sent to
// two admins.
func TestReplacedLeadersJobsRunOnce(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	c.work()
	c.done()
	c.until("the alarm is told", alarmTold, func() bool { return c.count(alarmsTold) == 2 })
	for round := range size().leaders {
		c.killLeader()
		c.freezeLeader(round)
		c.endLeader()
	}
	c.until("the end of the alarm is told", alarmTold, func() bool { return c.count(alarmsTold) == 4 })
	for _, program := range c.programs {
		terminate(t, program)
	}
	for what, is := range map[string]struct {
		query string
		want  int64
	}{ // a leader that is cut off may not have reported its work
		"alarms":                  {"SELECT COUNT(*) FROM alarms WHERE name = 'outbox_dead'", 1},
		"alarms that ended":       {"SELECT COUNT(*) FROM alarms WHERE name = 'outbox_dead' AND cleared_at IS NOT NULL", 1},
		"messages of alarms":      {alarmsTold, 4},
		"old runs that are left":  {"SELECT COUNT(*) FROM job_runs WHERE job = 'retired'", 1},
		"old runs told too often": {"SELECT COUNT(*) FROM (SELECT SUM(rows) AS told FROM job_runs WHERE job = 'forget_runs') r WHERE told > " + strconv.Itoa(oldRuns), 0},
		"sealed postings":         {"SELECT SUM(postings) FROM ledger_checkpoints", 3}, // a tap and a day's spins
		"postings told twice":     {"SELECT COUNT(*) FROM (SELECT SUM(rows) AS told FROM job_runs WHERE job = 'seal_ledger') r WHERE told > 3", 0},
	} {
		if n := c.count(is.query); n != is.want {
			t.Errorf("%d %s, want %d", n, what, is.want)
		}
	}
	c.normally()
	must(t, trial.Verify(t.Context(), *binary, c.settings))
}

// killLeader is kill -9 just before an hour's work is due.
func (c *crew) killLeader() {
	c.t.Helper()
	leader := c.leader()
	c.advance(time.Hour)
	c.programs[leader].Kill()
	c.follows(1-leader, followsKill)
	c.programs[leader] = c.start()
}

// endLeader is SIGTERM, as in an update.
func (c *crew) endLeader() {
	c.t.Helper()
	leader := c.leader()
	c.advance(time.Hour)
	terminate(c.t, c.programs[leader])
	c.follows(1-leader, followsKill)
	c.programs[leader] = c.start()
}

// freezeLeader suspends the leader during a day's work, which another one then does, and resumes it.
func (c *crew) freezeLeader(round int) {
	c.t.Helper()
	leader := c.leader()
	c.do(fmt.Sprintf(`INSERT INTO idempotency_keys (player_id, key, operation, body_hash, status, answer, created_at)
		SELECT p.id, kind || '-' || n, 'drill', '', 200, '', now() + age
		FROM players p, generate_series(1, %d) n, (VALUES ('old-%[2]d', interval '-%d hours'), ('fresh-%[2]d', interval '%[3]d hours')) v (kind, age)`,
		oldAnswers, round, 8*24))
	c.advance(24 * time.Hour)
	old := fmt.Sprintf("old-%d", round)
	c.until("answers are being deleted", jobsDone, func() bool { return c.answers(old) < oldAnswers })
	frozen := c.programs[leader]
	must(c.t, frozen.Freeze())
	began := time.Now()
	if left := c.answers(old); left == 0 {
		c.t.Error("the work was done before the leader was frozen: the drill shows nothing")
	}
	c.follows(1-leader, followsFreeze)
	if left := c.answers(old); left > 0 {
		c.t.Errorf("%d old answers are left", left)
	}
	time.Sleep(size().frozen - time.Since(began)) // the fault itself
	var known, often []string
	for _, d := range jobs.Schedule() {
		known = append(known, "'"+d.Job+"'")
		if d.Every < time.Hour {
			often = append(often, "'"+d.Job+"'")
		}
	}
	c.done() // an hour may have begun
	noted := "SELECT COUNT(*) FROM job_runs WHERE period <= " + c.at() + " AND job NOT IN (" + strings.Join(often, ", ") + ")"
	runs := c.count(noted)
	must(c.t, frozen.Thaw())
	c.until("the thawed one knows that it does not lead", noticesThaw, func() bool { return !c.leads(leader) })
	if c.leader() == leader {
		c.t.Error("the thawed one leads again")
	}
	if now := c.count(noted); now != runs {
		c.t.Errorf("%d runs were noted, and after the thaw %d", runs, now)
	}
	if fresh := c.answers(fmt.Sprintf("fresh-%d", round)); fresh != oldAnswers {
		c.t.Errorf("%d of %d fresh answers are left", fresh, oldAnswers)
	}
	if n := c.count("SELECT COUNT(*) FROM job_runs WHERE job NOT IN ('retired', " + strings.Join(known, ", ") + ")"); n > 0 {
		c.t.Errorf("%d runs of unknown jobs", n)
	}
}
