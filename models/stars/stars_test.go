package stars_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/settings"
	"mcbk/models/stars"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

func TestMain(m *testing.M) { modelstest.Main(m) }

// bought is what 500 Stars bring on day 1: 6.5 dollars at 0.002.
const bought = 3_250 * game.MCBK

// wantBalances checks what a buyer and their inviter own of purchases.
func wantBalances(t *testing.T, store *store.Store, buyer models.Player, purchased game.MicroMCBK, inviter models.Player, share game.MicroMCBK) {
	t.Helper()
	b := modelstest.Must(store.Players.FindPlayer(t.Context(), fmt.Sprint(buyer.ID)))(t).Balances
	i := modelstest.Must(store.Players.FindPlayer(t.Context(), fmt.Sprint(inviter.ID)))(t).Balances
	if b.Purchased != purchased || i.Referral != share {
		t.Errorf("bought %d, the inviter's part %d; want %d and %d", b.Purchased, i.Referral, purchased, share)
	}
}

// wantHeldBecause checks that one charge is held, and for what reason.
func wantHeldBecause(t *testing.T, store *store.Store, why models.HeldReason) string {
	t.Helper()
	held, _, err := store.Treasury.HeldPayments(t.Context(), 10)
	if err != nil || len(held) != 1 || held[0].Reason != why || held[0].ChargeID == nil {
		t.Fatalf("held: %+v, %v; want one, %s", held, err, why)
	}
	return fmt.Sprint(held[0].ID)
}

func each(t *testing.T, test func(t *testing.T, store *store.Store, buyer, inviter models.Player)) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		test(t, store, modelstest.Player(t, store, modelstest.InvitedBy(inviter)), inviter)
	})
}

func TestPaidChargeBringsItsOrdersCoinsOnce(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, inviter models.Player) {
		o := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		if o.Coins != bought || o.Currency != models.CurrencyStars || o.InvoiceLink == nil {
			t.Errorf("ordered %+v", o)
		}
		c := modelstest.Charge(buyer, o, "charge-1")
		modelstest.NoError(t, store.Stars.ApproveCheckout(t.Context(), stars.Checkout{Payer: buyer.TelegramID, Stars: 500, Payload: o.Comment}, c.PaidAt))
		for range 3 { // an update that comes again
			modelstest.ReceiveCharge(t, store, c)
		}
		modelstest.RecordStars(t, store, modelstest.Listed(c))
		wantBalances(t, store, buyer, bought, inviter, bought/100)
		paid := modelstest.Must(store.Orders.Order(t.Context(), buyer.ID, o.ID))(t)
		if paid.State != models.OrderPaid || paid.Credited != bought || paid.Paid != 500 || *paid.TxHash != "charge-1" {
			t.Errorf("paid %+v", paid)
		}
		modelstest.Equal(t, modelstest.Must(store.Treasury.Sold(t.Context(), modelstest.Noon))(t), bought, "sold")
		modelstest.Equal(t, modelstest.CountMessages(t, store, "purchase:"), 1, "messages")
	})
}

func TestChargeThatNoUpdateToldOfIsCreditedFromTheList(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, inviter models.Player) {
		old := stars.Transaction{ChargeID: "old", Kind: stars.ChargeTransaction, Payer: 7, Stars: 9, Payload: "another program's", At: modelstest.Noon.Add(-time.Hour)}
		o := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		c := modelstest.Charge(buyer, o, "charge-1")
		modelstest.RecordStars(t, store, old, modelstest.ListedRefund(models.StarCharge{ChargeID: "old", Stars: 9, PaidAt: old.At}), modelstest.Listed(c),
			stars.Transaction{ChargeID: "withdrawn", Stars: 100, At: modelstest.Noon})
		modelstest.ReceiveCharge(t, store, c) // the late update
		wantBalances(t, store, buyer, bought, inviter, bought/100)
		books := modelstest.Must(store.Stars.Books(t.Context()))(t)
		if books.Transactions != 4 || books.Stars != 500 {
			t.Errorf("books %+v", books)
		}
		if err := store.Stars.Record(t.Context(), 3, modelstest.Listed(c), modelstest.Season, modelstest.Noon); err != stars.ErrRecorded { //nolint:errorlint // as it is returned
			t.Errorf("recorded again: %v", err)
		}
	})
}

func TestExpiredOrCancelledOrderIsCreditedAllTheSame(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, inviter models.Player) {
		late, cancelled := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		modelstest.Must(store.Orders.CancelOrder(t.Context(), buyer.ID, cancelled.ID))(t)
		modelstest.Equal(t, modelstest.Must(store.Stars.ExpireOrders(t.Context(), late.ExpiresAt.Add(time.Second)))(t), 1, "orders expired")
		modelstest.ReceiveCharge(t, store, modelstest.Charge(buyer, late, "charge-1"))
		modelstest.ReceiveCharge(t, store, modelstest.Charge(buyer, cancelled, "charge-2"))
		wantBalances(t, store, buyer, 2*bought, inviter, 2*bought/100)
	})
}

func TestMineIsOpenedForStars(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, _ models.Player) {
		modelstest.Tournament(t, store)
		modelstest.NoError(t, store.Orders.SavePrice(t.Context(), game.PriceReading{At: modelstest.Noon, Price: 5 * game.USD / 2}))
		o := modelstest.OrderMineForStars(t, store, buyer, 1, modelstest.Noon)
		if o.Stars() != 193 { // 2.5 dollars of 0.013, rounded up
			t.Errorf("asks for %d Stars", o.Stars())
		}
		modelstest.Equal(t, modelstest.OrderMineForStars(t, store, buyer, 1, modelstest.Noon).ID, o.ID, "ordered again as")
		c := modelstest.Charge(buyer, o, "charge-1")
		modelstest.ReceiveCharge(t, store, c)
		modelstest.Equal(t, modelstest.Mines(t, store, buyer, modelstest.Noon.Add(time.Hour)).Miner.Level, 1, "level")
		modelstest.RefundCharge(t, store, c) // the mine stays
		modelstest.Equal(t, modelstest.Mines(t, store, buyer, modelstest.Noon.Add(time.Hour)).Miner.Level, 1, "level once refunded")
	})
}

func TestChargeThatIsNotItsOrdersIsHeld(t *testing.T) {
	for why, change := range map[models.HeldReason]func(c *models.StarCharge){
		models.HeldUnknown: func(c *models.StarCharge) { c.Payload = "MC-AAAAAAAAAA" },
		models.HeldAmount:  func(c *models.StarCharge) { c.Stars-- },
		models.HeldPayer:   func(c *models.StarCharge) { c.Payer++ },
		models.HeldAgain:   func(c *models.StarCharge) { c.ChargeID = "again" },
	} {
		t.Run(string(why), func(t *testing.T) {
			each(t, func(t *testing.T, store *store.Store, buyer, inviter models.Player) {
				c := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), "charge-1")
				var before game.MicroMCBK
				if why == models.HeldAgain {
					modelstest.ReceiveCharge(t, store, c)
					before = bought
				}
				change(&c)
				modelstest.ReceiveCharge(t, store, c)
				modelstest.RecordStars(t, store, modelstest.Listed(c))
				id := wantHeldBecause(t, store, why)
				wantBalances(t, store, buyer, before, inviter, before/100)
				modelstest.Sound(t, store)

				modelstest.Done(t, store, treasury.ActionMatch, id, fmt.Sprint(buyer.ID))
				worth, _ := c.Stars.Coins(modelstest.StarUSD, 2_000)
				wantBalances(t, store, buyer, before+worth, inviter, before/100+worth/100)
			})
		})
	}
}

func TestChargeNamingAnOrderInTONIsHeldAndBack(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		buyer := modelstest.Buyer(t, store)
		inTON, inStars := modelstest.OrderCoins(t, store, buyer, game.TON, modelstest.Noon), modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		modelstest.ReceiveCharge(t, store, models.StarCharge{ChargeID: "charge-1", Payer: buyer.TelegramID, Stars: 500, Payload: inTON.Comment, PaidAt: modelstest.Noon})
		id := wantHeldBecause(t, store, models.HeldCurrency)
		modelstest.Refused(t, store, models.NotEligible, treasury.ActionMatch, id, inTON.Comment)
		modelstest.Done(t, store, treasury.ActionMatch, id, inStars.Comment)
		modelstest.WantPurchased(t, store, buyer, bought, 0)

		m.Pay(game.TON, inStars.Comment, modelstest.Noon.Add(time.Minute))
		m.Record(t, modelstest.Noon.Add(2*time.Minute))
		modelstest.WantHeld(t, store, fmt.Sprintf("%s: %d", models.HeldCurrency, game.TON))
	})
}

func TestCheckoutIsApprovedOnlyForItsOrder(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, _ models.Player) {
		o := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		sound := stars.Checkout{Payer: buyer.TelegramID, Stars: 500, Payload: o.Comment}
		refuses := func(what string, c stars.Checkout, at time.Time, why game.Code) {
			t.Helper()
			modelstest.WantRefusal(t, store.Stars.ApproveCheckout(t.Context(), c, at), why, what)
		}
		changed := func(change func(c *stars.Checkout)) stars.Checkout {
			c := sound
			change(&c)
			return c
		}
		refuses("another amount", changed(func(c *stars.Checkout) { c.Stars = 499 }), modelstest.Noon, models.NotFound)
		refuses("another payer", changed(func(c *stars.Checkout) { c.Payer++ }), modelstest.Noon, models.NotFound)
		refuses("no order", changed(func(c *stars.Checkout) { c.Payload = "MC-" }), modelstest.Noon, models.NotFound)
		refuses("too late", sound, o.ExpiresAt.Add(time.Second), models.Expired)

		last := o.ExpiresAt.Add(-time.Second)
		for range 2 {
			modelstest.NoError(t, store.Stars.ApproveCheckout(t.Context(), sound, last))
		}
		after := last.Add(15 * time.Minute)
		modelstest.NoError(t, store.Stars.ApproveCheckout(t.Context(), sound, after))
		modelstest.Equal(t, modelstest.Must(store.Stars.ExpireOrders(t.Context(), after))(t), 0, "an order expired that Telegram was told can be paid")
		refuses("later than it was reserved", sound, after.Add(time.Second), models.Expired)

		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(buyer.ID), "a bot")
		refuses("banned", sound, last, "user_blocked")
		modelstest.Done(t, store, players.ActionUnban, fmt.Sprint(buyer.ID))
		modelstest.Done(t, store, settings.ActionChangeSetting, "pay_with", "ton")
		modelstest.NoError(t, store.Settings.LoadSettings(t.Context(), last))
		refuses("with TON alone", sound, last, stars.SalesOff)
		modelstest.Done(t, store, settings.ActionChangeSetting, "pay_with", "both")
		modelstest.NoError(t, store.Settings.LoadSettings(t.Context(), last))

		modelstest.ReceiveCharge(t, store, modelstest.Charge(buyer, o, "charge-1"))
		refuses("paid", sound, last, game.AlreadyClaimed)
		gone := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		modelstest.Must(store.Orders.CancelOrder(t.Context(), buyer.ID, gone.ID))(t)
		refuses("cancelled", stars.Checkout{Payer: buyer.TelegramID, Stars: 500, Payload: gone.Comment}, modelstest.Noon, models.Expired)
	})
}

func TestRefundTakesBackWhatWasBought(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, inviter models.Player) {
		c := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), "charge-1")
		modelstest.ReceiveCharge(t, store, c)
		modelstest.Done(t, store, stars.ActionRefund, c.ChargeID)
		modelstest.Refused(t, store, game.AlreadyClaimed, stars.ActionRefund, c.ChargeID)
		if m := modelstest.StoredMessage(t, store, "star_refund:charge-1"); m.ChatID != buyer.TelegramID || m.Params["charge"] != c.ChargeID {
			t.Errorf("Telegram is asked by %+v", m)
		}
		wantBalances(t, store, buyer, bought, inviter, bought/100) // Telegram has not given it back yet
		for range 2 {
			modelstest.RefundCharge(t, store, c)
		}
		modelstest.RecordStars(t, store, modelstest.Listed(c), modelstest.ListedRefund(c))
		wantBalances(t, store, buyer, 0, inviter, 0)
		books := modelstest.Must(store.Stars.Books(t.Context()))(t)
		o := modelstest.Must(store.Orders.Order(t.Context(), buyer.ID, 1))(t)
		if books.Stars != 0 || !o.Refunded || o.State != models.OrderPaid {
			t.Errorf("books %+v, order %+v", books, o)
		}
	})
}

// Today nothing spends bought coins. Should something, then what a refund cannot take at once later purchases settle, whatever they
// are paid with.
func TestRefundOfCoinsThatAreGoneIsOwed(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		buyer := modelstest.Player(t, store)
		c := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), "charge-1")
		modelstest.ReceiveCharge(t, store, c)
		const spent = bought - game.MCBK
		modelstest.Must(modelstest.Post(t.Context(), store, []modelstest.Entry{{Player: buyer.ID, Reference: "spent:1", Moves: []ledger.Move{
			{From: models.AccountPurchased, To: models.HouseSales, Asset: models.AssetMCBK, Amount: int64(spent)},
		}}}, modelstest.Noon))(t)
		modelstest.RefundCharge(t, store, c)
		modelstest.WantPurchased(t, store, buyer, 0, 0)
		if sum := modelstest.Must(store.Stars.Summary(t.Context(), modelstest.Noon))(t); sum.Debt != spent || sum.TodayRefunded != 500 {
			t.Errorf("debt %+v", sum)
		}
		modelstest.ReceiveCharge(t, store, modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 250, modelstest.Noon), "charge-2"))
		modelstest.ReceiveCharge(t, store, modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), "charge-3"))
		modelstest.WantPurchased(t, store, buyer, bought/2+game.MCBK, 0)
	})
}

func TestTelegramRefundsHeldChargeItself(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, _ models.Player) {
		c := models.StarCharge{ChargeID: "charge-1", Payer: buyer.TelegramID, Stars: 5, Payload: "MC-AAAAAAAAAA", PaidAt: modelstest.Noon}
		modelstest.ReceiveCharge(t, store, c)
		id := wantHeldBecause(t, store, models.HeldUnknown)
		modelstest.Refused(t, store, models.NotEligible, stars.ActionRefund, c.ChargeID)
		modelstest.RefundCharge(t, store, c)
		modelstest.Refused(t, store, game.AlreadyClaimed, treasury.ActionMatch, id, fmt.Sprint(buyer.ID))
	})
}

func TestHeldChargeIsRefundedByMatch(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, _ models.Player) {
		c := models.StarCharge{ChargeID: "charge-1", Payer: buyer.TelegramID, Stars: 5, Payload: "MC-AAAAAAAAAA", PaidAt: modelstest.Noon}
		modelstest.ReceiveCharge(t, store, c)
		modelstest.Done(t, store, treasury.ActionMatch, wantHeldBecause(t, store, models.HeldUnknown), treasury.MatchRefund)
		modelstest.StoredMessage(t, store, "star_refund:charge-1")
		modelstest.RefundCharge(t, store, c)
	})
}

// The bot may have taken Stars before the game did.
func TestRefundOfWhatWasNeverTheGamesBooksNothing(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, _ models.Player) {
		donation := models.StarCharge{ChargeID: "donation", Payer: buyer.TelegramID, Stars: 40, Payload: "thanks", PaidAt: modelstest.Noon.Add(-time.Hour)}
		modelstest.RecordStars(t, store, modelstest.Listed(donation))
		modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		modelstest.RefundCharge(t, store, donation)
		modelstest.RecordStars(t, store, modelstest.ListedRefund(donation))
		modelstest.Fails(store.Stars.Charge(t.Context(), "donation"))(t, db.ErrNotFound, "it is booked")
	})
}

// Version 1.0.0 takes the orders whose comment begins with MC- for orders in TON.
func TestOrdersInStarsHaveCommentsOfTheirOwn(t *testing.T) {
	each(t, func(t *testing.T, store *store.Store, buyer, _ models.Player) {
		if o := modelstest.OrderStars(t, store, buyer, 5, modelstest.Noon); !strings.HasPrefix(o.Comment, "MS-") {
			t.Errorf("the comment is %s", o.Comment)
		}
	})
}
