package api_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/treasury"
	"mcbk/ton"
)

var (
	_ = guard("purchaseTokens", example{good: func(g *table, raw, _ string) request {
		g.buys(raw)
		return request{method: "POST", path: "/api/token/purchase", body: `{"ton_amount":1.5}`}
	}})
	_ = guard("orderStars", example{good: func(*table, string, string) request {
		return request{method: "POST", path: "/api/token/stars", body: `{"stars":500}`}
	}})
	_ = guard("getOrder", example{good: func(g *table, raw, _ string) request {
		return request{method: "GET", path: fmt.Sprint("/api/orders/", g.ordered(raw))}
	}})
	_ = guard("cancelOrder", example{good: func(g *table, raw, _ string) request {
		return request{method: "DELETE", path: fmt.Sprint("/api/orders/", g.ordered(raw))}
	}})
)

// A wallet in both forms, and the treasury.
const (
	rawWallet    = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8"
	uqWallet     = "UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI"
	treasuryRaw  = "0:" + "11112222333344445555666677778888" + "11112222333344445555666677778888"
	paymentsBase = "https://wallet.example"
)

func selling(o *api.Options) {
	treasury, err := ton.ParseAddress(treasuryRaw, ton.Mainnet)
	if err != nil {
		panic(err)
	}
	o.Sales = api.Sales{Treasury: &treasury, Network: ton.Mainnet, LinkBase: paymentsBase}
}

// buys gives a player a wallet, and the market a price.
func (g *table) buys(raw string) {
	g.t.Helper()
	g.costs(2_500_000)
	g.once(raw+" wallet", func() {
		g.asks(raw, "PUT", "/user/wallet", fmt.Sprintf(`{"wallet_address":%q}`, rawWallet), 200, nil)
	})
}

func (g *table) costs(price game.MicroUSD) {
	g.t.Helper()
	modelstest.NoError(g.t, g.store.Orders.SavePrice(g.t.Context(), game.PriceReading{At: g.clock.Now(), Price: price}))
}

// readsTheChain reads the treasury's history once.
func (g *table) readsTheChain() {
	g.t.Helper()
	modelstest.NoError(g.t, g.store.Treasury.BeginRecord(g.t.Context(), "mainnet", treasuryRaw, models.ChainCursor{}))
}

// ordered is a player's order, always the same.
func (g *table) ordered(raw string) string {
	g.t.Helper()
	return g.made(raw+" order", func() string {
		g.buys(raw)
		return g.asks(raw, "POST", "/token/purchase", `{"ton_amount":1}`, 200, nil).at("order.id")
	})
}

func TestPaidOrderIsCredited(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		refused := func(body string, status int, code, message string) {
			t.Helper()
			g.asks(raw, "POST", "/token/purchase", body, status, map[string]string{"code": code, "message": message})
		}
		g.asks(raw, "GET", "/token/ton-price", "", 200, map[string]string{
			"data.ton_price_usd": "2.5", "data.mcbk_price_usd": "0.002", "updated_at": "1970-01-01T00:00:00Z", "stale": "true",
		})
		refused(`{"ton_amount":1}`, 409, "wallet_not_connected", "Please connect your wallet first")
		g.asks(raw, "PUT", "/user/wallet", `{"wallet_address":"`+uqWallet+`"}`, 200, map[string]string{"wallet_address": uqWallet, "wallet_proven": "false"})
		g.asks(raw, "GET", "/user/me", "", 200, map[string]string{"wallet_address": uqWallet})
		refused(`{"ton_amount":1}`, 503, "price_unavailable", "Failed to load pricing data")
		g.costs(3_000_000) // and the chain was not read yet
		g.asks(raw, "GET", "/token/ton-price", "", 200, map[string]string{"data.ton_price_usd": "3", "updated_at": "2026-03-04T12:00:00Z", "stale": "false"})
		for _, none := range []string{`"1"`, `"NaN"`, "null", "[]", "true", "1e400", "1e-10", "0.0000000001", "-" + strings.Repeat("9", 30)} {
			refused(`{"ton_amount":`+none+`}`, 400, "invalid_amount", "Invalid amount")
		}
		refused(`{"ton_amount":NaN}`, 400, "validation_failed", "The request is malformed") // no JSON
		refused(`{}`, 400, "validation_failed", "The request is malformed")
		for _, more := range []string{strings.Repeat("9", 22), "1e21", "1001"} {
			refused(`{"ton_amount":`+more+`}`, 400, "amount_too_large", "Maximum purchase is 1000 TON")
		}
		for _, less := range []string{"0.099999999", "1e-05", "0", "-1"} {
			refused(`{"ton_amount":`+less+`}`, 400, "amount_too_small", "Minimum purchase is 0.1 TON")
		}
		refused(`{"ton_amount":1000.000000001}`, 400, "amount_too_large", "Maximum purchase is 1000 TON")
		order := g.asks(raw, "POST", "/token/purchase", `{"ton_amount":2.5}`, 200, map[string]string{
			"success": "true", "order.kind": "purchase", "order.status": "pending", "order.ton_amount": "2.5", "order.mcbk_amount": "3750",
			"order.created_at": "2026-03-04T12:00:00Z", "order.expires_at": "2026-03-04T12:15:00Z",
		})
		comment := order.at("order.comment")
		want := fmt.Sprintf("%s/transfer/UQ", paymentsBase)
		link := order.at("paymentLink")
		if !strings.HasPrefix(link, want) || !strings.HasSuffix(link, fmt.Sprintf("?amount=2500000000&text=%s&exp=%d", comment, modelstest.Noon.Add(15*time.Minute).Unix())) || link != order.at("order.paymentLink") {
			t.Errorf("the link is %s", link)
		}
		// A text's body is 32 zero bits and the text, here in one cell.
		if bag, err := base64.StdEncoding.DecodeString(order.at("order.payload")); err != nil || !strings.Contains(string(bag), "\x00\x00\x00\x00"+comment) {
			t.Errorf("the payload is %s: %v", order.at("order.payload"), err)
		}
		g.asks(raw, "GET", "/orders", "", 200, map[string]string{"orders.0.comment": comment, "hasMore": "false"})

		paid := treasury.ChainTransaction{
			ChainCursor: models.ChainCursor{LT: 5, Hash: strings.Repeat("ab", 32)}, At: modelstest.Noon, Kind: treasury.ChainIncoming,
			Amount: 5 * game.TON / 2, Comment: comment, BoC: []byte{1},
		}
		g.records(paid)
		id := order.at("order.id")
		g.asks(raw, "GET", "/orders/"+id, "", 200, map[string]string{
			"status": "paid", "payable": "false", "paid_at": "2026-03-04T12:00:00Z", "tx_hash": strings.Repeat("ab", 32), "paid_ton": "2.5", "paid_mcbk": "3750", "held_ton": "<nil>",
		})
		g.asks(raw, "GET", "/user/me", "", 200, map[string]string{"balance.purchased_mcbk": "3750"})
		g.asks(raw, "GET", "/token/price-info", "", 200, map[string]string{
			"price": "0.002", "period": "1", "next_price": "0.0023", "next_change_at": "2026-03-16T00:00:00Z", "purchased_total": "3750",
			"purchased_goal": "30000000", "discount.active": "true", "discount.price": "0.002", "discount.full_price": "0.01", "discount.ends_at": "2026-03-16T00:00:00Z",
		})
		g.asks(raw, "DELETE", "/orders/"+id, "", 409, map[string]string{"code": "not_eligible"})
		little := g.asks(raw, "POST", "/token/purchase", `{"ton_amount":1}`, 200, map[string]string{"order.paid_ton": "<nil>"})
		next := paid
		next.Prev, next.LT, next.Hash = paid.ChainCursor, 7, strings.Repeat("cd", 32)
		next.Comment, next.Amount = little.at("order.comment"), game.TON/20
		g.records(next)
		g.asks(raw, "GET", "/orders/"+little.at("order.id"), "", 200, map[string]string{"status": "held", "held_ton": "0.05", "paid_ton": "<nil>", "payable": "true"})
		for range 4 {
			g.asks(raw, "POST", "/token/purchase", `{"ton_amount":1}`, 200, nil)
		}
		refused(`{"ton_amount":1}`, 409, "too_many_open_orders", "Too many open orders")
		g.asks(raw, "PUT", "/user/wallet", `{"wallet_address":null}`, 200, map[string]string{"wallet_address": "<nil>"})
		modelstest.Sound(t, g.store)
	})
}

// records a payment after those recorded before.
func (g *table) records(paid treasury.ChainTransaction) {
	g.t.Helper()
	g.readsTheChain()
	history := treasury.History{Since: paid.Prev, Transactions: []treasury.ChainTransaction{paid}, Head: paid.ChainCursor, KnownUntil: modelstest.Noon}
	modelstest.Must(g.store.Treasury.Record(g.t.Context(), history, modelstest.Season, modelstest.At(modelstest.Noon)))(g.t)
}

func TestMissingTreasurySellsNothing(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) { o.Sales = api.Sales{Network: ton.Mainnet} })
	raw := g.arrives(modelstest.TelegramID())
	g.buys(raw)
	g.asks(raw, "POST", "/token/purchase", `{"ton_amount":1}`, 503, map[string]string{"params.feature": "sales"})
	g.asks(raw, "GET", "/orders", "", 200, nil)
}
