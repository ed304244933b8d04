package treasury

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"mcbk/game"
	"mcbk/models/db"
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
	var sold game.MicroMCBK
	err := s.db.Read(ctx).Raw("SELECT CAST((SELECT sold FROM star_books) + COALESCE((SELECT sold FROM treasury), 0) AS BIGINT)").Scan(&sold).Error
	if err != nil && known != nil {
		return known.coins, nil
	}
	if err != nil {
		return 0, db.WrapUnavailable(fmt.Errorf("read how much was sold: %w", err))
	}
	c.current.Store(&soldAt{sold, now})
	return sold, nil
}
