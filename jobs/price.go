package jobs

import (
	"context"
	"fmt"
	"time"

	"mcbk/game"
)

// priceTimeout limits a request. A later response, of a suspended process, is outdated: orders made meanwhile had another price, and
// verify tolerates a minute.
const priceTimeout = 30 * time.Second

func (t *leaderTerm) readPrices(ctx context.Context) {
	if t.o.Sales.Price == nil {
		return
	}
	for ctx.Err() == nil {
		reading, err := t.readPrice(ctx)
		next := game.PriceInterval
		if err != nil && ctx.Err() == nil {
			t.logReadFailure(ctx, "read_price", "the price of TON was not read", err)
			next = priceRetryDelay
		}
		t.waitForNextPrice(ctx, reading.At, next)
	}
}

func (t *leaderTerm) readPrice(ctx context.Context) (reading game.PriceReading, err error) {
	defer recoverAsError(&err)
	now := t.o.Now()
	reading.At = now // also after a failure
	if reading, err = t.o.Sales.Price(ctx, now); err != nil {
		return reading, err
	}
	if took := t.o.Now().Sub(now); took > priceTimeout {
		return reading, fmt.Errorf("late response: %s", took)
	}
	return reading, t.store.Orders.SavePrice(ctx, reading)
}

// waitForNextPrice waits by the clock of the prices: tests may move it ahead.
func (t *leaderTerm) waitForNextPrice(ctx context.Context, read time.Time, interval time.Duration) {
	for pause(ctx, time.Second); ctx.Err() == nil; pause(ctx, time.Second) {
		if t.o.Now().Sub(read).Abs() >= interval {
			return
		}
	}
}
