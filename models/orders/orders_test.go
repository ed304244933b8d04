package orders_test

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/orders"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

func TestOrderChangesOnlyFromItsReadState(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.NewMarket(t, store)
		order := modelstest.OrderCoins(t, store, modelstest.Buyer(t, store), game.TON, modelstest.Noon)
		other := order
		other.PlayerID++
		cancel := func(o models.Order) error { // as it was read
			return store.DB.InTx(t.Context(), func(tx *gorm.DB) error { return orders.CancelLocked(tx, &o) })
		}
		pay := func(o models.Order) error {
			return store.DB.InTx(t.Context(), func(tx *gorm.DB) error {
				return treasury.AddToOrder(tx, &o, o.Amount, treasury.Source{At: modelstest.Noon, Hash: "hash"})
			})
		}
		modelstest.WantFailure(t, cancel(other), "", "another's order was cancelled")
		modelstest.WantFailure(t, pay(other), "", "another's order was paid")
		modelstest.NoError(t, cancel(order))
		modelstest.WantFailure(t, pay(order), "", "an order that was cancelled meanwhile was paid as an open one")
		modelstest.WantFailure(t, cancel(order), "", "an order was cancelled twice")
		modelstest.WantOrder(t, store, order, models.OrderCancelled, 0)
	})
}

func TestOnlyValidOrdersAreAccepted(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		refuses := func(what string, p models.Player, amount game.Nanoton, at time.Time, code game.Code) {
			t.Helper()
			modelstest.Refuses(store.Orders.OrderCoins(t.Context(), p.ID, amount, modelstest.Season, at))(t, code, what)
		}
		refuses("too little", player, game.LeastPurchase-1, modelstest.Noon, game.AmountTooSmall)
		refuses("too much", player, game.MostPurchase+1, modelstest.Noon, game.AmountTooLarge)
		refuses("without a wallet", modelstest.Player(t, store), game.TON, modelstest.Noon, models.WalletNotConnected)
		refuses("without consent", modelstest.Player(t, store, modelstest.Unconsented()), game.TON, modelstest.Noon, game.AgeConsentRequired)
		refuses("at an old price", player, game.TON, modelstest.Noon.Add(game.PriceFresh+time.Second), orders.PriceUnavailable)
		m.SetPrice(t, 9_000_000, modelstest.Noon.Add(2*time.Minute))
		refuses("after a jump", player, game.TON, modelstest.Noon.Add(2*time.Minute), orders.PriceUnavailable)
		for range 5 {
			modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		}
		refuses("a sixth", player, game.TON, modelstest.Noon, orders.TooManyOpenOrders)
		orders, more, err := store.Orders.Orders(t.Context(), player.ID, models.Page{Limit: 3})
		if err != nil || len(orders) != 3 || !more || orders[0].ID < orders[1].ID {
			t.Errorf("orders %+v, more %t, %v", orders, more, err)
		}
		for i := range 5 {
			modelstest.Must(store.Orders.CancelOrder(t.Context(), player.ID, orders[0].ID-int64(i)))(t)
			modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		}
		modelstest.Must(store.Orders.CancelOrder(t.Context(), player.ID, orders[0].ID+1))(t)
		refuses("an eleventh within an hour", player, game.TON, modelstest.Noon, models.RateLimited)
		var refusal *game.Refusal
		if _, err := store.Orders.OrderCoins(t.Context(), player.ID, game.TON, modelstest.Season, modelstest.Noon.Add(10*time.Minute)); !errors.As(err, &refusal) || refusal.RetryAfter != 50*time.Minute {
			t.Errorf("an eleventh after ten minutes: %v, which is to wait %+v", err, refusal)
		}
		other := modelstest.Buyer(t, store)
		modelstest.Fails(store.Orders.CancelOrder(t.Context(), other.ID, orders[0].ID))(t, db.ErrNotFound, "another's order")
	})
}

func TestOpenOrdersAreLimitedWithoutHourlyLimit(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		store.DB.LiftHourlyLimits()
		modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		for range 11 {
			order := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
			modelstest.Must(store.Orders.CancelOrder(t.Context(), player.ID, order.ID))(t)
		}
		for range 5 {
			modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		}
		modelstest.Refuses(store.Orders.OrderCoins(t.Context(), player.ID, game.TON, modelstest.Season, modelstest.Noon))(t, orders.TooManyOpenOrders, "a sixth that is open")
	})
}

// stuck draws the same again and again while it is told to.
type stuck struct{ on bool }

func (s *stuck) Read(into []byte) (int, error) {
	if s.on {
		clear(into)
		return len(into), nil
	}
	return rand.Read(into)
}

// Two orders that drew one comment would make one player's money another's.
// Telegram shows what an invoice buys, so that a rise of the price between the invoice and its order orders nothing.
func TestInvoiceOfAnEarlierPriceOrdersNothing(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player, now := modelstest.Player(t, store), modelstest.Noon
		invoice := orders.Invoice{
			Comment: "S-1", Stars: 500, StarPrice: modelstest.StarUSD, Coins: 3_250e6, MCBKPrice: game.Price(modelstest.Season.Day(now)), Link: "https://t.me/$1",
		}
		risen := now
		for game.Price(modelstest.Season.Day(risen)) == invoice.MCBKPrice {
			risen = risen.Add(24 * time.Hour)
		}
		modelstest.Refuses(store.Orders.OrderStars(t.Context(), player.ID, invoice, modelstest.Season, risen))(t, orders.PriceUnavailable, "after the rise")
		modelstest.Equal(t, modelstest.Must(store.Orders.OrderStars(t.Context(), player.ID, invoice, modelstest.Season, now))(t).Coins, invoice.Coins, "before it")
	})
}

func TestOrderCommentsAreUnique(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, database string) {
		chance := &stuck{}
		store := modelstest.Must(store.Open(t.Context(), modelstest.Address(t, database), func() time.Time { return modelstest.Noon }, chance))(t)
		defer store.Close() //nolint:errcheck // a test's own
		modelstest.NewMarket(t, store)
		one, other := modelstest.Buyer(t, store), modelstest.Buyer(t, store)
		chance.on = true
		first := modelstest.OrderCoins(t, store, one, game.TON, modelstest.Noon)
		modelstest.FailsWith(store.Orders.OrderCoins(t.Context(), other.ID, game.TON, modelstest.Season, modelstest.Noon))(t, "", "drew what another order has:", first.Comment)
		chance.on = false
		if second := modelstest.OrderCoins(t, store, other, game.TON, modelstest.Noon); second.Comment == first.Comment || len(second.Comment) != len("MC-ABCDEFGHIJ") {
			t.Errorf("asked again, %s is ordered beside %s", second.Comment, first.Comment)
		}
	})
}
