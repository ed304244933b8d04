package jobs

import (
	"context"
	"fmt"
	"time"

	"mcbk/game"
)

// priceTimeout is how long an answer may take. A process that stood still while it waited stores no price of the past: orders
// made meanwhile had another one, and the check of the books allows a minute.
const priceTimeout = 30 * time.Second

// readPrices stores what a TON costs as long as this process leads.
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

// readPrice asks the services what a TON costs and stores it.
func (t *leaderTerm) readPrice(ctx context.Context) (reading game.PriceReading, err error) {
	defer recoverAsError(&err)
	now := t.o.Now()
	reading.At = now // also if no service answers
	if reading, err = t.o.Sales.Price(ctx, now); err != nil {
		return reading, err
	}
	if took := t.o.Now().Sub(now); took > priceTimeout {
		return reading, fmt.Errorf("the answer came after %s", took)
	}
	return reading, t.store.Orders.SavePrice(ctx, reading)
}

// waitForNextPrice returns after an interval, by the clock that prices are judged by: it may be moved ahead where the game is
// tested.
func (t *leaderTerm) waitForNextPrice(ctx context.Context, read time.Time, interval time.Duration) {
	for pause(ctx, time.Second); ctx.Err() == nil; pause(ctx, time.Second) {
		if t.o.Now().Sub(read).Abs() >= interval {
			return
		}
	}
}
