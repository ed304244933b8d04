package bot

import (
	"context"
	"sync/atomic"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/models/outbox"
	"mcbk/models/store"
)

// sendPause is the delay of Telegram's 429, observed by all processes.
type sendPause struct {
	store *store.Store
	now   func() time.Time
	until atomic.Int64 // Unix nanoseconds; this process only
}

// allows reports whether sending is allowed: no process is paused by Telegram. An unavailable database does not pause.
func (p *sendPause) allows(ctx context.Context) bool {
	if p.local() > 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	until, err := p.store.Outbox.PausedUntil(ctx)
	return err != nil || p.remaining(until) == 0
}

// remaining returns the delay until a moment. One of more than a day was stored by a wrong clock and is ignored.
func (p *sendPause) remaining(until time.Time) time.Duration {
	left := until.Sub(p.now())
	if left > outbox.LongestSilence {
		return 0
	}
	return max(left, 0)
}

// local returns this process's remaining pause. An ignored one is cleared, or it would apply a day later.
func (p *sendPause) local() time.Duration {
	until := p.until.Load()
	left := p.remaining(time.Unix(0, until))
	if left == 0 {
		p.until.CompareAndSwap(until, 0)
	}
	return left
}

// begin pauses this process for Telegram's retry_after and returns the end.
func (p *sendPause) begin(asked *telegram.TooManyRequestsError) time.Time {
	wait := time.Duration(min(max(asked.RetryAfter, 1), int(outbox.LongestSilence/time.Second))) * time.Second
	until := p.now().Add(wait)
	for {
		was := p.until.Load()
		if (was >= until.UnixNano() && p.local() > 0) || p.until.CompareAndSwap(was, until.UnixNano()) {
			return until
		}
	}
}
