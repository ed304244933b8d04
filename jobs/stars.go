package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcbk/models/stars"
	"mcbk/models/store"
)

const (
	starsPage         = 100              // the most that Telegram gives
	starsIdleInterval = 10 * time.Minute // between two readings while nobody has an order in Stars
)

var errTelegram = errors.New("telegram did not answer")

// starsReader compares payments in Stars with Telegram's list of transactions.
type starsReader struct {
	store *store.Store
	o     Options
	last  time.Time // when the list was last read to its end
}

// read expires orders and, every starsIdleInterval or while one is open, books what Telegram's list has since the last reading: also charges and
// refunds that no update told of.
func (r *starsReader) read(ctx context.Context, now time.Time) (rows int64, err error) {
	if rows, err = r.store.Stars.ExpireOrders(ctx, now); err != nil || r.o.Sales.Stars == nil {
		return rows, err
	}
	open, err := r.store.Stars.HasOpenOrders(ctx)
	if err != nil || !open && now.Sub(r.last).Abs() < starsIdleInterval {
		return rows, err
	}
	for {
		books, err := r.store.Stars.Books(ctx)
		if err != nil {
			return rows, err
		}
		page, err := r.o.Sales.Stars(ctx, books.Transactions, starsPage)
		if err != nil {
			return rows, fmt.Errorf("%w: %w", errTelegram, err)
		}
		for i, t := range page {
			if err := r.store.Stars.Record(ctx, books.Transactions+int64(i), t, r.o.Season, r.o.Now()); err != nil {
				if errors.Is(err, stars.ErrRecorded) {
					return rows, nil // another leader goes on
				}
				return rows, err
			}
			rows++
		}
		if len(page) < starsPage {
			r.last = now
			return rows, nil
		}
	}
}
