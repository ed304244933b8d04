// Package jobs runs the leader's scheduled jobs, chain reader and alarms, and in every process the updates of ranks and the clock
// check (decision 0023: leader).
package jobs

import (
	"context"
	"log/slog"
	"time"

	"mcbk/game"
	"mcbk/models/store"
)

// Meter receives the metrics of jobs and alarms. It must be safe for concurrent use.
type Meter interface {
	// Leads reports whether this process leads.
	Leads(leads bool)
	// JobDone counts a run that succeeded.
	JobDone(job string, took time.Duration)
	// JobFailed counts a run that did not.
	JobFailed(job string)
	// LastSuccess reports the time of a job's last success in any process.
	LastSuccess(job string, at time.Time)
	// Alarm reports the state of an alarm.
	Alarm(name, subject string, raised bool, level, limit int64)
	// ClockAhead reports how far this process's clock is ahead of the database's.
	ClockAhead(ahead time.Duration)
}

// Options configure the jobs.
type Options struct {
	Now    func() time.Time
	Season game.Season
	Admins []int64 // Telegram ids of those who receive alarms
	Sales  Sales
	Meter  Meter
	Log    *slog.Logger
}

// leaseRetryDelay is the delay after a failed request for the lease.
const leaseRetryDelay = 2 * time.Second

// Run leads whenever no other process does, until ctx ends. It returns after the running jobs have ended, so that another process
// may lead.
func Run(ctx context.Context, store *store.Store, o Options) error {
	for ctx.Err() == nil {
		err := store.DB.Lead(ctx, "jobs", func(ctx context.Context, held func() error) error {
			o.Log.InfoContext(ctx, "this process leads")
			o.Meter.Leads(true)
			defer o.Meter.Leads(false)
			return newLeaderTerm(store, o, held).serve(ctx)
		})
		if ctx.Err() == nil {
			o.Log.WarnContext(ctx, "this process does not lead", "error", err)
			pause(ctx, leaseRetryDelay)
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
