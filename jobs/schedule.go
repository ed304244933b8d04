package jobs

import (
	"context"
	"time"

	"mcbk/models"
)

const (
	often  = 5 * time.Minute
	hourly = time.Hour
	daily  = 24 * time.Hour
)

// job is work for every few minutes, hour or UTC day. A job that is not one transaction must be idempotent.
type job struct {
	name           string        // also its label and its key in the database, so it must not change
	every          time.Duration // often, hourly or daily
	at             time.Duration // how long after the start of its period it is due
	oneTransaction bool          // its work is one transaction, in which its run is noted
	slow           bool          // it may take minutes, so nothing waits for it at the start
	do             func(ctx context.Context, now time.Time) (rows int64, err error)
}

// schedule lists the jobs in the order in which they first run.
func schedule(store Store, o Options) []job {
	return []job{
		{name: models.CloseTasksJob, every: daily, slow: true, do: func(ctx context.Context, now time.Time) (int64, error) {
			return store.CloseTasks(ctx, o.Season, now)
		}},
		{name: "forget_answers", every: hourly, do: store.ForgetAnswers},
		{name: "forget_updates", every: hourly, do: store.ForgetUpdates},
		{name: "forget_messages", every: hourly, do: store.ForgetMessages},
		{name: models.SealLedgerJob, every: hourly, do: store.SealLedger},
		{name: "count_days", every: hourly, slow: true, do: store.CountDays},
		{name: "expire_offers", every: hourly, do: store.ExpireOffers},
		{name: "pay_spins", every: often, do: store.PaySpins},
		{name: "reward_friends", every: often, do: store.RewardFriends},
		{name: "remind", every: often, do: func(ctx context.Context, now time.Time) (int64, error) {
			return store.Remind(ctx, o.Season, now)
		}},
		{name: models.TournamentsJob, every: often, do: func(ctx context.Context, now time.Time) (int64, error) {
			return store.AdvanceTournaments(ctx, o.Admins, now)
		}},
		{name: models.ExpireActionsJob, every: often, do: store.ExpireActions},
		{name: models.ExpireNoncesJob, every: often, do: store.ExpireNonces},
		{name: "forget_drafts", every: daily, oneTransaction: true, do: store.ForgetDrafts},
		{name: "forget_origins", every: daily, do: store.ForgetOrigins},
		{name: "forget_runs", every: daily, oneTransaction: true, do: store.ForgetRuns},
		{name: "verify", every: daily, at: 3*time.Hour + 30*time.Minute, slow: true, do: verifier{store, o}.verify},
	}
}

// Due is when a job is due.
type Due struct {
	Job   string
	Every time.Duration
	At    time.Duration // how long after the start of its period
}

// Schedule lists when each job is due, in the order in which they first run.
func Schedule() (all []Due) {
	for _, j := range schedule(struct{ Store }{}, Options{}) {
		all = append(all, Due{j.name, j.every, j.at})
	}
	return all
}

// newest returns the last period that is due.
func (j job) newest(now time.Time) time.Time { return now.UTC().Add(-j.at).Truncate(j.every) }

// due returns the newest period if it is not done yet. Periods missed before it are not made up for: a run does all that is left.
func (j job) due(last models.JobRun, now time.Time) (period time.Time, due bool) {
	period = j.newest(now)
	return period, last.Job == "" || !last.Period.Equal(period)
}

// allowance returns how late a job may be before the admins are told.
func (j job) allowance() time.Duration {
	switch {
	case j.every <= hourly:
		return time.Hour
	case j.slow: // it may still be at work
		return verifyTime + time.Hour
	}
	return 3 * time.Hour
}

// lateness returns how long ago the oldest period that is not done was due; a job that never ran counts from since, when it could
// first have run.
func (j job) lateness(last models.JobRun, since, now time.Time) time.Duration {
	if last.Job == "" {
		return now.Sub(since)
	}
	return now.Sub(last.Period.Add(j.every + j.at))
}
