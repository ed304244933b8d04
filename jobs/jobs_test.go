package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/tasks"
	"mcbk/models/wallet"
)

// harness is a leader's environment: a store, a clock that starts at Noon, metrics and a log.
type harness struct {
	*testing.T
	store *store.Store
	clock *modelstest.Clock
	now   func() time.Time
	meter *fakeMeter
	log   bytes.Buffer
	read  int // messages that messages has returned

	// Raw SQL:
	exec  func(statement string, args ...any)
	query func(into any, query string, args ...any) // of one value
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	return newHarnessOn(t, "sqlite")
}

func newHarnessOn(t *testing.T, database string) *harness {
	t.Helper()
	address, clock := modelstest.Address(t, database), modelstest.NewClock()
	h := &harness{T: t, store: modelstest.OpenStore(t, address), clock: clock, now: clock.Now, meter: newFakeMeter()}
	raw := modelstest.Raw(t, address)
	h.exec = func(statement string, args ...any) {
		t.Helper()
		modelstest.Must(raw.ExecContext(t.Context(), statement, args...))(h)
	}
	h.query = func(into any, query string, args ...any) {
		t.Helper()
		modelstest.NoError(h, raw.QueryRowContext(t.Context(), query, args...).Scan(into))
	}
	return h
}

// bubble runs a test in a synctest bubble, whose clock starts at Noon.
func bubble(t *testing.T, test func(h *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h, began := newHarness(t), time.Now()
		h.now = func() time.Time { return modelstest.Noon.Add(time.Since(began)) }
		test(h)
	})
}

func (h *harness) options() Options {
	return Options{Season: modelstest.Season, Now: h.now, Admins: []int64{1, 2}, Meter: h.meter, Log: slog.New(slog.NewTextHandler(&h.log, nil))}
}

func leads() error { return nil }

// lead begins a leader's term with these jobs instead of the schedule.
func (h *harness) lead(jobs ...job) *leaderTerm {
	t := newLeaderTerm(h.store, h.options(), leads)
	t.jobs = nil
	for _, j := range jobs {
		t.jobs = append(t.jobs, &scheduledJob{job: j})
	}
	return t
}

// fakeWork is a job's work that counts its calls and fails with err.
type fakeWork struct {
	calls int
	err   error
}

func (w *fakeWork) do(context.Context, time.Time) (int64, error) {
	w.calls++
	return 1, w.err
}

func (t *leaderTerm) runAll(ctx context.Context) {
	for _, s := range t.jobs {
		t.runIfDue(ctx, s)
	}
}

// number is the number that a query returns.
func (h *harness) number(query string, args ...any) (n int64) {
	h.Helper()
	h.query(&n, query, args...)
	return n
}

// messages are the alarms that were queued for the first admin since the last call, like "raised disk_low ", sorted.
func (h *harness) messages() (all []string) {
	h.Helper()
	var list string
	var messages []struct{ Event, Alarm, Subject string }
	h.query(&list, "SELECT json_group_array(json(params)) FROM (SELECT params FROM outbox WHERE kind = 'alarm' AND chat_id = 1 ORDER BY id LIMIT -1 OFFSET ?)", h.read)
	modelstest.NoError(h, json.Unmarshal([]byte(list), &messages))
	for _, m := range messages {
		all = append(all, m.Event+" "+m.Alarm+" "+m.Subject)
	}
	h.read += len(all)
	slices.Sort(all)
	return all
}

// alarms evaluates the alarms twice, and fails unless the admins get these messages.
func (h *harness) alarms(when string, leader *leaderTerm, want ...string) {
	h.Helper()
	leader.checkAlarms(h.Context())
	leader.checkAlarms(h.Context())
	slices.Sort(want)
	if got := h.messages(); !slices.Equal(got, want) {
		h.Errorf("%s: the admins are sent %q, want %q; %s", when, got, want, h.log.String())
	}
}

// fakeMeter stores what was measured.
type fakeMeter struct {
	mu           sync.Mutex
	leads        bool
	done, failed map[string]int
	last         map[string]time.Time
	raised       map[alarmKey]bool
	comparisons  int
}

func newFakeMeter() *fakeMeter {
	return &fakeMeter{done: map[string]int{}, failed: map[string]int{}, last: map[string]time.Time{}, raised: map[alarmKey]bool{}}
}

func (m *fakeMeter) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

func (m *fakeMeter) Leads(leads bool)                     { m.set(func() { m.leads = leads }) }
func (m *fakeMeter) JobDone(job string, _ time.Duration)  { m.set(func() { m.done[job]++ }) }
func (m *fakeMeter) JobFailed(job string)                 { m.set(func() { m.failed[job]++ }) }
func (m *fakeMeter) LastSuccess(job string, at time.Time) { m.set(func() { m.last[job] = at }) }
func (m *fakeMeter) Alarm(name, subject string, raised bool, _, _ int64) {
	m.set(func() { m.raised[alarmKey{models.AlarmName(name), subject}] = raised })
}

func (m *fakeMeter) ClockAhead(time.Duration) { m.set(func() { m.comparisons++ }) }

// pending creates work for each job two months later: statements about a player and a friend.
var pending = map[string]string{
	tasks.CloseTasksJob: `INSERT INTO tasks (id, action, day, target, reward_coins, reward_points, url, title_en, title_ru, created_at)
		VALUES (1000, 'tap_count', 1, 1, 1, 0, '', '', '', :noon);
		INSERT INTO player_tasks (player_id, task_id, day, state, progress, evidence, opened_at) VALUES (:player, 1000, 1, 'active', 0, '', :noon)`,
	"forget_answers": "INSERT INTO idempotency_keys VALUES (:player, 'k', 'o', x'00', 200, x'00', :noon)",
	"forget_updates": "INSERT INTO bot_updates VALUES (1, 0, x'00', 'done', 0, :noon, :noon, :noon, '')",
	"forget_messages": `INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, finished_at, last_error)
		VALUES ('k', 1, 'x', '{}', 0, 'sent', 0, :noon, :noon, :noon, '')`,
	ledger.SealLedgerJob: "", // the player's taps
	"count_days":         "",
	"expire_offers":      "INSERT INTO predictions (player_id, day, text_number, state, offered_at) VALUES (:player, 1, 0, 'offered', :noon)",
	"read_stars": `INSERT INTO orders (player_id, kind, comment, amount, coins, ton_price, mcbk_price, state, created_at, expires_at, currency, star_price, invoice_link)
		VALUES (:player, 'purchase', 'MC-AAAAAAAAAA', 1, 1, 1, 1, 'pending', :noon, :dayago, 'XTR', 1, 'https://t.me/$slug')`,
	"pay_spins":      "", // see the test
	"reward_friends": "UPDATE friends SET state = 'qualified', qualified_at = :noon WHERE player_id = :friend",
	"remind": `INSERT INTO checkins (player_id, day, streak, checked_in_at, points) VALUES (:player, :yesterday, 1, :dayago, 1);
		UPDATE players SET visits_day = :yesterday, visits_streak = 1, visits_total = 1 WHERE id = :player`,
	mines.TournamentsJob: "", // see the test
	admin.ExpireActionsJob: `INSERT INTO admin_actions (admin_id, chat_id, action, args, state, nonce_hash, asked_at, expires_at, outcome)
		VALUES (1, 1, 'ban', '[]', 'asked', 'h', :noon, :noon, '')`,
	wallet.ExpireNoncesJob: `INSERT INTO wallet_nonces (player_id, nonce_hash, state, made_at, expires_at) VALUES (:player, printf('%064d', 1), 'open', :noon, :dayago)`,
	"forget_drafts": `INSERT INTO broadcasts (author_id, text, source_chat_id, source_message_id, state, cursor, audience, queued, drafted_at)
		VALUES (1, 'x', 0, 0, 'draft', 0, 0, 0, :noon)`,
	"forget_origins": "INSERT INTO origins VALUES (:player, '0123456789abcdef')",
	"forget_runs":    "INSERT INTO job_runs VALUES ('retired', '2020-01-01', :noon, 0), ('retired', '2020-01-02', :noon, 0)",
	"verify":         "",
}

func TestEveryScheduledJobRunsOnceWhenDue(t *testing.T) {
	h := newHarness(t)
	modelstest.Tournament(t, h.store)
	player := modelstest.Player(t, h.store, modelstest.Tapped(10))
	friend := modelstest.Player(t, h.store, modelstest.InvitedBy(player))
	modelstest.Spun(t, h.store, player, false, modelstest.Segment(t, "points_100"), modelstest.Noon)
	const later = 60 * daily
	h.clock.Step(later)
	leader := newLeaderTerm(h.store, h.options(), leads)
	fill := strings.NewReplacer(":player", fmt.Sprint(player.ID), ":friend", fmt.Sprint(friend.ID), ":noon", "'2026-03-04 12:00:00+00:00'",
		":yesterday", fmt.Sprint(game.DayOf(h.now())-1), ":dayago", h.now().Add(-daily).Format("'2006-01-02 15:04:05+00:00'"))
	for _, s := range leader.jobs {
		statement, known := pending[s.name]
		if !known {
			t.Errorf("%s has nothing to do in this test", s.name)
		}
		for one := range strings.SplitSeq(statement, ";") {
			h.exec(fill.Replace(one))
		}
	}
	expect := func(want func(j job) int) {
		t.Helper()
		for _, s := range leader.jobs {
			if done, last := h.meter.done[s.name], h.meter.last[s.name]; done != want(s.job) || h.meter.failed[s.name] > 0 {
				t.Errorf("at %s %s was done %d times, the last at %s, want %d", h.clock.Now(), s.name, done, last, want(s.job))
			}
		}
	}
	for range 3 {
		leader.runAll(t.Context())
	}
	expect(func(job) int { return 1 })
	h.clock.Step(time.Hour - time.Second)
	leader.runAll(t.Context())
	h.clock.Step(time.Second)
	leader.runAll(t.Context())
	expect(func(j job) int {
		return map[time.Duration]int{minutely: 3, fiveMinutes: 3, hourly: 2, daily: 1}[j.interval]
	})
	if last := h.meter.last["pay_spins"]; !last.Equal(modelstest.Noon.Add(later + time.Hour)) {
		t.Errorf("the meter has spins paid at %s", last)
	}
	for _, s := range leader.jobs {
		if rows := h.number("SELECT SUM(rows) FROM job_runs WHERE job = ?", s.name); rows == 0 {
			t.Errorf("%s found nothing to do", s.name)
		}
	}
	if text := h.log.String(); !strings.Contains(text, "job=forget_answers period=2026-05-03T12:00:00.000Z rows=1") {
		t.Errorf("the log says %s", text)
	}
	h.clock.Step(14*time.Hour + 29*time.Minute) // 03:29
	leader.runAll(t.Context())
	if h.meter.done["verify"] != 1 || h.meter.done["forget_runs"] != 2 {
		t.Errorf("verified %d times before its hour", h.meter.done["verify"])
	}
	h.clock.Step(time.Minute)
	leader.runAll(t.Context())
	if h.meter.done["verify"] != 2 {
		t.Errorf("verified %d times", h.meter.done["verify"])
	}
}

func TestNewestPeriodIsDueUntilDone(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, time.March, d, 0, 0, 0, 0, time.UTC) }
	did := func(period time.Time) models.JobRun { return models.JobRun{Job: "j", Period: period} }
	cleaning, closing := job{interval: hourly}, job{interval: daily, at: time.Hour}
	for name, c := range map[string]struct {
		job  job
		last models.JobRun
		now  time.Time
		due  time.Time // zero where nothing is
	}{
		"first ever":                      {cleaning, models.JobRun{}, modelstest.Noon.Add(time.Minute), modelstest.Noon},
		"done":                            {cleaning, did(modelstest.Noon), modelstest.Noon.Add(59 * time.Minute), time.Time{}},
		"the next hour":                   {cleaning, did(modelstest.Noon), modelstest.Noon.Add(time.Hour), modelstest.Noon.Add(time.Hour)},
		"after days":                      {cleaning, did(day(1)), modelstest.Noon, modelstest.Noon},
		"first ever of a day":             {closing, models.JobRun{}, modelstest.Noon, day(4)},
		"before its hour":                 {closing, did(day(3)), day(4).Add(59 * time.Minute), time.Time{}},
		"at its hour":                     {closing, did(day(3)), day(4).Add(time.Hour), day(4)},
		"after days, of a day":            {closing, did(day(1)), modelstest.Noon, day(4)},
		"a time zone changes no day":      {closing, did(day(3)), modelstest.Noon.In(time.FixedZone("", 14*3600)), day(4)},
		"done already, clock turned back": {closing, did(day(3)), day(4), time.Time{}},
	} {
		period, due := c.job.due(c.last, c.now)
		if due == c.due.IsZero() || due && !period.Equal(c.due) {
			t.Errorf("%s: due is %s (%t), want %s", name, period, due, c.due)
		}
	}
}

// A failure is retried until it succeeds, and the run is recorded for the newest day.
func TestMissedDaysRunOnce(t *testing.T) {
	for _, oneTransaction := range []bool{false, true} {
		h := newHarness(t)
		var done []int
		var failure error
		leader := h.lead(job{name: "closing", interval: daily, oneTransaction: oneTransaction, work: func(_ context.Context, now time.Time) (int64, error) {
			if failure == nil {
				done = append(done, now.Day())
			}
			return 7, failure
		}})
		leader.runAll(t.Context()) // 4 March
		h.clock.Step(5 * daily)
		failure = errors.New("ill")
		leader.runAll(t.Context())
		failure = nil
		leader.runAll(t.Context()) // too early to try again
		if runs := h.number("SELECT COUNT(*) FROM job_runs"); len(done) != 1 || runs != 1 {
			t.Errorf("done %v, %d runs are recorded", done, runs)
		}
		h.clock.Step(retryDelay)
		leader.runAll(t.Context())
		leader.runAll(t.Context())
		h.lead(leader.jobs[0].job).runAll(t.Context()) // the next leader
		if want := []int{4, 9}; !reflect.DeepEqual(done, want) || h.meter.failed["closing"] != 1 {
			t.Errorf("done on the %v of March, want %v; %d failed", done, want, h.meter.failed["closing"])
		}
		last, err := h.store.Alarms.LastRun(t.Context(), "closing", h.now())
		if want := (models.JobRun{Job: "closing", Period: modelstest.Noon.Add(5*daily - 12*time.Hour), DoneAt: h.now(), Rows: 7}); err != nil || last != want {
			t.Errorf("recorded is %+v, want %+v: %v", last, want, err)
		}
	}
}

func TestFailedJobIsLoggedAndRetriedAfterAMinute(t *testing.T) {
	for _, c := range []struct {
		err error
		log string
	}{{errors.New("disk full"), "level=ERROR"}, {db.ErrUnavailable, "level=WARN"}, {errTelegram, "level=WARN"}, {errPanic, "panic: oh"}} {
		h, work := newHarness(t), &fakeWork{err: c.err}
		leader := h.lead(job{name: "failing", interval: hourly, work: func(ctx context.Context, now time.Time) (int64, error) {
			rows, err := work.do(ctx, now)
			if errors.Is(err, errPanic) {
				panic("oh")
			}
			return rows, err
		}})
		leader.runAll(t.Context())
		h.clock.Step(retryDelay - time.Second)
		leader.runAll(t.Context())
		if work.calls != 1 || strings.Count(h.log.String(), c.log) != 1 {
			t.Errorf("called %d times: %s", work.calls, h.log.String())
		}
		h.clock.Step(time.Second)
		leader.runAll(t.Context())
		h.clock.Step(-24 * time.Hour) // it was ahead
		work.err = nil
		leader.runAll(t.Context())
		if work.calls != 3 || h.meter.failed["failing"] != 2 || h.meter.done["failing"] != 1 {
			t.Errorf("called %d times, %d failed, %d done", work.calls, h.meter.failed["failing"], h.meter.done["failing"])
		}
	}
}

func TestJobNamesAreUnique(t *testing.T) {
	known := map[string]bool{"": true}
	for _, due := range Schedule() {
		if known[due.Job] {
			t.Errorf("two jobs are called %q", due.Job)
		}
		known[due.Job] = true
	}
}

// A suspended process resumes with its timers due at once.
func TestNoJobStartsWithoutTheLease(t *testing.T) {
	h, work := newHarness(t), new(fakeWork)
	leader := h.lead(job{name: "any", interval: hourly, work: work.do})
	h.deadMessage()
	leader.holdsLease = func() error { return db.ErrNotLeading }
	leader.runAll(t.Context())
	h.alarms("without the lease", leader)
	leader.holdsLease = leads
	if work.calls > 0 {
		t.Error("a job was run")
	}
	h.alarms("with the lease", leader, "raised outbox_dead ")
}

// A shutdown cancels the jobs; that is no failure.
func TestCancelledJobIsNoFailure(t *testing.T) {
	ending, end := context.WithCancel(t.Context())
	h, next := newHarness(t), new(fakeWork)
	long := func(ctx context.Context, _ time.Time) (int64, error) {
		end()
		return 0, ctx.Err()
	}
	h.lead(job{name: "long", interval: hourly, work: long}, job{name: "next", interval: hourly, work: next.do}).runAll(ending)
	if text := h.log.String(); strings.Contains(text, "ERROR") || strings.Count(text, "job cut short") != 1 || h.meter.failed["long"] != 0 || next.calls > 0 {
		t.Errorf("%d jobs were run after the end; the log says %s", next.calls, text)
	}
}

// The end of the bubble fails if a goroutine is left.
func TestRunLeadsAndLeaksNoGoroutine(t *testing.T) {
	bubble(t, func(h *harness) {
		ctx, cancel := context.WithCancel(h.Context())
		ended := make(chan error, 1)
		go func() { ended <- Run(ctx, h.store, h.options()) }()
		time.Sleep(2*fiveMinutes + checkInterval + time.Second)
		h.meter.set(func() {
			if paid, verified := h.meter.done["pay_spins"], h.meter.done["verify"]; paid != 3 || verified != 1 || !h.meter.leads {
				h.Errorf("in ten minutes spins were paid %d times, verified %d times; leads: %t", paid, verified, h.meter.leads)
			}
		})
		cancel()
		if err := <-ended; err != nil || h.meter.leads {
			h.Errorf("ended with %v; leads: %t", err, h.meter.leads)
		}
	})
}

func TestRestartDoesNotRepeatThisHoursJobs(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		h := &harness{T: t, store: store, now: modelstest.At(modelstest.Noon), meter: newFakeMeter()}
		for start := range 2 {
			leader := newLeaderTerm(h.store, h.options(), leads)
			leader.runAll(t.Context())
			for _, s := range leader.jobs {
				if h.meter.done[s.name] != 1 || h.meter.failed[s.name] != 0 {
					t.Errorf("start %d: %s was done %d times: %s", start+1, s.name, h.meter.done[s.name], h.log.String())
				}
			}
		}
	})
}
