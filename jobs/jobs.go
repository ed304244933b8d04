// Package jobs does the work nobody asks for: what is due by the clock.
package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/robfig/cron/v3"
)

// Store is what the jobs need of the program's memory.
type Store interface {
	// ForgetAnswers deletes stored answers that are too old and returns how many.
	ForgetAnswers(ctx context.Context, now time.Time) (int64, error)
	// ForgetUpdates deletes the bot's finished updates that are too old and returns how many.
	ForgetUpdates(ctx context.Context, now time.Time) (int64, error)
}

// job is work with a timetable. It must be safe to run twice, on several processes and after a
// long pause.
type job struct {
	name string
	when string // cron's words, UTC
	do   func(ctx context.Context, now time.Time) (rows int64, err error)
}

func timetable(store Store) []job {
	return []job{
		{"forget answers", "@hourly", store.ForgetAnswers},
		{"forget updates", "@hourly", store.ForgetUpdates},
	}
}

// Run does the jobs until ctx ends, then waits for those that are running.
func Run(ctx context.Context, store Store, now func() time.Time, log *slog.Logger) error {
	told := cron.PrintfLogger(slog.NewLogLogger(log.Handler(), slog.LevelError))
	table := cron.New(cron.WithLocation(time.UTC), cron.WithChain(cron.Recover(told), cron.SkipIfStillRunning(told)))
	for _, j := range timetable(store) {
		if _, err := table.AddFunc(j.when, func() { j.run(ctx, now(), log) }); err != nil {
			return err
		}
	}
	table.Start()
	<-ctx.Done()
	<-table.Stop().Done()
	return nil
}

func (j job) run(ctx context.Context, now time.Time, log *slog.Logger) {
	rows, err := j.do(ctx, now)
	if err != nil {
		log.ErrorContext(ctx, "job failed", "job", j.name, "error", err)
		return
	}
	log.InfoContext(ctx, "job done", "job", j.name, "rows", rows)
}
