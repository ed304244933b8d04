package treasury

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"mcbk/game"
)

// soldFresh is how long this process shows the sum of sold coins as it last read it.
const soldFresh = 5 * time.Second

// soldCache is the sum of sold coins as this process last read it.
type soldCache struct {
	reading sync.Mutex
	current atomic.Pointer[soldAt]
}

type soldAt struct {
	coins game.MicroMCBK
	at    time.Time
}

// Sold returns how many coins were sold, at most five seconds ago, or longer while the database is slow: one call at a time reads the
// sum, and the others use the last one. Only the first reading is waited for.
func (s *Store) Sold(ctx context.Context, now time.Time) (game.MicroMCBK, error) {
	c := &s.sold
	known := c.current.Load()
	if known != nil && now.Sub(known.at).Abs() < soldFresh {
		return known.coins, nil
	}
	if known == nil {
		c.reading.Lock()
	} else if !c.reading.TryLock() {
		return known.coins, nil
	}
	defer c.reading.Unlock()
	if latest := c.current.Load(); latest != known {
		return latest.coins, nil // read while this call waited
	}
	t, _, err := s.Treasury(ctx)
	if err != nil && known != nil {
		return known.coins, nil
	}
	if err != nil {
		return 0, err
	}
	c.current.Store(&soldAt{t.Sold, now})
	return t.Sold, nil
}
