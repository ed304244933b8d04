package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/stars"
)

// telegramList is Telegram's list of transactions, and how often it was asked for.
type telegramList struct {
	lines []stars.Transaction
	asked int
	fails error
}

func (l *telegramList) page(_ context.Context, offset int64, limit int) ([]stars.Transaction, error) {
	l.asked++
	rest := l.lines[min(int(offset), len(l.lines)):]
	return rest[:min(limit, len(rest))], l.fails
}

func TestTransactionsInStarsAreReadToTheEnd(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, database string) {
		h, list := newHarnessOn(t, database), &telegramList{}
		r := &starsReader{store: h.store, o: Options{Now: h.now, Season: modelstest.Season, Sales: Sales{Stars: list.page}}}
		reads := func(what string, rows int64, asked int, at time.Time) {
			t.Helper()
			list.asked = 0
			if n, err := r.read(t.Context(), at); err != nil || n != rows || list.asked != asked {
				t.Errorf("%s: %d rows of %d questions, %v; want %d of %d", what, n, list.asked, err, rows, asked)
			}
		}
		busy := modelstest.Noon.Add(time.Minute)
		reads("at leisure", 0, 1, modelstest.Noon)
		reads("a minute later", 0, 0, busy)

		buyer := modelstest.Player(t, h.store)
		order := modelstest.OrderStars(t, h.store, buyer, 5, modelstest.Noon)
		charge := modelstest.Charge(buyer, order, "charge-1")
		list.lines = append(list.lines, modelstest.Listed(charge))
		for range starsPage {
			list.lines = append(list.lines, stars.Transaction{ChargeID: "withdrawn", Stars: 1, At: modelstest.Noon})
		}
		reads("with an open order", int64(len(list.lines)), 2, busy)
		modelstest.WantPurchased(t, h.store, buyer, order.Coins, 0)

		open := modelstest.OrderStars(t, h.store, buyer, 5, modelstest.Noon)
		list.fails = errors.New("away")
		if _, err := r.read(t.Context(), busy); !errors.Is(err, errTelegram) {
			t.Errorf("a list that is away: %v", err)
		}
		list.fails = nil
		reads("once it has expired", 1, 1, open.ExpiresAt.Add(time.Second))
		if o := modelstest.Must(h.store.Orders.Order(t.Context(), buyer.ID, open.ID))(t); o.State != models.OrderExpired {
			t.Errorf("the order is %s", o.State)
		}
		modelstest.Sound(t, h.store)
	})
}
