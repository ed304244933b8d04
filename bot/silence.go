package bot

import (
	"context"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/models"
)

// mayTalk reports whether sending is allowed: Telegram has asked neither this process nor another to wait. While the database
// does not answer, it is.
func (b *Bot) mayTalk(ctx context.Context) bool {
	if b.ownSilence() > 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	until, err := b.store.SilentUntil(ctx)
	return err != nil || b.silence(until) == 0
}

// silence returns how long to wait until a moment. A wait of more than a day was noted by a wrong clock and is ignored.
func (b *Bot) silence(until time.Time) time.Duration {
	silence := until.Sub(b.now())
	if silence > models.LongestSilence {
		return 0
	}
	return max(silence, 0)
}

// ownSilence returns the wait that this process was asked for. One that is ignored is also forgotten, or it would be believed a
// day later.
func (b *Bot) ownSilence() time.Duration {
	until := b.silent.Load()
	silence := b.silence(time.Unix(0, until))
	if silence == 0 {
		b.silent.CompareAndSwap(until, 0)
	}
	return silence
}

// fallSilent stops this process from sending for as long as Telegram asks, and returns until when.
func (b *Bot) fallSilent(asked *telegram.TooManyRequestsError) time.Time {
	silence := time.Duration(min(max(asked.RetryAfter, 1), int(models.LongestSilence/time.Second))) * time.Second
	until := b.now().Add(silence)
	for {
		was := b.silent.Load()
		if (was >= until.UnixNano() && b.ownSilence() > 0) || b.silent.CompareAndSwap(was, until.UnixNano()) {
			return until
		}
	}
}
