// Package jobs runs the scheduled jobs, the reader of the chain and the alarms, in the leader; and in every process what keeps
// ranks and clocks right. (decision 0023: leader)
package jobs

import (
	"context"
	"log/slog"
	"time"

	"mcbk/game"
	"mcbk/models"
)

// Store is what the jobs need of the database.
type Store interface {
	Leases
	Runs
	Alarms
	Treasury

	// ForgetAnswers deletes stored answers that are too old and returns how many.
	ForgetAnswers(ctx context.Context, now time.Time) (int64, error)
	// ForgetUpdates deletes the bot's finished updates that are too old and returns how many.
	ForgetUpdates(ctx context.Context, now time.Time) (int64, error)
	// ForgetMessages deletes the outbox's finished messages that are too old and returns how many.
	ForgetMessages(ctx context.Context, now time.Time) (int64, error)
	// SealLedger makes a checkpoint over postings that are settled and returns how many.
	SealLedger(ctx context.Context, now time.Time) (int64, error)
	// CountDays adds sealed postings to the totals of their days and returns how many.
	CountDays(ctx context.Context, now time.Time) (int64, error)
	// ExpireOffers closes ad tickets and advice that are too old and returns how many.
	ExpireOffers(ctx context.Context, now time.Time) (int64, error)
	// PaySpins pays the wheel's prizes that nobody claimed in time and returns how many.
	PaySpins(ctx context.Context, now time.Time) (int64, error)
	// ExpireActions closes admins' questions that were not confirmed in time and returns how many.
	ExpireActions(ctx context.Context, now time.Time) (int64, error)
	// Remind queues reminders for players who have something to come back for and returns how many.
	Remind(ctx context.Context, season game.Season, now time.Time) (int64, error)
	// RewardFriends pays inviters for friends who qualified and returns how many it paid for.
	RewardFriends(ctx context.Context, now time.Time) (int64, error)
	// ExpireNonces closes wallets' nonces that were not used in time and returns how many.
	ExpireNonces(ctx context.Context, now time.Time) (int64, error)
	// ForgetDrafts deletes broadcasts that were never confirmed and returns how many.
	ForgetDrafts(ctx context.Context, now time.Time) (int64, error)
	// ForgetOrigins deletes the origins of players who came long ago and returns how many.
	ForgetOrigins(ctx context.Context, now time.Time) (int64, error)
	// ForgetRuns deletes old records of jobs and alarms and returns how many.
	ForgetRuns(ctx context.Context, now time.Time) (int64, error)
	// CloseTasks prepares today's tasks, pays and closes those of past days and returns how many.
	CloseTasks(ctx context.Context, season game.Season, now time.Time) (int64, error)
	// AdvanceTournaments takes tournaments as far as the clock and the chain allow, and returns how many steps it took.
	AdvanceTournaments(ctx context.Context, admins []int64, now time.Time) (int64, error)
	// VerifyPart checks every invariant from where it stopped before, as long as more returns true.
	VerifyPart(ctx context.Context, season game.Season, now time.Time, more func() bool) (models.Report, error)
	// VerifyAnew makes the next part begin with the first player.
	VerifyAnew(ctx context.Context, now time.Time) error
}

// Leases elect one process as the leader.
type Leases interface {
	// Lead runs lead while this process leads; held returns an error once it no longer does.
	Lead(ctx context.Context, name string, lead func(ctx context.Context, held func() error) error) error
}

// Runs stores what was done when.
type Runs interface {
	// LastRun is a job's newest run for a period not after upTo; its Job is empty if there is none.
	LastRun(ctx context.Context, job string, upTo time.Time) (models.JobRun, error)
	// KeepRun records that a period's work is done.
	KeepRun(ctx context.Context, run models.JobRun) error
	// RunOnce does a period's work and records it in one transaction, unless it is done.
	RunOnce(ctx context.Context, job string, period, now time.Time, work func(ctx context.Context) (rows int64, err error)) (rows int64, ours bool, err error)
}

// Meter receives the metrics of jobs and alarms. It must be safe for concurrent use.
type Meter interface {
	// Leads reports whether this process leads.
	Leads(leads bool)
	// JobDone counts a run that succeeded.
	JobDone(job string, took time.Duration)
	// JobFailed counts a run that did not.
	JobFailed(job string)
	// LastSuccess reports when a job was last done, by whatever process.
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

// leaseRetryDelay is how long a process waits after it could not even ask for the lease.
const leaseRetryDelay = 2 * time.Second

// Run leads whenever no other process does, until ctx ends. When it returns the running jobs have ended, and another process may
// lead.
func Run(ctx context.Context, store Store, o Options) error {
	for ctx.Err() == nil {
		err := store.Lead(ctx, "jobs", func(ctx context.Context, held func() error) error {
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
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
