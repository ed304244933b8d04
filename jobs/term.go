package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/robfig/cron/v3"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/store"
)

const (
	checkInterval = 5 * time.Second  // between a job's checks whether it is due
	alarmInterval = 15 * time.Second // between checks of the alarms
	retryDelay    = time.Minute      // after a run that failed
)

// leaderTerm is a term of leadership of this process.
type leaderTerm struct {
	store      *store.Store
	o          Options
	holdsLease func() error
	since      time.Time
	jobs       []*scheduledJob

	truncated     int  // reads in which no lite server kept the requested history
	advanceFailed bool // whether advancing the tournaments failed at the last read
}

// scheduledJob is a job with its state in this leadership term.
type scheduledJob struct {
	job
	notBefore  time.Time // after a failure
	wasOverdue bool      // when the alarms were last evaluated
}

func newLeaderTerm(store *store.Store, o Options, holdsLease func() error) *leaderTerm {
	t := &leaderTerm{store: store, o: o, holdsLease: holdsLease, since: o.Now()}
	for _, j := range schedule(store, o) {
		t.jobs = append(t.jobs, &scheduledJob{job: j})
	}
	return t
}

// serve runs missed jobs, then each job when due, until ctx ends; it waits for running jobs. Each check loads due periods from the
// database, so a pause or clock jump is caught up. A clock change rebuilds the schedule: its entries wait for times of day, and after a
// step of an hour back nothing would run for an hour.
func (t *leaderTerm) serve(ctx context.Context) error {
	// Reading payments does not wait for jobs.
	var outside sync.WaitGroup
	defer outside.Wait()
	outside.Go(func() { t.readChain(ctx) })
	outside.Go(func() { t.readPrices(ctx) })
	for _, s := range t.jobs {
		if !s.slow {
			t.runIfDue(ctx, s)
		}
	}
	// SkipIfStillRunning is the outer wrapper, Recover the inner: an uncaught panic would leave the job marked as running.
	panics := cron.PrintfLogger(slog.NewLogLogger(t.o.Log.Handler(), slog.LevelError))
	chain := cron.NewChain(cron.SkipIfStillRunning(cron.DiscardLogger), cron.Recover(panics))
	type entry struct {
		job      cron.Job
		interval time.Duration
	}
	all := []entry{{chain.Then(cron.FuncJob(func() { t.checkAlarms(ctx) })), alarmInterval}}
	for _, s := range t.jobs {
		all = append(all, entry{chain.Then(cron.FuncJob(func() { t.runIfDue(ctx, s) })), checkInterval})
	}
	t.checkAlarms(ctx)
	var running []context.Context
	for ctx.Err() == nil {
		schedule := cron.New()
		for _, of := range all {
			schedule.Schedule(cron.Every(of.interval), of.job)
		}
		schedule.Start()
		waitForClockChange(ctx, t.o.Now)
		running = append(running, schedule.Stop())
	}
	for _, jobs := range running {
		<-jobs.Done()
	}
	return nil
}

// minClockChange is the smallest difference of clock and elapsed time that counts as a change.
const minClockChange = 10 * time.Second

// waitForClockChange returns when ctx ends or the clock was set, that is, moved differently from the elapsed time.
func waitForClockChange(ctx context.Context, clock func() time.Time) {
	began, then := time.Now(), clock().Round(0) //nolint:forbidigo // elapsed time
	for pause(ctx, checkInterval); ctx.Err() == nil; pause(ctx, checkInterval) {
		if change := clock().Round(0).Sub(then) - time.Since(began); change.Abs() > minClockChange { //nolint:forbidigo // see began
			return
		}
	}
}

// runIfDue runs a job if it is due.
func (t *leaderTerm) runIfDue(ctx context.Context, s *scheduledJob) {
	now := t.o.Now()
	wait := s.notBefore.Sub(now) // a longer one than retryDelay comes from a clock that was ahead
	if ctx.Err() != nil || (wait > 0 && wait <= retryDelay) {
		return
	}
	last, err := t.store.Alarms.LastRun(ctx, s.name, s.newest(now))
	if err != nil {
		t.fail(ctx, s, err)
		return
	}
	if period, due := s.due(last, now); due {
		t.run(ctx, s, period)
	}
}

// run runs a job and records it for a period.
func (t *leaderTerm) run(ctx context.Context, s *scheduledJob, period time.Time) {
	if t.holdsLease() != nil { // perhaps this process was suspended, and another one leads
		return
	}
	began := t.o.Now()
	rows, err := t.work(ctx, s.job, period, began)
	if err != nil {
		t.fail(ctx, s, err)
		return
	}
	t.o.Meter.JobDone(s.name, t.o.Now().Sub(began))
	t.o.Meter.LastSuccess(s.name, began)
	t.o.Log.InfoContext(ctx, "job done", "job", s.name, "period", period, "rows", rows)
}

var errPanic = errors.New("panic")

// recoverAsError turns a panic into the error of the function that defers it.
func recoverAsError(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v: %s", errPanic, r, debug.Stack())
	}
}

func (t *leaderTerm) work(ctx context.Context, j job, period, now time.Time) (rows int64, err error) {
	defer recoverAsError(&err)
	if j.oneTransaction {
		rows, _, err = t.store.Alarms.RunOnce(ctx, j.name, period, now, func(ctx context.Context) (int64, error) { return j.work(ctx, now) })
		return rows, err
	}
	if rows, err = j.work(ctx, now); err != nil {
		return rows, err
	}
	return rows, t.store.Alarms.SaveRun(ctx, models.JobRun{Job: j.name, Period: period, DoneAt: now, Rows: rows})
}

func (t *leaderTerm) fail(ctx context.Context, s *scheduledJob, err error) {
	if ctx.Err() != nil { // shutdown, or no longer leading: the next leader does the work
		t.o.Log.InfoContext(ctx, "job cut short", "job", s.name, "error", err)
		return
	}
	s.notBefore = t.o.Now().Add(retryDelay)
	t.o.Meter.JobFailed(s.name)
	if errors.Is(err, db.ErrUnavailable) || errors.Is(err, errTelegram) {
		t.o.Log.WarnContext(ctx, "job failed, will be retried", "job", s.name, "error", err)
		return
	}
	t.o.Log.ErrorContext(ctx, "job failed", "job", s.name, "error", err)
}
