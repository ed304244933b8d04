package bot

import (
	"context"
	"time"
)

// fan queues broadcasts for their players, and removes what cancelled ones left, until ctx ends. Between two batches others get
// to write.
func (b *Bot) fan(ctx context.Context) {
	for ctx.Err() == nil {
		pause := longestLook
		if b.fanOnce(ctx) {
			pause = fanPause
		}
		wait(ctx, pause)
	}
}

// fanOnce queues one batch and removes one; false when neither leaves more to do.
func (b *Bot) fanOnce(ctx context.Context) bool {
	queued := b.batch(ctx, b.store.FanBroadcast)
	cleared := b.batch(ctx, b.store.DropCancelled)
	return queued || cleared
}

func (b *Bot) batch(ctx context.Context, do func(ctx context.Context, now time.Time) (more bool, err error)) bool {
	within, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	more, err := do(within, b.now())
	if err != nil && ctx.Err() == nil {
		b.log.WarnContext(ctx, "a broadcast's batch will be tried again", "error", short(err))
	}
	return more
}
