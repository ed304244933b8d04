package jobs

import (
	"context"
	"time"

	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/ledger"
	"mcbk/models/mines"
	"mcbk/models/store"
	"mcbk/models/tasks"
	"mcbk/models/wallet"
)

const (
	minutely    = time.Minute
	fiveMinutes = 5 * time.Minute
	hourly      = time.Hour
	daily       = 24 * time.Hour
)

// job is periodic work. One that is not a single transaction must be idempotent.
type job struct {
	name           string        // also its metric label and database key: it must not change
	interval       time.Duration // minutely, fiveMinutes, hourly or daily
	at             time.Duration // offset from the start of its period
	oneTransaction bool          // its work is one transaction, which also records its run
	slow           bool          // it may take minutes, so the start does not wait for it
	work           func(ctx context.Context, now time.Time) (rows int64, err error)
}

// schedule lists the jobs in the order in which they first run.
func schedule(store *store.Store, o Options) []job {
	return []job{
		{name: tasks.CloseTasksJob, interval: daily, slow: true, work: func(ctx context.Context, now time.Time) (int64, error) {
			return store.Tasks.CloseTasks(ctx, o.Season, now)
		}},
		{name: "forget_answers", interval: hourly, work: store.Commit.ForgetAnswers},
		{name: "forget_updates", interval: hourly, work: store.Outbox.ForgetUpdates},
		{name: "forget_messages", interval: hourly, work: store.Outbox.ForgetMessages},
		{name: ledger.SealLedgerJob, interval: hourly, work: store.Ledger.SealLedger},
		{name: "count_days", interval: hourly, slow: true, work: store.Ledger.CountDays},
		{name: "expire_offers", interval: hourly, work: store.Ads.ExpireOffers},
		{name: "read_stars", interval: minutely, work: (&starsReader{store: store, o: o}).read},
		{name: "pay_spins", interval: fiveMinutes, work: store.Wheel.PaySpins},
		{name: "reward_friends", interval: fiveMinutes, work: store.Friends.RewardFriends},
		{name: "remind", interval: fiveMinutes, work: func(ctx context.Context, now time.Time) (int64, error) {
			return store.Outbox.Remind(ctx, o.Season, now)
		}},
		{name: mines.TournamentsJob, interval: fiveMinutes, work: func(ctx context.Context, now time.Time) (int64, error) {
			return store.Mines.AdvanceTournaments(ctx, o.Admins, now)
		}},
		{name: admin.ExpireActionsJob, interval: fiveMinutes, work: store.Admin.ExpireActions},
		{name: wallet.ExpireNoncesJob, interval: fiveMinutes, work: store.Wallet.ExpireNonces},
		{name: "forget_drafts", interval: daily, oneTransaction: true, work: store.Outbox.ForgetDrafts},
		{name: "forget_origins", interval: daily, work: store.Privacy.ForgetOrigins},
		{name: "forget_runs", interval: daily, oneTransaction: true, work: store.Alarms.ForgetRuns},
		{name: "verify", interval: daily, at: 3*time.Hour + 30*time.Minute, slow: true, work: verifier{store, o}.verify},
	}
}

// Due is when a job is due.
type Due struct {
	Job   string
	Every time.Duration
	At    time.Duration // offset from the start of its period
}

// Schedule lists when each job is due, in the order in which they first run.
func Schedule() (all []Due) {
	for _, j := range schedule(new(store.Store), Options{}) {
		all = append(all, Due{j.name, j.interval, j.at})
	}
	return all
}

// newest returns the last period that is due.
func (j job) newest(now time.Time) time.Time { return now.UTC().Add(-j.at).Truncate(j.interval) }

// due returns the newest period unless it is done. Missed periods are not repeated: a run does all remaining work.
func (j job) due(last models.JobRun, now time.Time) (period time.Time, due bool) {
	period = j.newest(now)
	return period, last.Job == "" || !last.Period.Equal(period)
}

// allowance returns how overdue a job may be before an alarm is raised.
func (j job) allowance() time.Duration {
	switch {
	case j.interval <= hourly:
		return time.Hour
	case j.slow: // it may still run
		return verifyTimeout + time.Hour
	}
	return 3 * time.Hour
}

// overdue returns the lateness of the oldest unfinished period; a job that never ran counts from since, when it could first have run.
func (j job) overdue(last models.JobRun, since, now time.Time) time.Duration {
	if last.Job == "" {
		return now.Sub(since)
	}
	return now.Sub(last.Period.Add(j.interval + j.at))
}
