package bot

import (
	"context"
	"time"
)

// fanOut queues broadcasts for their players, and removes what cancelled ones left, until ctx ends. Between two batches others get
// to write.
func (o *delivery) fanOut(ctx context.Context) {
	for ctx.Err() == nil {
		pause := maxPollInterval
		if o.fanOutOnce(ctx) {
			pause = fanOutInterval
		}
		wait(ctx, pause)
	}
}

// fanOutOnce queues one batch and removes one; false when neither leaves more to do.
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
		o.log.WarnContext(ctx, "a broadcast's batch will be tried again", "error", truncateError(err))
	}
	return more
}
