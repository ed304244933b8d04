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
}

// Run does the jobs until ctx ends, then waits for the one that is running. Each is safe to
// run twice, on several processes and after a long pause.
func Run(ctx context.Context, store Store, now func() time.Time, log *slog.Logger) error {
	timetable := cron.New(cron.WithLocation(time.UTC))
	_, err := timetable.AddFunc("@hourly", func() {
		forgotten, err := store.ForgetAnswers(ctx, now())
		if err != nil {
			log.ErrorContext(ctx, "old answers were not forgotten", "error", err)
			return
		}
		log.InfoContext(ctx, "old answers forgotten", "count", forgotten)
	})
	if err != nil {
		return err
	}
	timetable.Start()
	<-ctx.Done()
	<-timetable.Stop().Done()
	return nil
}
