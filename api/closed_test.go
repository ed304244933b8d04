package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/settings"
)

// calls are all calls that need launch data.
func calls(t *testing.T, g *table, launch string) map[string]request {
	t.Helper()
	all := map[string]request{}
	for _, r := range g.routes(t) {
		if r.operation == nil || (r.operation.Security != nil && len(*r.operation.Security) == 0) {
			continue
		}
		if all[r.name] = r.plain(launch); examples[r.id()].good != nil && !examples[r.id()].alone {
			all[r.name], _ = r.good(g, launch, modelstest.Key(1))
		}
	}
	if len(all) < 30 {
		t.Fatalf("only %d calls", len(all))
	}
	return all
}

func TestMaintenanceRefusesOnlyPlayers(t *testing.T) {
	onEachGuarded(t, func(t *testing.T, g *table) {
		id, watching := modelstest.TelegramID(), modelstest.TelegramID()
		all := calls(t, g, g.arrives(id))
		batch := all["POST /api/tap/perform-batch-tap"]
		ticket := g.opens(g.arrives(watching), models.AdDaily)
		modelstest.Done(t, g.store, settings.ActionMaintenance, "on")
		before := g.contents(t)
		all["somebody new"] = request{method: "GET", path: "/api/user/me", launch: launch(modelstest.TelegramID(), g.clock.Now())}
		for name, r := range all {
			if a := g.refuses(name, r, http.StatusServiceUnavailable, "maintenance"); a.header.Get("Retry-After") != "15" {
				t.Errorf("%s: Retry-After %q", name, a.header.Get("Retry-After"))
			}
		}
		g.unchanged(before)
		for _, path := range []string{"/health/live", "/health/ready", "/tonconnect-manifest.json", "/wallets.json", "/", "/assets/app-1a.js", "/maintenance", "/api/config"} {
			g.answers("anybody", request{method: "GET", path: path, launch: "-"}, http.StatusOK, nil)
		}
		if a := g.send(request{method: "POST", path: webhookPath, launch: "-"}); a.code() == "maintenance" {
			t.Errorf("the webhook: %d %s", a.status, a.body)
		}
		if a := g.send(networkSays(adsSecret, watching, ticket)); a.body != "ok" || !slices.Contains(g.contents(t).Changed(before), "ad_tickets") {
			t.Errorf("the ad network: %d %s", a.status, a.body)
		}
		g.refuses("a forger", request{method: "GET", path: "/api/user/me", launch: "user=1"}, http.StatusUnauthorized, "init_data_invalid")

		modelstest.Done(t, g.store, settings.ActionMaintenance, "off")
		for range 2 {
			g.answers("the refused batch afterwards", batch, http.StatusOK, map[string]string{"accepted": "3"})
		}
		if got := slices.DeleteFunc(g.posted(id), func(line string) bool { return line != "house:taps>game 3000" }); len(got) != 1 {
			t.Errorf("the batch is posted %d times", len(got))
		}
	})
}

// Nor does a response that was stored before bypass a ban.
func TestBannedPlayerIsRefusedEverywhereWithReason(t *testing.T) {
	onEachGuarded(t, func(t *testing.T, g *table) {
		raw, othersRaw := g.arrives(modelstest.TelegramID()), g.arrives(modelstest.TelegramID())
		player := fmt.Sprint(g.player(raw).ID)
		all := calls(t, g, raw)
		g.answers("a wish with a key", all["PUT /api/user/update"], http.StatusOK, nil)
		const reason = `<b>a bot</b> & "more"`
		modelstest.Done(t, g.store, players.ActionBan, player, reason)
		before := g.contents(t)
		for name, r := range all {
			g.answers(name, r, http.StatusForbidden, map[string]string{"code": "user_blocked", "params.reason": reason})
		}
		g.unchanged(before)
		g.asks(othersRaw, "GET", "/user/me", "", http.StatusOK, nil)
		modelstest.Done(t, g.store, players.ActionUnban, player)
		g.asks(raw, "GET", "/user/me", "", http.StatusOK, nil)
	})
}

func TestTapCostAndRewardFollowSettings(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "energy_per_tap", "2")
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "micro_mcbk_per_tap", "1500")
		batch := `{"total_taps":4,"batch_id":"batch-0001"}`
		first := g.asks(raw, "POST", "/tap/perform-batch-tap", batch, 200, map[string]string{
			"accepted": "4", "user.balance.game_mcbk": "0.006", "energy_info.current_energy": "992",
			"energy_info.energy_per_tap": "2", "energy_info.mcbk_per_tap": "0.0015",
		})
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "energy_per_tap", "5")
		if again := g.asks(raw, "POST", "/tap/perform-batch-tap", batch, 200, nil); again.body != first.body {
			t.Errorf("the same batch again: %s, first %s", again.body, first.body)
		}
		g.asks(raw, "GET", "/tap/energy-status", "", 200, map[string]string{"energy_per_tap": "5", "mcbk_per_tap": "0.0015"})
		modelstest.Sound(t, g.store)
	})
}

func TestLaunchDataAgeFollowsSetting(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "launch_age", "2h")
		g.clock.Step(2 * time.Hour)
		g.asks(raw, "GET", "/user/me", "", 200, nil)
		g.clock.Step(time.Second)
		g.asks(raw, "GET", "/user/me", "", 401, map[string]string{"code": "init_data_expired"})
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "launch_age", "3h")
		g.asks(raw, "GET", "/user/me", "", 200, nil)
	})
}
