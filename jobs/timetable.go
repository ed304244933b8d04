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

// mostMissed is how many missed periods are caught up: a season's days.
const mostMissed = 90

// job is work for every few minutes, hour or UTC day. Unless it is whole it must be safe to do twice.
type job struct {
	name  string        // also its label and its key in the database, which stay
	every time.Duration // often, hourly or daily
	at    time.Duration // how long after the start of its period it is due
	each  bool          // what was missed is done period by period, oldest first; else only the newest
	whole bool          // its work is one transaction, in which its run is noted
	slow  bool          // it may take minutes, so that nothing waits for it at the start
	do    func(ctx context.Context, period, now time.Time) (rows int64, err error)
}

// timetable is in the order of the first turn.
func timetable(store Store, o Options) []job {
	return []job{
		{name: models.CloseTasksJob, every: daily, slow: true, do: present(func(ctx context.Context, now time.Time) (int64, error) {
			return store.CloseTasks(ctx, o.Season, now)
		})},
		{name: "forget_answers", every: hourly, do: present(store.ForgetAnswers)},
		{name: "forget_updates", every: hourly, do: present(store.ForgetUpdates)},
		{name: "forget_messages", every: hourly, do: present(store.ForgetMessages)},
		{name: "seal_ledger", every: hourly, do: present(store.SealLedger)},
		{name: "count_days", every: hourly, slow: true, do: present(store.CountDays)},
		{name: "expire_offers", every: hourly, do: present(store.ExpireOffers)},
		{name: "pay_spins", every: hourly, do: present(store.PaySpins)},
		{name: "reward_friends", every: often, do: present(store.RewardFriends)},
		{name: "remind", every: often, do: present(func(ctx context.Context, now time.Time) (int64, error) {
			return store.Remind(ctx, o.Season, now)
		})},
		{name: models.TournamentsJob, every: often, do: present(func(ctx context.Context, now time.Time) (int64, error) {
			return store.AdvanceTournaments(ctx, o.Admins, now)
		})},
		{name: models.ExpiringJob, every: often, do: present(store.ExpireActions)},
		{name: models.NoncesJob, every: often, do: present(store.ExpireNonces)},
		{name: "forget_drafts", every: daily, whole: true, do: present(store.ForgetDrafts)},
		{name: "forget_origins", every: daily, do: present(store.ForgetOrigins)},
		{name: "forget_runs", every: daily, whole: true, do: present(store.ForgetRuns)},
		{name: "verify", every: daily, at: 3*time.Hour + 30*time.Minute, slow: true, do: verifier{store, o}.verify},
	}
}

// Due is when a job is done.
type Due struct {
	Job   string
	Every time.Duration
	At    time.Duration // how long after the start of its period
}

// Timetable lists when each job is done, in the order of the first turn.
func Timetable() (all []Due) {
	for _, j := range timetable(struct{ Store }{}, Options{}) {
		all = append(all, Due{j.name, j.every, j.at})
	}
	return all
}

// present is work for which only the present time matters.
func present(do func(ctx context.Context, now time.Time) (int64, error)) func(ctx context.Context, period, now time.Time) (int64, error) {
	return func(ctx context.Context, _, now time.Time) (int64, error) { return do(ctx, now) }
}

// newest is the last period that is due.
func (j job) newest(now time.Time) time.Time { return now.UTC().Add(-j.at).Truncate(j.every) }

// due lists the periods that have to be done. A job that never ran has missed nothing before.
func (j job) due(last models.JobRun, now time.Time) []time.Time {
	newest := j.newest(now)
	if last.Job != "" && last.Period.Equal(newest) {
		return nil
	}
	if last.Job == "" || !j.each {
		return []time.Time{newest}
	}
	from := last.Period.Add(j.every)
	if oldest := newest.Add(-(mostMissed - 1) * j.every); from.Before(oldest) {
		from = oldest
	}
	var periods []time.Time
	for p := from; !p.After(newest); p = p.Add(j.every) {
		periods = append(periods, p)
	}
	return periods
}

// allowance is how late a job may be before the admins are told.
func (j job) allowance() time.Duration {
	switch {
	case j.every <= hourly:
		return time.Hour
	case j.slow: // it may still be at work
		return verifyTime + time.Hour
	}
	return 3 * time.Hour
}

// lateness is how long ago the oldest period that is not done was due; a job that never ran counts
// from a time since when it could have.
func (j job) lateness(last models.JobRun, since, now time.Time) time.Duration {
	if last.Job == "" {
		return now.Sub(since)
	}
	return now.Sub(last.Period.Add(j.every + j.at))
}
