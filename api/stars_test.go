package api_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"mcbk/api"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/orders"
	"mcbk/models/settings"
	"mcbk/models/store"
)

func TestCoinsAreOrderedForStarsWithoutAWallet(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		g.asks(raw, "GET", "/token/price-info", "", 200, map[string]string{"stars.usd": "0.013", "stars.min": "1", "stars.max": "10000"})
		for _, wrong := range []string{"0", "-1", "10001", "1.5", `"5"`, "null"} {
			g.asks(raw, "POST", "/token/stars", `{"stars":`+wrong+`}`, 400, map[string]string{"code": "invalid_amount"})
		}
		ordered := g.asks(raw, "POST", "/token/stars", `{"stars":500}`, 200, map[string]string{
			"mcbk": "3250", "expires_at": "2026-03-04T12:15:00Z", "order.currency": "XTR", "order.stars": "500", "order.ton_amount": "0",
			"order.status": "pending", "order.payable": "true", "order.payload": "<nil>", "order.held_ton": "<nil>",
		})
		comment, number := ordered.at("order.comment"), ordered.at("order_id")
		if title := g.invoiced.Load(); title != "3250 MCBK" {
			t.Errorf("Telegram was asked to sell %v", title)
		}
		if link := ordered.at("invoice_link"); link != "https://t.me/$"+comment || link != ordered.at("order.paymentLink") {
			t.Errorf("the link of %s is %s", comment, link)
		}
		player := g.player(raw)
		charge := modelstest.Charge(player, modelstest.Must(g.store.Orders.Order(t.Context(), player.ID, 1))(t), "charge-1")
		modelstest.ReceiveCharge(t, g.store, charge)
		g.asks(raw, "GET", "/orders/"+number, "", 200, map[string]string{
			"status": "paid", "paid_mcbk": "3250", "paid_ton": "<nil>", "paid_at": "2026-03-04T12:01:00Z", "tx_hash": "charge-1",
		})
		g.asks(raw, "GET", "/user/transactions", "", 200, map[string]string{"transactions.0.kind": "purchase", "transactions.0.amount": "3250"})
		modelstest.RefundCharge(t, g.store, charge)
		g.asks(raw, "GET", "/orders/"+number, "", 200, map[string]string{"status": "refunded"})
		g.asks(raw, "GET", "/user/transactions", "", 200, map[string]string{
			"transactions.0.kind": "refund", "transactions.0.amount": "3250", "transactions.0.is_withdraw": "true", "transactions.0.asset": "MCBK",
		})
		g.asks(raw, "GET", "/user/me", "", 200, map[string]string{"balance.purchased_mcbk": "0"})
	})
}

func TestMineIsOrderedForStars(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		modelstest.Tournament(t, g.store)
		raw := g.arrives(modelstest.TelegramID())
		const inStars = `{"level":1,"currency":"XTR"}`
		g.asks(raw, "POST", "/mines/create-payment", inStars, 503, map[string]string{"code": "price_unavailable"})
		g.costs(2_500_000)
		g.asks(raw, "POST", "/mines/create-payment", `{"level":1}`, 409, map[string]string{"code": "wallet_not_connected"})
		g.asks(raw, "POST", "/mines/create-payment", `{"level":2,"currency":"XTR"}`, 409, map[string]string{"code": "level_not_next"})
		a := g.asks(raw, "POST", "/mines/create-payment", inStars, 200, map[string]string{"order.currency": "XTR", "order.stars": "193", "order.kind": "mine", "order.mcbk_amount": "0"})
		for range 4 {
			g.asks(raw, "POST", "/token/stars", `{"stars":5}`, 200, nil)
		}
		g.asks(raw, "POST", "/token/stars", `{"stars":5}`, 409, map[string]string{"code": "too_many_open_orders"})
		g.asks(raw, "POST", "/mines/create-payment", inStars, 200, map[string]string{"order.id": a.at("order.id"), "paymentLink": a.at("paymentLink")})
		player := g.player(raw)
		order := modelstest.Must(g.store.Orders.Order(t.Context(), player.ID, 1))(t)
		modelstest.ReceiveCharge(t, g.store, modelstest.Charge(player, order, "charge-1"))
		g.asks(raw, "GET", "/mines/status", "", 200, map[string]string{"current_mine_level": "1"})
		g.asks(raw, "GET", "/user/transactions", "", 200, map[string]string{
			"transactions.0.kind": "mine", "transactions.0.asset": "XTR", "transactions.0.amount": "193", "transactions.0.is_withdraw": "true", "transactions.0.amount_usd": "-2.50",
		})
	})
}

func TestInvoiceThatTelegramDoesNotMakeOrdersNothing(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var asked atomic.Int64
		g := serve(t, store, func(o *api.Options) {
			o.InvoiceLink = func(context.Context, orders.InvoiceRequest) (string, error) {
				if asked.Add(1) == 1 {
					return "", errors.New("away")
				}
				return "https://t.me/$slug", nil
			}
		})
		raw := g.arrives(modelstest.TelegramID())
		const body = `{"stars":5}`
		g.asks(raw, "POST", "/token/stars", body, 502, map[string]string{"code": "payment_link_failed"})
		g.asks(raw, "GET", "/orders", "", 200, map[string]string{"orders": "[]"})
		for range 2 { // the second gets the stored answer, and Telegram is not asked
			keyed := request{method: "POST", path: "/api/token/stars", body: body, launch: raw}.with("Idempotency-Key", modelstest.Key(1), true)
			if g.answers("with a key", keyed, 200, map[string]string{"order_id": "1"}); asked.Load() != 2 {
				t.Errorf("Telegram was asked %d times", asked.Load())
			}
		}
		for range 4 {
			g.asks(raw, "POST", "/token/stars", body, 200, nil)
		}
		g.asks(raw, "POST", "/token/stars", body, 409, map[string]string{"code": "too_many_open_orders"})
		if asked.Load() != 6 {
			t.Errorf("Telegram was asked %d times, also for what cannot be ordered", asked.Load())
		}
	})
}

func TestPayersChooseAmongWhatAdminsSet(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		with, without := serve(t, store), serve(t, store, func(o *api.Options) { o.Sales = api.Sales{} })
		raw := with.arrives(modelstest.TelegramID())
		for _, c := range []struct {
			set                 string
			pays, paysWithoutIt string
		}{
			{"both", "[TON XTR]", "[XTR]"}, {"stars", "[XTR]", "[XTR]"}, {"ton", "[TON]", "[]"},
		} {
			modelstest.Done(t, store, settings.ActionChangeSetting, "pay_with", c.set)
			modelstest.NoError(t, store.Settings.LoadSettings(t.Context(), modelstest.Noon))
			for g, want := range map[*table]string{with: c.pays, without: c.paysWithoutIt} {
				config := g.in(t).asks(raw, "GET", "/config", "", 200, map[string]string{"sales_enabled": fmt.Sprint(want != "[]")})
				if got := config.at("pay_with"); got != want {
					t.Errorf("pay_with %s: %s, not %s", c.set, got, want)
				}
				status := 200
				if !strings.Contains(want, string(models.CurrencyStars)) {
					status = 503
				}
				g.in(t).asks(raw, "POST", "/token/stars", `{"stars":1}`, status, nil)
			}
		}
	})
}
