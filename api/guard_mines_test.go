package api_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/game"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

var (
	_ = guard("getMinesStatus", example{good: func(g *table, _, _ string) request {
		modelstest.Tournament(g.t, g.store)
		return request{method: "GET", path: "/api/mines/status"}
	}})
	_ = guard("getMinesLeaderboard", example{good: func(g *table, _, _ string) request {
		modelstest.Tournament(g.t, g.store)
		return request{method: "GET", path: "/api/mines/leaderboard"}
	}})
	_ = guard("createMinePayment", example{good: func(g *table, raw, _ string) request {
		g.buys(raw)
		modelstest.Tournament(g.t, g.store)
		return request{method: "POST", path: "/api/mines/create-payment", body: `{"level":1}`}
	}})
	_ = guard("unlockMine", example{good: func(g *table, raw, _ string) request {
		g.digs(raw)
		return request{method: "POST", path: "/api/mines/unlock", body: `{"level":1,"transaction_hash":"anything"}`}
	}})
	_ = guard("mine", example{
		good: func(g *table, raw, key string) request {
			g.digs(raw)
			return request{method: "POST", path: "/api/mines/mine", body: `{"taps":3,"batch_id":"` + key + `"}`}
		},
		cases: map[kind]func(*testing.T, *table){foreign: anothersDigs},
	})
)

// digs gives a player a wallet and their first mine.
func (g *table) digs(raw string) {
	g.t.Helper()
	g.buys(raw)
	g.once(raw+" mine", func() { modelstest.Opened(g.t, g.store, g.player(raw), 1, g.clock.Now()) })
}

// A batch ID belongs to its player.
func anothersDigs(t *testing.T, g *table) {
	owner, other := g.arrives(modelstest.TelegramID()), g.arrives(modelstest.TelegramID())
	g.digs(owner)
	g.digs(other)
	first := g.asks(owner, "POST", "/mines/mine", `{"taps":20,"batch_id":"dug-batch-1"}`, 200, map[string]string{"total_mcbk": "5"})
	g.asks(other, "POST", "/mines/mine", `{"taps":5,"batch_id":"dug-batch-1"}`, 200, map[string]string{"accepted": "5", "total_mcbk": "1.25"})
	if again := g.asks(owner, "POST", "/mines/mine", `{"taps":20,"batch_id":"dug-batch-1"}`, 200, nil); again.body != first.body {
		t.Errorf("the owner's answer became %s, was %s", again.body, first.body)
	}
	for raw, want := range map[string]string{owner: "house:mines>mine 5000000", other: "house:mines>mine 1250000"} {
		if got := g.posted(who(raw)); !slices.Contains(got, want) || len(got) != 2 {
			t.Errorf("posted %v, not %s", got, want)
		}
	}
}

func TestPlayersWayThroughMines(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		looked := 0
		g := serve(t, store, func(o *api.Options) { o.WakeChainReader = func() { looked++ } })
		id := modelstest.TelegramID()
		raw := g.arrives(id)
		call := func(method, path, body string, status int, want map[string]string) answer {
			t.Helper()
			return g.asks(raw, method, "/mines/"+path, body, status, want)
		}
		refused := func(path, body, code string) {
			t.Helper()
			call("POST", path, body, 409, map[string]string{"code": code})
		}
		for _, path := range []string{"status", "leaderboard"} {
			call("GET", path, "", 404, map[string]string{"code": "not_found"})
		}
		modelstest.Tournament(t, g.store)
		refused("create-payment", `{"level":1}`, "wallet_not_connected")
		refused("mine", `{"taps":1}`, "mine_locked")
		g.buys(raw)
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "least_prize_ore", "120")
		call("GET", "status", "", 200, map[string]string{
			"rules.least_prize_mcbk": "120", "current_mine_level": "0", "tournament_mcbk": "0", "can_unlock_next": "1", "energy_info.max": "0", "energy_info.full_at": "2026-03-05T00:00:00Z",
			"tournament.status": "running", "tournament.starts_at": "2026-03-04T00:00:00Z", "tournament.ends_at": "2026-03-19T00:00:00Z",
			"tournament.sales_end_at": "2026-03-18T23:30:00Z", "tournament.result": "<nil>", "tournament.next_starts_at": "<nil>", "tournament.digs_daily": "false", "tournament.daily_possible": "false",
			"available_levels.0.name": "Stone", "available_levels.0.cost": "1", "available_levels.0.energy": "1000", "available_levels.0.mcbk_per_tap": "0.25", "available_levels.0.unlocked": "false",
			"available_levels.9.name": "Diamond", "available_levels.9.cost": "5.5", "available_levels.9.mcbk_per_tap": "2.5",
			"rules.energy_per_tap": "10", "rules.window_hours": "12", "rules.prizes.0.ton": "30", "rules.prizes.4.from": "11", "rules.prizes.4.mcbk": "5000",
		})
		refused("create-payment", `{"level":2}`, "level_not_next")
		refused("unlock", `{"level":2,"transaction_hash":"x"}`, "level_not_next")
		hinted := func(body string, want map[string]string) {
			t.Helper()
			before := looked
			call("POST", "unlock", body, 202, want)
			if looked != before+1 {
				t.Error("nobody was told to look at the chain")
			}
		}
		hinted(`{"level":1,"transaction_hash":"x"}`, map[string]string{"unlocked": "false", "order": "<nil>"})
		order := call("POST", "create-payment", `{"level":1}`, 200, map[string]string{"order.kind": "mine", "order.level": "1", "order.ton_amount": "1", "order.mcbk_amount": "0"})
		if link := order.at("paymentLink"); !strings.Contains(link, "amount=1000000000") || !strings.Contains(link, order.at("order.comment")) || link != order.at("order.paymentLink") {
			t.Errorf("pays by %s", link)
		}
		call("POST", "create-payment", `{"level":1}`, 200, map[string]string{"order.id": order.at("order.id")})
		hinted(`{"level":1,"transaction_hash":"fabricated"}`, map[string]string{"unlocked": "false", "order.id": order.at("order.id")})
		call("GET", "status", "", 200, map[string]string{"current_mine_level": "0"})
		modelstest.Paid(t, g.store, game.TON, order.at("order.comment"), g.clock.Now())
		call("POST", "unlock", `{"level":1,"transaction_hash":"x"}`, 200, map[string]string{"unlocked": "true", "status.current_mine_level": "1", "status.can_unlock_next": "2", "status.tournament.daily_possible": "true", "status.tournament.digs_daily": "true"})
		call("POST", "mine", `{"taps":7,"batch_id":"b"}`, 200, map[string]string{"accepted": "7", "total_mcbk": "1.75", "current_energy": "930", "max_energy": "1000"})
		call("POST", "mine", `{"taps":8,"batch_id":"b"}`, 422, map[string]string{"code": "idempotency_key_reused"})
		call("GET", "leaderboard", "", 200, map[string]string{"leaderboard.0.rank": "1", "leaderboard.0.mcbk": "1.75", "leaderboard.0.taps": "7", "me.rank": "1", "me.user.first_name": "Ann"})
		g.asks(raw, "GET", "/user/transactions", "", 200, map[string]string{
			"transactions.0.kind": "mine", "transactions.0.name": "Level 1 mine", "transactions.0.amount": "1", "transactions.0.asset": "TON",
			"transactions.0.amount_usd": "-2.50", "transactions.0.is_withdraw": "true",
		})
		g.asks(raw, "GET", "/orders/"+order.at("order.id"), "", 200, map[string]string{"status": "paid", "level": "1", "paid_ton": "1"})
		modelstest.Sound(t, g.store)

		g.clock.Step(14*24*time.Hour + 12*time.Hour)
		raw = launch(id, g.clock.Now())
		refused("mine", `{"taps":1,"batch_id":"batch-late"}`, "tournament_not_active")
		refused("create-payment", `{"level":2}`, "tournament_not_active")
		modelstest.Paid(t, g.store, game.TON, "the chain goes on", g.clock.Now().Add(time.Second))
		for range 2 {
			modelstest.Must(g.store.Mines.AdvanceTournaments(t.Context(), nil, g.clock.Now().Add(2*time.Second)))(t)
		}
		call("GET", "status", "", 200, map[string]string{
			"tournament.status": "final", "tournament.result.rank": "1", "tournament.result.mcbk": "1.75", "tournament.result.paid_mcbk": "1.75",
			"tournament.result.doubled": "false", "tournament.result.prize_ton": "0", "tournament.result.prize_given": "false", "tournament.result.payout": "<nil>",
		})
		g.asks(raw, "GET", "/user/transactions", "", 200, map[string]string{"transactions.0.kind": "ore", "transactions.0.amount": "1.75"})
	})
}

func TestConcurrentHintsAndOrdersOpenAMineOnce(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		id := modelstest.TelegramID()
		raw := g.arrives(id)
		g.buys(raw)
		modelstest.Tournament(t, g.store)
		call := func(path, body string) answer {
			return g.send(request{method: "POST", path: "/api/mines/" + path, body: body, launch: raw})
		}
		order := call("create-payment", `{"level":1}`)
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				if a := call("unlock", `{"level":1,"transaction_hash":"anything"}`); a.status != 200 && a.status != 202 {
					t.Errorf("a hint is answered %d %s", a.status, a.body)
				}
			})
			all.Go(func() {
				if a := call("create-payment", `{"level":1}`); a.status == 200 && a.at("order.id") != order.at("order.id") || a.status != 200 && a.code() != "level_not_next" {
					t.Errorf("asked again: %d %s", a.status, a.body)
				}
			})
		}
		modelstest.Paid(t, g.store, game.TON, order.at("order.comment"), g.clock.Now())
		all.Wait()
		if got := g.posted(id); !slices.Equal(got, []string{"house:mines>mine 0"}) {
			t.Errorf("posted %v", got)
		}
		modelstest.Sound(t, g.store)
	})
}
