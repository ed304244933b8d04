package treasury_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/orders"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

func TestPaymentOnTimeCreditsOrderAndInviter(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		inviter := modelstest.Player(t, store)
		friend := modelstest.Buyer(t, store, modelstest.InvitedBy(inviter))
		order := modelstest.OrderCoins(t, store, friend, 2*game.TON, modelstest.Noon)
		if order.Coins != 2500*game.MCBK || order.State != models.OrderPending || !order.ExpiresAt.Equal(modelstest.Noon.Add(15*time.Minute)) {
			t.Errorf("ordered %+v", order)
		}
		m.SetPrice(t, 2_900_000, modelstest.Noon.Add(time.Minute))
		tx := m.Pay(2*game.TON, " "+strings.ToLower(order.Comment)+"\n", modelstest.Noon.Add(2*time.Minute))
		m.Record(t, modelstest.Noon.Add(3*time.Minute))
		modelstest.WantPurchased(t, store, friend, 2500*game.MCBK, 0)
		modelstest.WantPurchased(t, store, inviter, 0, 25*game.MCBK)
		modelstest.WantOrder(t, store, order, models.OrderPaid, 2*game.TON)
		paid, err := store.Orders.Order(t.Context(), friend.ID, order.ID)
		if err != nil || *paid.TxHash != tx.Hash || !paid.PaidAt.Equal(tx.At) {
			t.Errorf("paid by %+v, %v", paid, err)
		}
		if treasury, _, err := store.Treasury.Treasury(t.Context()); err != nil || treasury.Sold != 2500*game.MCBK || treasury.Cursor != tx.ChainCursor {
			t.Errorf("the treasury: %+v, %v", treasury, err)
		}
		modelstest.WantHeld(t, store)
	})
}

func TestUnusualPaymentsAreHeldOrCredited(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		m.DropPrice(t, 1_250_000, modelstest.Noon.Add(20*time.Minute)) // half as dear: more coins would be asked for a TON
		player := modelstest.Buyer(t, store)
		late, again, little, cancelled := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon), modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon),
			modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon), modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		large := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		modelstest.Equal(t, modelstest.Must(store.Orders.CancelOrder(t.Context(), player.ID, cancelled.ID))(t).State, models.OrderCancelled, "cancelled")
		inTime, after := modelstest.Noon.Add(5*time.Minute), modelstest.Noon.Add(25*time.Minute)
		m.Pay(game.TON, again.Comment, inTime)     // 1250
		m.Pay(game.TON/2, little.Comment, inTime)  // 625
		m.Pay(game.TON, cancelled.Comment, inTime) // 1250: both prices are the same
		m.Pay(1001*game.TON, large.Comment, inTime)
		m.Pay(game.TON, again.Comment, after) // 625
		m.Pay(game.TON, late.Comment, after)  // 625
		m.Pay(game.TON, "MC-NOSUCHONE1", after)
		m.Pay(game.TON, "", after)
		m.Pay(game.TON/20, late.Comment, after)
		m.Pay(game.TON, late.Comment, after)
		m.Next[len(m.Next)-1].Kind = "returned"
		m.Record(t, after.Add(time.Minute))
		modelstest.WantPurchased(t, store, player, (1250+625+1250+1_250_000+625+625)*game.MCBK, 0)
		modelstest.WantOrder(t, store, again, models.OrderPaid, 2*game.TON)
		modelstest.WantOrder(t, store, little, models.OrderPaid, game.TON/2)
		modelstest.WantOrder(t, store, cancelled, models.OrderPaid, game.TON)
		modelstest.WantOrder(t, store, late, models.OrderPaid, game.TON)
		modelstest.WantOrder(t, store, large, models.OrderPaid, 1000*game.TON)
		modelstest.WantHeld(t, store, "beyond 1000 TON of an order: 1000000000", "no such order: 1000000000", "no comment: 1000000000", "less than 0.1 TON: 50000000")
		orders, _, err := store.Orders.Orders(t.Context(), player.ID, models.Page{Limit: 10})
		var brought []string
		for _, o := range orders {
			brought = append(brought, fmt.Sprintf("%s %d, held %d", o.State, o.Credited, o.Held))
		}
		want := []string{"paid 1250000000000, held 1000000000", "paid 1250000000, held 0", "paid 625000000, held 0", "paid 1875000000, held 0", "paid 625000000, held 50000000"}
		if err != nil || !slices.Equal(brought, want) {
			t.Errorf("the orders brought %q, not %q: %v", brought, want, err)
		}
	})
}

func TestSenderHearsOfPaymentWithoutOrder(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		at := modelstest.Noon.Add(time.Minute)
		claimed, proven := "0:aa", modelstest.Player(t, store)
		pay := func(amount game.Nanoton, comment string) {
			m.Pay(amount, comment, at)
			m.Next[len(m.Next)-1].Source = claimed
		}
		modelstest.Must(store.Wallet.SetWallet(t.Context(), modelstest.Player(t, store).ID, &claimed))(t)
		pay(game.TON, "")
		m.Record(t, at)
		modelstest.Equal(t, modelstest.CountMessages(t, store, "unmatched:"), 0, "messages to who has not proven the wallet")
		modelstest.ProveWallet(t, store, proven, claimed, at)
		pay(game.TON, "thanks")
		pay(game.TON/20, "") // too little for a purchase
		pay(game.TON, modelstest.OrderCoins(t, store, proven, game.TON, modelstest.Noon).Comment)
		m.Record(t, at.Add(time.Minute))
		held, err := store.Outbox.Message(t.Context(), "unmatched:2")
		want := map[string]string{"nanoton": "1000000000"}
		if err != nil || held.ChatID != proven.TelegramID || held.Kind != models.PaymentUnmatched || !maps.Equal(held.Params, want) {
			t.Errorf("the sender is told %+v, %v", held, err)
		}
		modelstest.Equal(t, modelstest.CountMessages(t, store, "unmatched:"), 1, "messages")
	})
}

func TestAdminSettlesHeldPayments(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m, player, order := modelstest.NewOrder(t, store)
		for range 3 {
			m.Pay(game.TON, "for my coins", modelstest.Noon.Add(time.Minute))
		}
		m.Record(t, modelstest.Noon.Add(2*time.Minute))
		held := modelstest.WantHeld(t, store, "no such order: 1000000000", "no such order: 1000000000", "no such order: 1000000000")
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[0].ID), order.Comment)
		modelstest.WantPurchased(t, store, player, 1250*game.MCBK, 0)
		modelstest.WantOrder(t, store, order, models.OrderPaid, game.TON)
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[1].ID), fmt.Sprint(player.ID))
		modelstest.WantPurchased(t, store, player, 2500*game.MCBK, 0)
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[2].ID), treasury.MatchRefund)
		modelstest.WantPurchased(t, store, player, 2500*game.MCBK, 0)
		modelstest.WantHeld(t, store)
		modelstest.Refused(t, store, game.AlreadyClaimed, treasury.ActionMatch, fmt.Sprint(held[2].ID), order.Comment)
		modelstest.WantPurchased(t, store, player, 2500*game.MCBK, 0)
	})
}

// It is the chain's time that counts, not when it was seen or when an admin woke up.
func TestPaymentOnTimeCountsAfterItsOrderExpired(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		asleep, shard, late := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon), modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon), modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		m.DropPrice(t, 1_250_000, modelstest.Noon.Add(14*time.Minute)) // half as dear
		grace := modelstest.Noon.Add(16 * time.Minute)
		m.Pay(game.TON, "for my coins", grace)
		m.Pay(game.TON, "for my coins", grace.Add(time.Second))
		m.Record(t, grace.Add(2*time.Second))
		modelstest.Returns(store.Treasury.ExpireOrders(t.Context()))(t, 3, "expired")
		m.Pay(game.TON, shard.Comment, grace)
		m.Record(t, grace.Add(3*time.Second))
		modelstest.WantPurchased(t, store, player, 1250*game.MCBK, 0)
		held := modelstest.WantHeld(t, store, "no such order: 1000000000", "no such order: 1000000000")
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[0].ID), asleep.Comment)
		modelstest.WantPurchased(t, store, player, 2500*game.MCBK, 0)
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[1].ID), late.Comment)
		modelstest.WantPurchased(t, store, player, (2500+625)*game.MCBK, 0)
	})
}

// Half of the hour's price is none yet, and one of eleven minutes ago none any more.
func TestPaymentBeforeSalesCreditsNothing(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		for _, at := range []time.Duration{2 * time.Minute, 4 * time.Minute, 8 * time.Minute} {
			m.SetPrice(t, 1_250_000, modelstest.Noon.Add(at))
		}
		for _, at := range []time.Duration{time.Minute, 3 * time.Minute, 15 * time.Minute, 19 * time.Minute} {
			m.Pay(game.TON, "for my coins", modelstest.Noon.Add(at))
		}
		m.Record(t, modelstest.Noon.Add(20*time.Minute))
		const held = "no such order: 1000000000"
		for i, payment := range modelstest.WantHeld(t, store, held, held, held, held) {
			args := []string{fmt.Sprint(payment.ID), fmt.Sprint(player.ID)}
			if i == 0 || i == 2 {
				modelstest.Done(t, store, treasury.ActionMatch, args...)
			} else {
				modelstest.Refused(t, store, orders.PriceUnavailable, treasury.ActionMatch, args...)
			}
		}
		modelstest.WantPurchased(t, store, player, (1250+625)*game.MCBK, 0)
		modelstest.WantHeld(t, store, held, held)
	})
}

// An account that was taken over gives away no more than that.
func TestAdminSettlesNoMoreThanDailyCap(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		for range 4 {
			m.Pay(game.TON, "for my coins", modelstest.Noon)
		}
		m.Pay(game.TON/2, "for my coins", modelstest.Noon)
		m.Record(t, modelstest.Noon)
		held, _, err := store.Treasury.HeldPayments(t.Context(), 10)
		modelstest.NoError(t, err)
		modelstest.Done(t, store, settings.ActionChangeSetting, "matched_a_day", "2")
		settle := func(payment int, target string, admin int64, at time.Time) string {
			t.Helper()
			args := []string{fmt.Sprint(held[payment].ID), target}
			a := modelstest.Confirmed(t, store, models.PendingAction{Admin: admin, Action: treasury.ActionMatch, Args: args}, at)
			return fmt.Sprint(a.State, ": ", a.Outcome)
		}
		const reached = "refused: rate_limited"
		me, midnight := fmt.Sprint(player.ID), modelstest.Noon.Add(12*time.Hour)
		for _, c := range []struct{ got, want string }{
			{settle(0, me, modelstest.Admin, modelstest.Noon), "executed: payment 1 of 1 TON brought 1250 MCBK to player " + me},
			{settle(1, treasury.MatchRefund, modelstest.Admin, modelstest.Noon), "executed: payment 2, 1 TON from 0:payer, is marked for refund"},
			{settle(4, me, modelstest.Admin, modelstest.Noon), reached},
			{settle(2, me, modelstest.Admin, midnight.Add(-time.Microsecond)), reached},
			{settle(4, me, modelstest.Admin+1, modelstest.Noon), "executed: payment 5 of 0.5 TON brought 625 MCBK to player " + me},
			{settle(2, me, modelstest.Admin, midnight), "executed: payment 3 of 1 TON brought 1250 MCBK to player " + me},
			{settle(3, me, modelstest.Admin, midnight), "executed: payment 4 of 1 TON brought 1250 MCBK to player " + me},
		} {
			modelstest.Equal(t, c.got, c.want)
		}
		modelstest.WantPurchased(t, store, player, (3*1250+625)*game.MCBK, 0)
		back, all, err := store.Treasury.RefundablePayments(t.Context(), 10)
		if err != nil || all != 1 || len(back) != 1 || back[0].ID != held[1].ID || back[0].Source != "0:payer" {
			t.Errorf("to be sent back: %+v, %d, %v", back, all, err)
		}
	})
}

// Nor does it by raising the cap first. What the treasury paid itself counts for none: it may be more than anybody settles in a day, and
// could never be closed.
func TestRaisedCapAppliesADayLater(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		for range 2 {
			m.Pay(1000*game.TON, "for my coins", modelstest.Noon)
		}
		m.Pay(game.TON, "for my coins", modelstest.Noon)
		m.Pay(game.TON, "for my coins", modelstest.Noon)
		m.Pay(1500*game.TON, "", modelstest.Noon)
		m.Next[4].Source = "0:treasury"
		m.Record(t, modelstest.Noon)
		state := func(action models.Action, at time.Time, args ...string) models.ActionState {
			t.Helper()
			return modelstest.Confirmed(t, store, models.PendingAction{Admin: modelstest.Admin, Action: action, Args: args}, at).State
		}
		refund := func(payment string, at time.Time) models.ActionState {
			return state(treasury.ActionMatch, at, payment, treasury.MatchRefund)
		}
		evening := modelstest.Noon.Add(12*time.Hour - time.Minute)
		tomorrow := evening.Add(24 * time.Hour)
		for i, c := range []struct{ got, want models.ActionState }{
			{state(settings.ActionChangeSetting, evening, "matched_a_day", "100000"), models.ActionExecuted},
			{refund("5", evening), models.ActionExecuted},
			{refund("1", evening), models.ActionExecuted},
			{refund("3", evening), models.ActionRefused},
			{refund("2", tomorrow.Add(-time.Microsecond)), models.ActionExecuted},
			{refund("3", tomorrow.Add(-time.Microsecond)), models.ActionRefused},
			{refund("3", tomorrow), models.ActionExecuted},
			{state(settings.ActionChangeSetting, tomorrow, "matched_a_day", "1001"), models.ActionExecuted},
			{state(settings.ActionChangeSetting, tomorrow, "matched_a_day", "100000"), models.ActionExecuted}, // as it was a day ago, but not since
			{refund("4", tomorrow), models.ActionRefused},
		} {
			modelstest.Equal(t, c.got, c.want, i)
		}
	})
}

func TestHistoryIsRecordedOnceWithoutGap(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m, player, order := modelstest.NewOrder(t, store)
		m.Pay(game.TON, order.Comment, modelstest.Noon.Add(time.Minute))
		m.Pay(game.TON, "", modelstest.Noon.Add(time.Minute))
		history := treasury.History{Since: modelstest.HistoryStart, Transactions: m.Next, KnownUntil: modelstest.Noon.Add(2 * time.Minute)}
		for _, gap := range [][]treasury.ChainTransaction{m.Next[1:], {m.Next[1], m.Next[0]}, {m.Next[0], m.Next[0]}} {
			modelstest.Fails(store.Treasury.Record(t.Context(), treasury.History{Since: modelstest.HistoryStart, Transactions: gap, KnownUntil: history.KnownUntil}, modelstest.Season, modelstest.At(modelstest.Noon)))(t, treasury.ErrBrokenChain, "a history with a gap")
		}
		recorded := modelstest.FiftyAtOnce(t, "", func() error {
			if _, err := store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(history.KnownUntil)); err != nil && !errors.Is(err, treasury.ErrCursorMoved) {
				return err
			}
			return nil
		})
		modelstest.WantPurchased(t, store, player, 1250*game.MCBK, 0)
		modelstest.WantHeld(t, store, "no comment: 1000000000")
		modelstest.Equal(t, recorded, 50, "of fifty did not fail")
	})
}

func TestPaymentsCountAfterChainClockWentBack(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m, player, order := modelstest.NewOrder(t, store)
		m.Record(t, modelstest.Noon.Add(time.Hour))
		m.Pay(game.TON, order.Comment, modelstest.Noon.Add(time.Minute))
		m.Record(t, modelstest.Noon.Add(2*time.Minute))
		modelstest.WantOrder(t, store, order, models.OrderPaid, game.TON)
		modelstest.WantPurchased(t, store, player, 1250*game.MCBK, 0)
	})
}

func TestOrderExpiresOnceChainIsKnownBeyondIt(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m, player, order := modelstest.NewOrder(t, store)
		expires := func(known time.Time, want int64) {
			t.Helper()
			m.Record(t, known)
			modelstest.Returns(store.Treasury.ExpireOrders(t.Context()))(t, want, "expired")
		}
		expires(modelstest.Noon.Add(15*time.Minute), 0)
		expires(modelstest.Noon.Add(16*time.Minute), 0)
		expires(modelstest.Noon.Add(16*time.Minute+time.Second), 1)
		modelstest.WantOrder(t, store, order, models.OrderExpired, 0)
		modelstest.Refuses(store.Orders.CancelOrder(t.Context(), player.ID, order.ID))(t, models.NotEligible, "cancel what expired")
		m.Pay(game.TON, order.Comment, modelstest.Noon.Add(17*time.Minute))
		m.Record(t, modelstest.Noon.Add(18*time.Minute))
		modelstest.WantOrder(t, store, order, models.OrderPaid, game.TON)
		modelstest.WantPurchased(t, store, player, 1250*game.MCBK, 0)
	})
}

// A database of a program that pinned no treasury has its record all the same.
func TestTreasuryOfARecordIsFixed(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.NewMarket(t, store)
		for _, other := range [][2]string{{"mainnet", "0:treasury"}, {"testnet", "0:another"}} {
			modelstest.WantError(t, store.Treasury.BeginRecord(t.Context(), other[0], other[1], models.ChainCursor{}), treasury.ErrOtherTreasury, other)
			modelstest.WantError(t, store.Treasury.PinTreasury(t.Context(), other[0], other[1], modelstest.Noon), treasury.ErrOtherTreasury, "pinned as", other)
		}
		modelstest.NoError(t, store.Treasury.PinTreasury(t.Context(), "testnet", "0:treasury", modelstest.Noon))
		modelstest.NoError(t, store.Treasury.BeginRecord(t.Context(), "testnet", "0:treasury", models.ChainCursor{LT: 7}), "the same again")
		if treasury, ok, err := store.Treasury.Treasury(t.Context()); err != nil || !ok || treasury.Cursor != modelstest.HistoryStart {
			t.Errorf("%+v, %v", treasury, err)
		}
	})
}

// Orders may be made before the treasury's history is read, and another start would look for their payments elsewhere.
func TestTreasuryOfFirstStartIsFixed(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		pins := func() {
			t.Helper()
			modelstest.NoError(t, store.Treasury.PinTreasury(t.Context(), "testnet", "0:treasury", modelstest.Noon), "pinned")
			for _, other := range [][2]string{{"mainnet", "0:treasury"}, {"testnet", "0:another"}} {
				modelstest.WantError(t, store.Treasury.PinTreasury(t.Context(), other[0], other[1], modelstest.Noon), treasury.ErrOtherTreasury, "pinned as", other)
				modelstest.WantError(t, store.Treasury.BeginRecord(t.Context(), other[0], other[1], models.ChainCursor{}), treasury.ErrOtherTreasury, "the record of", other)
			}
		}
		pins()
		pins()
		if treasury, read, err := store.Treasury.Treasury(t.Context()); err != nil || read || treasury.Network != "testnet" || treasury.Address != "0:treasury" {
			t.Errorf("read %v: %+v, %v", read, treasury, err)
		}
		modelstest.NewMarket(t, store)
		pins()
		if treasury, read, err := store.Treasury.Treasury(t.Context()); err != nil || !read || treasury.Cursor != modelstest.HistoryStart {
			t.Errorf("read %v: %+v, %v", read, treasury, err)
		}
	})
}

// Dust does not make the alarm of held payments ring again.
func TestNewestHeldPaymentSkipsDust(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		newest := func(want time.Time) {
			t.Helper()
			modelstest.Returns(store.Treasury.NewestHeld(t.Context()))(t, want, "the newest was seen at")
		}
		newest(time.Time{})
		for i, amount := range []game.Nanoton{game.TON, game.LeastPurchase, game.LeastPurchase - 1} {
			at := modelstest.Noon.Add(time.Duration(i) * time.Minute)
			m.Pay(amount, "", at)
			m.Record(t, at)
		}
		newest(modelstest.Noon.Add(time.Minute))
	})
}

func TestOwnPaymentOfTreasuryBuysNothing(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m, player, order := modelstest.NewOrder(t, store)
		m.Pay(game.TON, order.Comment, modelstest.Noon)
		m.Next[0].Source = "0:treasury"
		m.Record(t, modelstest.Noon)
		modelstest.WantPurchased(t, store, player, 0, 0)
		held := modelstest.WantHeld(t, store, fmt.Sprintf("%s: %d", models.HeldOwn, game.TON))
		modelstest.WantOrder(t, store, order, models.OrderPending, 0)
		for _, to := range []string{order.Comment, fmt.Sprint(player.ID)} {
			modelstest.Refused(t, store, models.OwnMoney, treasury.ActionMatch, fmt.Sprint(held[0].ID), to)
		}
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[0].ID), treasury.MatchRefund)
		modelstest.WantPurchased(t, store, player, 0, 0)
		modelstest.WantHeld(t, store)
	})
}
