package orders_test

import (
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

// An order that was kept from the first days is not worth more on the day when nobody tells what a TON costs.
func TestOldOrderBuysAtDailyPriceWithoutTONPrice(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		kept := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		m.DropPrice(t, 1_250_000, modelstest.Noon.Add(time.Hour)) // half as dear, and the last that anybody told
		late := modelstest.Season.DayStart(88).Add(12 * time.Hour)
		m.Pay(100*game.TON, kept.Comment, late)
		tiny := m.Pay(game.LeastPurchase-1, kept.Comment, late)
		m.Record(t, late.Add(time.Minute))
		modelstest.WantPurchased(t, store, player, 12_500*game.MCBK, 0) // at 0.01 USD each, not at 0.002, and 1.25 a TON
		held := modelstest.WantHeld(t, store, fmt.Sprintf("%s: %d", models.HeldTooLittle, tiny.Amount))
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[0].ID), kept.Comment)
		modelstest.WantPurchased(t, store, player, 12_500*game.MCBK+12_499_999, 0)
	})
}

// Coins are not sold at a price that is disputed or a jump, and money that comes late is not counted at one either.
func TestOneWrongPriceReadingCostsNobodyCoins(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		once, again := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon), modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		m.Pay(game.TON, once.Comment, modelstest.Noon.Add(time.Minute))
		late := modelstest.Noon.Add(4 * time.Hour)
		for ago := 3 * time.Hour; ago > 0; ago -= game.PriceInterval { // however long they differ
			modelstest.NoError(t, store.Orders.SavePrice(t.Context(), game.PriceReading{At: late.Add(-ago), Price: 2_500, Doubtful: true}))
		}
		m.Pay(game.TON, once.Comment, late)
		m.SetPrice(t, 2_500, late.Add(time.Minute))
		m.Pay(game.TON, again.Comment, late.Add(2*time.Minute))
		m.Record(t, late.Add(3*time.Minute))
		modelstest.WantPurchased(t, store, player, 3*1_250*game.MCBK, 0)
	})
}
