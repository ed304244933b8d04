package ledger

import (
	"context"
	"time"
)

// CountDaysInChunks is CountDays in chunks of a size that a test can reach.
func (s *Ledger) CountDaysInChunks(ctx context.Context, chunk int, now time.Time) (int64, error) {
	limited := *s
	limited.countChunk = chunk
	return limited.CountDays(ctx, now)
}

// DaysWithTail is Days with a limit that a test can reach on what is not counted yet.
func (s *Ledger) DaysWithTail(ctx context.Context, now time.Time, days, tail int) (Days, error) {
	limited := *s
	limited.countTail = tail
	return limited.Days(ctx, now, days)
}
