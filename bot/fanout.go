package bot

import (
	"context"
	"time"
)

// fanOut queues broadcasts' messages and removes those of cancelled ones, until ctx ends. It yields to other writers between batches.
func (o *delivery) fanOut(ctx context.Context) {
	for ctx.Err() == nil {
		pause := maxPollInterval
		if o.fanOutOnce(ctx) {
			pause = fanOutInterval
		}
		wait(ctx, pause)
	}
}

// fanOutOnce queues one batch and removes one; false when no work is left.
func (o *delivery) fanOutOnce(ctx context.Context) bool {
	queued := o.batch(ctx, o.store.Outbox.FanBroadcast)
	cleared := o.batch(ctx, o.store.Outbox.DropCancelled)
	return queued || cleared
}

func (o *delivery) batch(ctx context.Context, do func(ctx context.Context, now time.Time) (more bool, err error)) bool {
	within, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	more, err := do(within, o.now())
	if err != nil && ctx.Err() == nil {
		o.log.WarnContext(ctx, "fan out broadcast", "error", truncateError(err))
	}
	return more
}
