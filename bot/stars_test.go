package bot_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/orders"
	"mcbk/models/settings"
	"mcbk/models/stars"
	"mcbk/models/store"
)

func checkoutUpdate(id int64, payer int64, o models.Order) string {
	return fmt.Sprintf(`{"update_id":%d,"pre_checkout_query":{"id":"query-%d","from":{"id":%d,"first_name":"Ann","language_code":"en"},"currency":"XTR","total_amount":%d,"invoice_payload":"%s"}}`,
		id, id, payer, o.Stars(), o.Comment)
}

// serviceMessage tells of a payment (successful_payment) or refund (refunded_payment).
func serviceMessage(id int64, kind string, payer int64, o models.Order, charge string) string {
	return fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":%d,"chat":{"id":%d,"type":"private"},"from":{"id":%d,"first_name":"Ann"},"%s":{"currency":"XTR","total_amount":%d,"invoice_payload":"%s","telegram_payment_charge_id":"%s","provider_payment_charge_id":""}}}`,
		id, id, modelstest.Noon.Unix(), payer, payer, kind, o.Stars(), o.Comment, charge)
}

// wantCheckout waits for the answer to a checkout; why is empty for one that is approved.
func (s *scene) wantCheckout(query int, why string) {
	s.Helper()
	var found []call
	s.until(fmt.Sprintf("query-%d is answered", query), func() bool {
		found = slices.DeleteFunc(s.telegram.made("answerPreCheckoutQuery"), func(c call) bool { return c.fields["pre_checkout_query_id"] != fmt.Sprint("query-", query) })
		return len(found) > 0
	})
	if fields := found[0].fields; fields["ok"] != fmt.Sprint(why == "") || !strings.Contains(fields["error_message"], why) {
		s.Errorf("query-%d is answered %v, not %q", query, fields, why)
	}
}

// Telegram waits ten seconds, so no other update is waited for.
func TestCheckoutIsAnsweredOnArrivalWhileTheInboxIsFull(t *testing.T) {
	for name, inflow := range map[string]func(*fakeTelegram) bot.Settings{"polling": polling, "webhook": hooked} {
		t.Run(name, func(t *testing.T) {
			modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
				buyer := modelstest.Player(t, store)
				o := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
				f := newTelegram(t)
				f.on("sendMessage", always(slow)) // every worker waits
				s := begin(t, f, store, inflow)
				arrives := func(id int64, body string) {
					if name == "polling" {
						f.push(id, body)
					} else {
						s.deliver(body)
					}
				}
				for i := range int64(20) {
					arrives(i+1, ann().writes(i+1, "/privacy"))
				}
				arrives(21, checkoutUpdate(21, buyer.TelegramID, o))
				s.wantCheckout(21, "")
				arrives(22, checkoutUpdate(22, buyer.TelegramID+1, o))
				s.wantCheckout(22, "not your order")
				if _, err := store.Outbox.BotUpdate(t.Context(), 21); err == nil {
					t.Error("a checkout waits in the inbox")
				}
				f.letGo()
			})
		})
	}
}

func TestCheckoutSaysWhyNothingIsTaken(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		buyer := modelstest.Player(t, store)
		ended := map[string]int{}
		s := begin(t, newTelegram(t), store, func(f *fakeTelegram) bot.Settings {
			settings := hooked(f)
			settings.CheckoutDone = func(end string, _ time.Duration) { ended[end]++ }
			return settings
		})
		order := func() models.Order { return modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon) }
		asks := func(query int, o models.Order, why string) {
			t.Helper()
			s.deliver(checkoutUpdate(int64(query), buyer.TelegramID, o))
			s.wantCheckout(query, why)
		}
		paid, cancelled := order(), order()
		modelstest.ReceiveCharge(t, store, modelstest.Charge(buyer, paid, "charge-1"))
		modelstest.Must(store.Orders.CancelOrder(t.Context(), buyer.ID, cancelled.ID))(t)
		asks(1, paid, "paid already")
		asks(2, cancelled, "no longer open")
		modelstest.Done(t, store, settings.ActionChangeSetting, "sales", "off")
		modelstest.NoError(t, store.Settings.LoadSettings(t.Context(), modelstest.Noon))
		asks(3, order(), "Nothing is sold")
		if want := map[string]int{"refused": 3}; !maps.Equal(ended, want) {
			t.Errorf("counted %v, not %v", ended, want)
		}
	})
}

func TestCheckoutIsRefusedWhileTheDatabaseIsAway(t *testing.T) {
	f := newTelegram(t)
	away := modelstest.Store(t, "sqlite")
	s := begin(t, f, away, hooked)
	modelstest.NoError(t, away.Close())
	s.deliver(checkoutUpdate(1, 7, models.Order{Amount: 5, Comment: "MC-AAAAAAAAAA"}))
	s.wantCheckout(1, "Nothing was taken")
}

func TestPaymentAndRefundAreBookedFromServiceMessages(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		buyer := modelstest.Player(t, store)
		o := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		s := begin(t, newTelegram(t), store, hooked)
		for id := range int64(2) {
			s.deliver(serviceMessage(id+1, "successful_payment", buyer.TelegramID, o, "charge-1"))
			s.ended(id + 1)
		}
		modelstest.WantPurchased(t, store, buyer, o.Coins, 0)
		s.until("the buyer is told", func() bool { return said(s, "Your payment has arrived") })
		s.deliver(serviceMessage(3, "refunded_payment", buyer.TelegramID, o, "charge-1"))
		s.ended(3)
		modelstest.WantPurchased(t, store, buyer, 0, 0)
		s.until("the buyer is told of the refund", func() bool {
			s.step(time.Second) // a chat gets one message a second
			return said(s, "500 Stars</b> have been given back")
		})
		modelstest.Sound(t, store)
	})
}

func said(s *scene, text string) bool {
	return slices.ContainsFunc(s.telegram.said(), func(c call) bool { return strings.Contains(c.fields["text"], text) })
}

func TestRefundIsAskedUntilTelegramMakesIt(t *testing.T) {
	const again = `{"ok":false,"error_code":400,"description":"Bad Request: CHARGE_ALREADY_REFUNDED"}`
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		s := begin(t, f, store, hooked)
		for name, replies := range map[string][]reply{
			"at once":                  {fine},
			"an answer that was lost":  {badGateway, {400, again}},
			"Telegram is away a while": {unavailable, unavailable, fine},
		} {
			buyer, before := modelstest.Player(t, store), len(f.made("refundStarPayment"))
			c := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), "charge of "+name)
			modelstest.ReceiveCharge(t, store, c)
			modelstest.NoError(t, store.Outbox.SetReach(t.Context(), buyer.TelegramID, false, modelstest.Noon)) // who blocked the bot gets it all the same
			f.on("refundStarPayment", firstly(replies...))
			modelstest.Done(t, store, stars.ActionRefund, c.ChargeID)
			s.until("it is booked", func() bool {
				charge, err := store.Stars.Charge(t.Context(), c.ChargeID)
				s.step(time.Second)
				return err == nil && charge.RefundedAt != nil
			})
			modelstest.WantPurchased(t, store, buyer, 0, 0)
			asked := f.made("refundStarPayment")[before:]
			if len(asked) != len(replies) || asked[0].fields["user_id"] != fmt.Sprint(buyer.TelegramID) || asked[0].fields["telegram_payment_charge_id"] != c.ChargeID {
				t.Errorf("%s: asked %v", name, asked)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestAdminsReadOfARefundThatTelegramRefuses(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		d.telegram.on("refundStarPayment", always(reply{400, `{"ok":false,"error_code":400,"description":"Bad Request: CHARGE_NOT_FOUND"}`}))
		buyer := modelstest.Player(t, store)
		order := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon)
		c := modelstest.Charge(buyer, order, "charge-1")
		modelstest.ReceiveCharge(t, store, c)
		modelstest.Done(t, store, stars.ActionRefund, c.ChargeID)
		d.until("the admins are told", func() bool {
			d.step(time.Second)
			return said(d.scene, "Telegram did not refund the charge charge-1: ") && said(d.scene, "CHARGE_NOT_FOUND")
		})
		modelstest.WantPurchased(t, store, buyer, order.Coins, 0)
		if asked := len(d.telegram.made("refundStarPayment")); asked != 1 {
			t.Errorf("asked %d times", asked)
		}
	})
}

func TestTransactionsOfTelegramAreRead(t *testing.T) {
	f := newTelegram(t)
	f.on("getStarTransactions", func(c call) reply {
		if c.fields["offset"] != "3" || c.fields["limit"] != "100" {
			t.Errorf("asked for %v", c.fields)
		}
		return reply{http.StatusOK, `{"ok":true,"result":{"transactions":[
			{"id":"a","amount":500,"date":1772625600,"source":{"type":"user","transaction_type":"invoice_payment","user":{"id":7},"invoice_payload":"MC-A"}},
			{"id":"a","amount":500,"date":1772625660,"receiver":{"type":"user","transaction_type":"invoice_payment","user":{"id":7},"invoice_payload":"MC-A"}},
			{"id":"b","amount":5,"date":1772625660,"source":{"type":"user","transaction_type":"paid_media_payment","user":{"id":7}}},
			{"id":"c","amount":5,"date":1772625660,"receiver":{"type":"a type of next year","more":{}}}]}}`}
	})
	b := idleBot(t, modelstest.Store(t, "sqlite"), polling(f), modelstest.NewClock())
	page := modelstest.Must(b.StarTransactions(t.Context(), 3, 100))(t)
	want := []stars.Transaction{
		{ChargeID: "a", Kind: stars.ChargeTransaction, Payer: 7, Stars: 500, Payload: "MC-A", At: modelstest.Noon},
		{ChargeID: "a", Kind: stars.RefundTransaction, Payer: 7, Stars: 500, Payload: "MC-A", At: modelstest.Noon.Add(time.Minute)},
		{ChargeID: "b", Stars: 5, At: modelstest.Noon.Add(time.Minute)},
		{ChargeID: "c", Stars: 5, At: modelstest.Noon.Add(time.Minute)},
	}
	if fmt.Sprint(page) != fmt.Sprint(want) {
		t.Errorf("read %v, not %v", page, want)
	}
	f.on("getStarTransactions", always(unavailable))
	if _, err := b.StarTransactions(t.Context(), 0, 100); err == nil || strings.Contains(err.Error(), "1:abc") {
		t.Errorf("with Telegram away: %v", err)
	}
}

func TestInvoiceLinkAsksForStars(t *testing.T) {
	f := newTelegram(t)
	f.on("createInvoiceLink", always(reply{http.StatusOK, `{"ok":true,"result":"https://t.me/$slug"}`}))
	b := idleBot(t, modelstest.Store(t, "sqlite"), polling(f), modelstest.NewClock())
	link := modelstest.Must(b.InvoiceLink(t.Context(), orders.InvoiceRequest{Title: "Coins", Description: "Of the game", Payload: "MC-A", Stars: 500}))(t)
	asked := f.made("createInvoiceLink")[0].fields
	if link != "https://t.me/$slug" || asked["currency"] != "XTR" || asked["payload"] != "MC-A" || asked["prices"] != `[{"label":"Coins","amount":500}]` {
		t.Errorf("%s, asked by %v", link, asked)
	}
	f.on("createInvoiceLink", always(badRequest))
	if _, err := b.InvoiceLink(t.Context(), orders.InvoiceRequest{}); err == nil {
		t.Error("a refused link is a link")
	}
}

func TestAdminSeesAndRefundsStars(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		d.telegram.on("getMyStarBalance", always(reply{http.StatusOK, `{"ok":true,"result":{"amount":1500}}`}))
		buyer := modelstest.Player(t, store)
		c := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), "charge-1")
		modelstest.ReceiveCharge(t, store, c)
		d.says("/stats", "Stars today: 500 paid, 0 refunded (/stars)")
		d.says("/stars", "The bot's balance: 1,500 Stars.\nToday, UTC: 500 paid, 0 refunded.")
		d.says(fmt.Sprint("/player ", buyer.ID), "500 Stars, order "+c.Payload+", charge <code>charge-1</code>", "<code>"+c.Payload+"</code> · 04.03.2026 12:00 UTC · 500 Stars · paid")
		d.says("/stars refund nothing", "There is no charge nothing.")
		asks := d.says("/stars refund charge-1", fmt.Sprintf("Give 500 Stars of 2026-03-04 12:01:00 UTC back to player %d, “Ann”? The 3250 MCBK that they bought are taken back", buyer.ID))
		d.decides(d.adam, asks.buttons()[0], "Done.", "Telegram is requested to refund the charge charge-1")
		modelstest.RefundCharge(t, store, c)
		d.says("/stars refund charge-1", "That charge was refunded on 2026-03-04 13:01:00 UTC.")
		d.says(fmt.Sprint("/player ", buyer.ID), "charge <code>charge-1</code>, refunded")

		again := c
		again.ChargeID = "charge-2" // paid twice
		modelstest.ReceiveCharge(t, store, again)
		d.says("/stars refund charge-2", "To refund it: <code>/match 2 refund</code>")
		asks = d.writes(d.adam, "/match 2 refund")
		if _, edited := d.presses(d.adam, asks.buttons()[0]); !strings.Contains(edited, "Telegram is requested to make it") || strings.Contains(edited, "/payouts") {
			t.Errorf("confirmed: %q", edited)
		}
		d.says("/match", "Telegram has not refunded it yet")
		d.says("/stars", "Refunds that Telegram has not made yet: 1.")
		modelstest.RefundCharge(t, store, again)
		d.says("/match", "Telegram has refunded it")
	})
}

func TestPaysupportListsLastOrders(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		buyer := modelstest.Player(t, store)
		paid, open := modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), modelstest.OrderStars(t, store, buyer, 7, modelstest.Noon)
		modelstest.ReceiveCharge(t, store, modelstest.Charge(buyer, paid, "charge-1"))
		s := begin(t, newTelegram(t), store, hooked)
		s.hears(person{buyer.TelegramID, "Ann", "en"}, "/paysupport")
		s.hears(person{buyer.TelegramID, "Ann", "en"}, "/terms")
		for _, words := range []string{
			"<code>" + paid.Comment + "</code> · 04.03.2026 12:00 UTC · 500 Stars · paid", "<code>" + open.Comment + "</code> · 04.03.2026 12:00 UTC · 7 Stars · waits to be paid", "<b>Terms</b>",
		} {
			if !said(s, words) {
				t.Errorf("%q is not in %+v", words, s.telegram.said())
			}
		}
	})
}
