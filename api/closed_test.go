package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
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
		id := modelstest.TelegramID()
		raw := g.arrives(id)
		all := calls(t, g, raw)
		watching := modelstest.TelegramID()
		ticket := g.opens(g.arrives(watching), models.AdDaily)
		modelstest.Done(t, g.store, settings.ActionMaintenance, "on")
		before := g.contents(t)
		for name, r := range all {
			a := g.send(r)
			if a.status != http.StatusServiceUnavailable || a.code() != "maintenance" || a.header.Get("Retry-After") != "15" {
				t.Errorf("%s: %d %s", name, a.status, a.body)
			}
		}
		if a := g.send(request{method: "GET", path: "/api/user/me", launch: launch(modelstest.TelegramID(), g.clock.Now())}); a.code() != "maintenance" {
			t.Errorf("somebody new: %d %s", a.status, a.body)
		}
		if tables := g.contents(t).Changed(before); len(tables) > 0 {
			t.Errorf("changed %v", tables)
		}
		for _, path := range []string{"/health/live", "/health/ready", "/tonconnect-manifest.json", "/wallets.json", "/", "/assets/app-1a.js", "/maintenance", "/api/config"} {
			if a := g.send(request{method: "GET", path: path, launch: "-"}); a.status != http.StatusOK {
				t.Errorf("%s: %d %s", path, a.status, a.body)
			}
		}
		if a := g.send(request{method: "POST", path: webhookPath, launch: "-"}); a.code() == "maintenance" {
			t.Errorf("the webhook: %d %s", a.status, a.body)
		}
		if a := g.send(networkSays(adsSecret, watching, ticket)); a.body != "ok" || !slices.Contains(g.contents(t).Changed(before), "ad_tickets") {
			t.Errorf("the ad network: %d %s", a.status, a.body)
		}
		if a := g.send(request{method: "GET", path: "/api/user/me", launch: "user=1"}); a.code() != "init_data_invalid" {
			t.Errorf("a forger: %d %s", a.status, a.body)
		}
	})
}

func TestBatchCountsAfterMaintenance(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		id := modelstest.TelegramID()
		batch := request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":7,"batch_id":"batch-0001"}`, launch: g.arrives(id)}
		modelstest.Done(t, g.store, settings.ActionMaintenance, "on")
		if a := g.send(batch); a.code() != "maintenance" {
			t.Errorf("during: %d %s", a.status, a.body)
		}
		modelstest.Done(t, g.store, settings.ActionMaintenance, "off")
		for range 2 {
			if a := g.send(batch); a.at("accepted") != "7" {
				t.Errorf("afterwards: %d %s", a.status, a.body)
			}
		}
		if got := g.posted(id); len(got) != 1 {
			t.Errorf("posted %v", got)
		}
	})
}

func TestBannedPlayerIsRefusedEverywhereWithReason(t *testing.T) {
	onEachGuarded(t, func(t *testing.T, g *table) {
		id, other := modelstest.TelegramID(), modelstest.TelegramID()
		raw, othersRaw := g.arrives(id), g.arrives(other)
		player := modelstest.Must(g.store.Players.PlayerByTelegramID(t.Context(), id))(t)
		all := calls(t, g, raw)
		const reason = `<b>a bot</b> & "more"`
		modelstest.Done(t, g.store, players.ActionBan, fmt.Sprint(player.ID), reason)
		before := g.contents(t)
		for name, r := range all {
			a := g.send(r)
			if a.status != http.StatusForbidden || a.code() != "user_blocked" || a.at("params.reason") != reason {
				t.Errorf("%s: %d %s", name, a.status, a.body)
			}
		}
		if tables := g.contents(t).Changed(before); len(tables) > 0 {
			t.Errorf("changed %v", tables)
		}
		if a := g.send(request{method: "GET", path: "/api/user/me", launch: othersRaw}); a.status != http.StatusOK {
			t.Errorf("another player: %d %s", a.status, a.body)
		}
		modelstest.Done(t, g.store, players.ActionUnban, fmt.Sprint(player.ID))
		if a := g.send(request{method: "GET", path: "/api/user/me", launch: raw}); a.status != http.StatusOK {
			t.Errorf("afterwards: %d %s", a.status, a.body)
		}
	})
}

// A stored response must not bypass a ban.
func TestBannedPlayerGetsNoStoredResponse(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		id := modelstest.TelegramID()
		wish := request{
			method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: g.arrives(id),
			header: map[string]string{"Idempotency-Key": modelstest.Key(1)},
		}
		if a := g.send(wish); a.status != http.StatusOK {
			t.Fatalf("%d %s", a.status, a.body)
		}
		player := modelstest.Must(g.store.Players.PlayerByTelegramID(t.Context(), id))(t)
		modelstest.Done(t, g.store, players.ActionBan, fmt.Sprint(player.ID), "a bot")
		if a := g.send(wish); a.code() != "user_blocked" || strings.Contains(a.body, "balance") {
			t.Errorf("%d %s", a.status, a.body)
		}
	})
}

func TestTapCostAndRewardFollowSettings(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "energy_per_tap", "2")
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "micro_mcbk_per_tap", "1500")
		batch := request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":4,"batch_id":"batch-0001"}`, launch: raw}
		first := g.send(batch)
		for path, want := range map[string]string{
			"accepted": "4", "user.balance.game_mcbk": "0.006", "energy_info.current_energy": "992",
			"energy_info.energy_per_tap": "2", "energy_info.mcbk_per_tap": "0.0015",
		} {
			if got := first.at(path); got != want {
				t.Errorf("%s is %s, not %s", path, got, want)
			}
		}
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "energy_per_tap", "5")
		if again := g.send(batch); again.body != first.body {
			t.Errorf("the same batch again: %s, first %s", again.body, first.body)
		}
		if a := g.send(request{method: "GET", path: "/api/tap/energy-status", launch: raw}); a.at("energy_per_tap") != "5" || a.at("mcbk_per_tap") != "0.0015" {
			t.Errorf("the energy is %s", a.body)
		}
		modelstest.Sound(t, g.store)
	})
}

func TestLaunchDataAgeFollowsSetting(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		ask := func() string {
			a := g.send(request{method: "GET", path: "/api/user/me", launch: raw})
			return fmt.Sprint(a.status, " ", a.code())
		}
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "launch_age", "2h")
		for _, c := range []struct {
			after time.Duration
			want  string
		}{{2 * time.Hour, "200 "}, {time.Second, "401 init_data_expired"}} {
			g.clock.Step(c.after)
			if got := ask(); got != c.want {
				t.Errorf("%s later: %s", c.after, got)
			}
		}
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "launch_age", "3h")
		if got := ask(); got != "200 " {
			t.Errorf("with three hours: %s", got)
		}
	})
}
