package jobs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

// shelf is a store that notes what it was asked to do. Its leases are always held.
type shelf struct {
	till till

	mu      sync.Mutex
	did     map[string][]time.Time
	err     error // of all work
	away    error // of its notes
	kept    []models.JobRun
	alarms  map[alarmKey]models.AlarmReading
	told    []string
	dead    int64
	free    int64 // bytes
	report  models.Report
	skewEnd int
	anew    int // rounds of the check that were ended

	reminded []int64 // of tournaments
}

func newShelf() *shelf {
	return &shelf{did: map[string][]time.Time{}, alarms: map[alarmKey]models.AlarmReading{}, free: 1 << 40}
}

func (s *shelf) note(what string, now time.Time, rows int64) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.did == nil {
		s.did = map[string][]time.Time{}
	}
	s.did[what] = append(s.did[what], now)
	return rows, s.err
}

func (s *shelf) ForgetAnswers(_ context.Context, now time.Time) (int64, error) {
	return s.note("forget_answers", now, 3)
}

func (s *shelf) ForgetUpdates(_ context.Context, now time.Time) (int64, error) {
	return s.note("forget_updates", now, 4)
}

func (s *shelf) ForgetMessages(_ context.Context, now time.Time) (int64, error) {
	return s.note("forget_messages", now, 7)
}

func (s *shelf) CloseTasks(_ context.Context, season game.Season, now time.Time) (int64, error) {
	if season != given.Season {
		return 0, errors.New("of another season")
	}
	return s.note("close_tasks", now, 11)
}

func (s *shelf) ExpireActions(_ context.Context, now time.Time) (int64, error) {
	return s.note("expire_questions", now, 8)
}

func (s *shelf) ExpireNonces(_ context.Context, now time.Time) (int64, error) {
	return s.note("expire_nonces", now, 12)
}

func (s *shelf) RewardFriends(_ context.Context, now time.Time) (int64, error) {
	return s.note("reward_friends", now, 13)
}

func (s *shelf) Remind(_ context.Context, _ game.Season, now time.Time) (int64, error) {
	return s.note("remind", now, 14)
}

func (s *shelf) SealLedger(_ context.Context, now time.Time) (int64, error) {
	return s.note("seal_ledger", now, 5)
}

func (s *shelf) CountDays(_ context.Context, now time.Time) (int64, error) {
	return s.note("count_days", now, 9)
}

func (s *shelf) ExpireOffers(_ context.Context, now time.Time) (int64, error) {
	return s.note("expire_offers", now, 11)
}

func (s *shelf) PaySpins(_ context.Context, now time.Time) (int64, error) {
	return s.note("pay_spins", now, 12)
}

func (s *shelf) AdvanceTournaments(_ context.Context, admins []int64, now time.Time) (int64, error) {
	s.mu.Lock()
	s.reminded = admins
	s.mu.Unlock()
	return s.note(models.TournamentsJob, now, 13)
}

func (s *shelf) ReturnedPayouts(context.Context) (due int64, newest time.Time, err error) {
	return s.till.returned, s.till.newest, nil
}

func (s *shelf) StrayPayouts(_ context.Context, after time.Time) (strays []models.StrayPayout, err error) {
	s.till.mu.Lock()
	defer s.till.mu.Unlock()
	for comment, seen := range s.till.stray {
		if seen.After(after) {
			strays = append(strays, models.StrayPayout{Comment: comment, SeenAt: seen})
		}
	}
	return strays, s.till.strayErr
}

func (s *shelf) ForgetDrafts(_ context.Context, now time.Time) (int64, error) {
	return s.note("forget_drafts", now, 10)
}

func (s *shelf) ForgetOrigins(_ context.Context, now time.Time) (int64, error) {
	return s.note("forget_origins", now, 6)
}

func (s *shelf) ForgetRuns(_ context.Context, now time.Time) (int64, error) {
	return s.note("forget_runs", now, 6)
}

func (s *shelf) VerifyPart(_ context.Context, _ game.Season, now time.Time, _ func() bool) (models.Report, error) {
	_, err := s.note("verify", now, 0)
	return s.report, err
}

func (s *shelf) VerifyAnew(context.Context, time.Time) error {
	s.anew++
	return s.err
}

func (s *shelf) Lead(ctx context.Context, _ string, lead func(ctx context.Context, held func() error) error) error {
	return lead(ctx, holds)
}

func (s *shelf) LastRun(_ context.Context, job string, upTo time.Time) (last models.JobRun, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, run := range s.kept {
		if run.Job == job && !run.Period.After(upTo) && run.Period.After(last.Period) {
			last = run
		}
	}
	return last, s.away
}

func (s *shelf) KeepRun(_ context.Context, run models.JobRun) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, run)
	return nil
}

func (s *shelf) RunOnce(ctx context.Context, job string, period, now time.Time, work func(ctx context.Context) (int64, error)) (int64, bool, error) {
	rows, err := work(ctx)
	if err != nil {
		return 0, false, err
	}
	return rows, true, s.KeepRun(ctx, models.JobRun{Job: job, Period: period, DoneAt: now, Rows: rows})
}

func (s *shelf) ReportAlarm(_ context.Context, reading models.AlarmReading, _ []int64, _ time.Time) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := alarmKey{reading.Name, reading.Subject}
	_, raised := s.alarms[at]
	switch {
	case reading.On && !raised:
		s.alarms[at] = reading
		s.told = append(s.told, "raised "+string(at.name)+" "+at.subject)
	case !reading.On && raised:
		delete(s.alarms, at)
		s.told = append(s.told, "ended "+string(at.name)+" "+at.subject)
	default:
		return false, nil
	}
	return true, nil
}

func (s *shelf) EndSkew(context.Context, []int64, time.Time) (bool, error) {
	s.skewEnd++
	return false, nil
}

func (s *shelf) RaisedAlarms(context.Context) (raised []models.AlarmReading, err error) {
	for _, reading := range s.alarms {
		raised = append(raised, reading)
	}
	return raised, s.away
}

func (s *shelf) DeadMessages(context.Context, time.Time) (int64, error) { return s.dead, nil }

func (s *shelf) DiskFree() (int64, bool, error) { return s.free, true, nil }

func holds() error { return nil }

// gauge remembers what the jobs told it.
type gauge struct {
	mu                  sync.Mutex
	leads               bool
	done, failed        map[string]int
	last                map[string]time.Time
	raised              map[alarmKey]bool
	ahead               time.Duration
	ledEver, measuredAt int
}

func newGauge() *gauge {
	return &gauge{done: map[string]int{}, failed: map[string]int{}, last: map[string]time.Time{}, raised: map[alarmKey]bool{}}
}

func (g *gauge) Leads(leads bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.leads = leads
	g.ledEver++
}

func (g *gauge) JobDone(job string, _ time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done[job]++
}

func (g *gauge) JobFailed(job string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failed[job]++
}

func (g *gauge) LastSuccess(job string, at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last[job] = at
}

func (g *gauge) Alarm(name, subject string, raised bool, _, _ int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.raised[alarmKey{models.AlarmName(name), subject}] = raised
}

func (g *gauge) ClockAhead(ahead time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ahead = ahead
	g.measuredAt++
}

// office is where a leader works: a clock, a gauge, a log.
type office struct {
	clock *given.Clock
	gauge *gauge
	log   bytes.Buffer
}

func newOffice() *office { return &office{clock: given.NewClock(), gauge: newGauge()} }

func (o *office) options() Options {
	return Options{Season: given.Season, Now: o.clock.Now, Admins: []int64{1, 2}, Meter: o.gauge, Log: slog.New(slog.NewTextHandler(&o.log, nil))}
}

// leader is a term at Noon.
func (o *office) leader(store Store) *leaderTerm { return newLeaderTerm(store, o.options(), holds) }

func (t *leaderTerm) runAll(ctx context.Context) {
	for _, s := range t.jobs {
		t.runIfDue(ctx, s)
	}
}

// everyJob is the schedule; dueIn are the names of its jobs with a given interval.
var everyJob = schedule(struct{ Store }{}, Options{})

func dueIn(is func(j job) bool) (names []string) {
	for _, j := range everyJob {
		if is(j) {
			names = append(names, j.name)
		}
	}
	return names
}

func TestEveryJobOfTheTimetableDoesItsWorkOnceInItsTime(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	for range 3 {
		leader.runAll(t.Context())
	}
	for _, j := range everyJob {
		if at := store.did[j.name]; len(at) != 1 || !at[0].Equal(given.Noon) {
			t.Errorf("%s was done at %s", j.name, at)
		}
	}
	o.clock.Step(59*time.Minute + 59*time.Second)
	leader.runAll(t.Context())
	o.clock.Step(time.Second)
	leader.runAll(t.Context())
	for _, j := range everyJob {
		job, times := j.name, map[time.Duration]int{fiveMinutes: 3, hourly: 2, daily: 1}[j.interval]
		if len(store.did[job]) != times || o.gauge.done[job] != times || !o.gauge.last[job].Equal(store.did[job][times-1]) {
			t.Errorf("an hour later %s was done at %s; the meter knows %d, the last at %s", job, store.did[job], o.gauge.done[job], o.gauge.last[job])
		}
	}
	if text := o.log.String(); !strings.Contains(text, "rows=3") || !strings.Contains(text, "rows=6") {
		t.Errorf("the log says %s", text)
	}
}

func TestVerifyWaitsForItsHour(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.runAll(t.Context())
	for _, step := range []struct {
		by   time.Duration
		done int
	}{{15*time.Hour + 29*time.Minute, 1}, {time.Minute, 2}, {23 * time.Hour, 2}} { // 03:29, 03:30, 02:30
		o.clock.Step(step.by)
		leader.runAll(t.Context())
		if n := len(store.did["verify"]); n != step.done {
			t.Errorf("at %s it was done %d times", o.clock.Now(), n)
		}
	}
}

func TestTheNewestPeriodIsDueUntilItIsDone(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, time.March, d, 0, 0, 0, 0, time.UTC) }
	did := func(period time.Time) models.JobRun { return models.JobRun{Job: "j", Period: period} }
	cleaning, closing := job{interval: hourly}, job{interval: daily, at: time.Hour}
	for name, c := range map[string]struct {
		job  job
		last models.JobRun
		now  time.Time
		due  time.Time // zero where nothing is
	}{
		"first ever":                      {cleaning, models.JobRun{}, given.Noon.Add(time.Minute), given.Noon},
		"done":                            {cleaning, did(given.Noon), given.Noon.Add(59 * time.Minute), time.Time{}},
		"the next hour":                   {cleaning, did(given.Noon), given.Noon.Add(time.Hour), given.Noon.Add(time.Hour)},
		"after days":                      {cleaning, did(day(1)), given.Noon, given.Noon},
		"first ever of a day":             {closing, models.JobRun{}, given.Noon, day(4)},
		"before its hour":                 {closing, did(day(3)), day(4).Add(59 * time.Minute), time.Time{}},
		"at its hour":                     {closing, did(day(3)), day(4).Add(time.Hour), day(4)},
		"after days, of a day":            {closing, did(day(1)), given.Noon, day(4)},
		"a time zone changes no day":      {closing, did(day(3)), given.Noon.In(time.FixedZone("", 14*3600)), day(4)},
		"done already, clock turned back": {closing, did(day(3)), day(4), time.Time{}},
	} {
		period, due := c.job.due(c.last, c.now)
		if due == c.due.IsZero() || due && !period.Equal(c.due) {
			t.Errorf("%s: due is %s (%t), want %s", name, period, due, c.due)
		}
	}
}

// A failure is tried again until it succeeds, and then notes the day it was for.
func TestWhatWasMissedForDaysIsCaughtUpOnce(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		o := newOffice()
		leader := o.leader(store)
		var done []int
		ill := false
		s := &scheduledJob{job: job{name: "closing", interval: daily, work: func(_ context.Context, now time.Time) (int64, error) {
			if ill {
				return 0, errors.New("ill")
			}
			done = append(done, now.Day())
			return 1, nil
		}}}
		leader.runIfDue(t.Context(), s) // 4 March
		o.clock.Step(5 * daily)
		ill = true
		leader.runIfDue(t.Context(), s)
		ill = false
		leader.runIfDue(t.Context(), s) // too early to try again
		if want := []int{4}; !reflect.DeepEqual(done, want) {
			t.Errorf("it was done on the %v of March, want %v", done, want)
		}
		o.clock.Step(retryDelay)
		leader.runIfDue(t.Context(), s)
		leader.runIfDue(t.Context(), s)
		if want := []int{4, 9}; !reflect.DeepEqual(done, want) {
			t.Errorf("it was done on the %v of March, want %v", done, want)
		}
		if o.gauge.failed["closing"] != 1 {
			t.Errorf("%d failures are counted", o.gauge.failed["closing"])
		}
	})
}

func TestAJobThatFailsIsToldAndTriedAgainAfterAMinute(t *testing.T) {
	for name, wrong := range map[string]error{"ERROR": errors.New("disk full"), "WARN": models.ErrTryAgain} {
		store, o := newShelf(), newOffice()
		leader := o.leader(store)
		store.err = wrong
		leader.runAll(t.Context())
		o.clock.Step(retryDelay - time.Second)
		leader.runAll(t.Context())
		if got := strings.Count(o.log.String(), "level="+name); got != len(everyJob) {
			t.Errorf("told %d times: %s", got, o.log.String())
		}
		store.err = nil
		o.clock.Step(time.Second)
		leader.runAll(t.Context())
		for _, job := range dueIn(func(job) bool { return true }) {
			if len(store.did[job]) != 2 || o.gauge.failed[job] != 1 || o.gauge.done[job] != 1 {
				t.Errorf("%s was done at %s", job, store.did[job])
			}
		}
	}
}

// A SQLite file has no clock to compare with.
func TestAFailureUnderAClockThatWasAheadDelaysNothing(t *testing.T) {
	o, store := newOffice(), newShelf()
	lead := o.leader(store)
	o.clock.Step(24 * time.Hour)
	store.err = errors.New("the disk is full")
	lead.runAll(t.Context())
	store.err = nil
	o.clock.Step(-24 * time.Hour)
	lead.runAll(t.Context())
	if len(o.gauge.done) == 0 {
		t.Error("no job runs after the clock was set right")
	}
}

func TestJobsHaveNamesOfTheirOwn(t *testing.T) {
	known := map[string]bool{"": true}
	for _, j := range schedule(newShelf(), newOffice().options()) {
		if known[j.name] {
			t.Errorf("two jobs are called %q", j.name)
		}
		known[j.name] = true
	}
}

func TestAJobThatPanicsFailsAndLivesOn(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	calls := 0
	s := &scheduledJob{job: job{name: "bad", interval: hourly, work: func(context.Context, time.Time) (int64, error) {
		if calls++; calls == 1 {
			panic("oh")
		}
		return 0, nil
	}}}
	leader.runIfDue(t.Context(), s)
	o.clock.Step(retryDelay)
	leader.runIfDue(t.Context(), s)
	if calls != 2 || o.gauge.failed["bad"] != 1 || o.gauge.done["bad"] != 1 || !strings.Contains(o.log.String(), "panic: oh") {
		t.Errorf("%d calls; %s", calls, o.log.String())
	}
}

// A process that was frozen comes back with its timers due at once.
func TestNothingIsBegunWithoutTheLease(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := newLeaderTerm(store, o.options(), func() error { return models.ErrNotLeading })
	leader.runAll(t.Context())
	store.dead = 1
	leader.checkAlarms(t.Context())
	if len(store.did) > 0 || len(store.told) > 0 {
		t.Errorf("did %v, told %v", store.did, store.told)
	}
}

// A process told to end cuts its jobs short; that is no failure anybody need look at.
func TestAJobCutShortByTheEndIsNoFailure(t *testing.T) {
	ending, end := context.WithCancel(t.Context())
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	s := &scheduledJob{job: job{name: "long", interval: hourly, work: func(ctx context.Context, _ time.Time) (int64, error) {
		end()
		return 0, ctx.Err()
	}}}
	leader.runIfDue(ending, s)
	leader.runAll(ending)
	if text := o.log.String(); strings.Contains(text, "ERROR") || strings.Count(text, "job cut short") != 1 || o.gauge.failed["long"] != 0 {
		t.Errorf("the log says %s", text)
	}
	if len(store.did) > 0 {
		t.Errorf("afterwards it did %v", store.did)
	}
}

func TestRunWorksWhileItLeadsAndLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		store, o := newShelf(), newOffice()
		options := o.options()
		options.Now = time.Now // of the bubble
		ended := make(chan error, 1)
		go func() { ended <- Run(ctx, store, options) }()
		time.Sleep(2*time.Hour + time.Second)
		store.mu.Lock()
		if n := len(store.did["seal_ledger"]); n != 3 {
			t.Errorf("in two hours the ledger was sealed %d times", n)
		}
		if n := len(store.did["verify"]); n != 1 {
			t.Errorf("verified %d times", n)
		}
		store.mu.Unlock()
		if !o.gauge.leads {
			t.Error("the meter does not know who leads")
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if o.gauge.leads {
			t.Error("the meter knows a leader that has ended")
		}
	})
}

func TestAStartAfterThisHoursWorkDoesNothing(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		for round := range 2 {
			o := newOffice()
			o.leader(store).runAll(t.Context())
			for _, job := range dueIn(func(job) bool { return true }) {
				if want := 1 - round; o.gauge.done[job] != want || o.gauge.failed[job] != 0 {
					t.Errorf("start %d: %s was done %d times: %s", round+1, job, o.gauge.done[job], o.log.String())
				}
			}
		}
	})
}
