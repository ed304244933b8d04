package db

import (
	"context"
	"fmt"
	"time"
)

// Limits of the difference between clocks.
const (
	MaxSkew     = 30 * time.Second // (decision 0010)
	skewTimeout = 2 * time.Second  // a comparison that takes longer is too imprecise
)

// SkewedError means that this process's clock differs from the database's.
type SkewedError struct{ Ahead time.Duration }

func (e SkewedError) Error() string {
	if e.Ahead < 0 {
		return fmt.Sprintf("the clock is %s behind the database's", -e.Ahead.Round(time.Second))
	}
	return fmt.Sprintf("the clock is %s ahead of the database's", e.Ahead.Round(time.Second))
}

// CompareClocks measures how far wall is ahead of the database's clock. More than 30 s, either way, makes the store refuse writes
// and not be Ready, until a later comparison succeeds. A SQLite file has no clock of its own. wall must have a monotonic reading,
// as time.Now has.
func (d *DB) CompareClocks(ctx context.Context, wall func() time.Time) (ahead time.Duration, err error) {
	if d.Dialect == SQLite {
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(ctx, skewTimeout)
	defer cancel()
	var theirs time.Time
	asked := wall()
	if err := d.Committed(ctx).Raw("SELECT clock_timestamp()").Scan(&theirs).Error; err != nil {
		return 0, fmt.Errorf("read the database's time: %w", err)
	}
	took := wall().Sub(asked)
	if took > skewTimeout { // this process stood still with the answer on its way
		return 0, fmt.Errorf("read the database's time: it took %s", took)
	}
	ahead = asked.Add(took / 2).Sub(theirs)
	d.ahead.Store(int64(ahead))
	return ahead, nil
}

// CheckSkew returns a SkewedError if the clocks differed too much at the last comparison.
func (d *DB) CheckSkew() error {
	if ahead := time.Duration(d.ahead.Load()); ahead.Abs() > MaxSkew {
		return SkewedError{Ahead: ahead}
	}
	return nil
}
