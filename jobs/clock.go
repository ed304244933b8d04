package jobs

import (
	"context"
	"time"

	"mcbk/models/store"
)

// ClockInterval is how often the clocks are compared. (decision 0010: clocks)
const ClockInterval = 10 * time.Second

// WatchClocks compares this process's clock with the database's until ctx ends. Its timer is monotonic: it does not jump with the clock.
func WatchClocks(ctx context.Context, store *store.Store, wall func() time.Time, every time.Duration, o Options) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		ahead, err := store.DB.CompareClocks(ctx, wall)
		if err == nil {
			o.Meter.ClockAhead(ahead)
			_, err = store.Alarms.ReportSkew(ctx, ahead, o.Admins, o.Now())
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			o.Log.WarnContext(ctx, "compare clocks", "error", err)
		case ahead.Abs() > time.Second:
			o.Log.WarnContext(ctx, "clock differs from the database's", "ahead", ahead.String())
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
