package ledger

import (
	"context"
	"time"
)

// CountDaysInChunks is CountDays in chunks of a size that a test can reach.
func (s *Ledger) CountDaysInChunks(ctx context.Context, chunk int, now time.Time) (int64, error) {
	return s.countDaysInChunks(ctx, chunk, now)
}

// DaysWithTail is Days with a limit that a test can reach on what is not counted yet.
func (s *Ledger) DaysWithTail(ctx context.Context, now time.Time, days, tail int) (Days, error) {
	return s.daysWithTail(ctx, now, days, tail)
}
