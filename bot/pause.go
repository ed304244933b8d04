package bot

import (
	"context"
	"sync/atomic"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/models/outbox"
	"mcbk/models/store"
)

// sendPause is the wait that Telegram asks for after too many requests (429). All processes observe it.
type sendPause struct {
	store *store.Store
	now   func() time.Time
	until atomic.Int64 // in Unix nanoseconds: until then this process sends nothing
}

// allows reports whether sending is allowed: Telegram has asked neither this process nor another to wait. While the database
// does not answer, it is.
func (p *sendPause) allows(ctx context.Context) bool {
	if p.local() > 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	until, err := p.store.Outbox.PausedUntil(ctx)
	return err != nil || p.remaining(until) == 0
}

// remaining returns how long to wait until a moment. A wait of more than a day was noted by a wrong clock and is ignored.
func (p *sendPause) remaining(until time.Time) time.Duration {
	left := until.Sub(p.now())
	if left > outbox.LongestSilence {
		return 0
	}
	return max(left, 0)
}

// local returns the wait that this process was asked for. One that is ignored is also forgotten, or it would be believed a
// day later.
func (p *sendPause) local() time.Duration {
	until := p.until.Load()
	left := p.remaining(time.Unix(0, until))
	if left == 0 {
		p.until.CompareAndSwap(until, 0)
	}
	return left
}

// begin stops this process from sending for as long as Telegram asks, and returns until when.
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
