package api_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
)

var (
	_ = guard("spin", example{good: func(g *table, raw, _ string) request {
		g.once(raw+" spin", func() {
			modelstest.Steered(g.t, g.store, g.player(raw), modelstest.Segment(g.t, "coins_1"), g.clock.Now())
		})
		return request{method: "POST", path: "/api/roulette/spin", body: `{"is_golden_spin_requested":false}`}
	}})
	_ = guard("claimChestReward", example{good: func(g *table, raw, _ string) request {
		return request{method: "POST", path: "/api/roulette/claim-chest-reward", body: fmt.Sprintf(`{"spin_id":%s,"watch_ad":false}`, g.spun(raw, "coins_5"))}
	}})
	_ = guard("claimSpinReward", example{good: func(g *table, raw, _ string) request {
		return request{method: "POST", path: "/api/roulette/claim-reward", body: fmt.Sprintf(`{"spin_id":%s}`, g.spun(raw, "points_50"))}
	}})
	_ = guard("doubleSpinReward", example{good: func(g *table, raw, _ string) request {
		spin := g.spun(raw, "points_200")
		g.once(raw+" ad", func() { g.watched(raw, models.AdRoulette, number(g.t, spin)) })
		return request{method: "POST", path: "/api/roulette/double-reward", body: fmt.Sprintf(`{"spin_id":%s}`, spin)}
	}})
	_ = guard("takeAdSpin", example{good: func(g *table, raw, _ string) request {
		g.once(raw+" ad spin", func() { g.watched(raw, models.AdSpin, 0) })
		return request{method: "POST", path: "/api/roulette/ad"}
	}})
	_ = guard("setClientSeed", example{good: func(*table, string, string) request {
		return request{method: "PUT", path: "/api/roulette/client-seed", body: `{"client_seed":"my-own_Choice1"}`}
	}})
	_ = guard("claimCircleAds", example{alone: true, good: func(g *table, raw, _ string) request {
		g.once(raw+" loyal", func() { modelstest.EarnLoyalty(g.t, g.store, g.player(raw), g.clock.Now().Add(-time.Hour), "") })
		return request{method: "POST", path: "/api/circle-ads/claim"}
	}})
)

// spun is a player's spin with that prize, always the same.
func (g *table) spun(raw, prize string) (id string) {
	g.t.Helper()
	return g.made(raw+prize, func() string {
		spin, _ := modelstest.Spun(g.t, g.store, g.player(raw), false, modelstest.Segment(g.t, prize), g.clock.Now())
		return fmt.Sprint(spin.ID)
	})
}

func (g *table) player(raw string) models.Player {
	g.t.Helper()
	return modelstest.Must(g.store.Players.PlayerByTelegramID(g.t.Context(), who(raw)))(g.t)
}

// watched is an ad begun ten seconds ago that the network confirms.
func (g *table) watched(raw string, purpose models.AdPurpose, target int64) {
	g.t.Helper()
	at := g.clock.Now().Add(-10 * time.Second)
	ticket := modelstest.Must(g.store.Ads.StartAd(g.t.Context(), g.player(raw).ID, purpose, target, modelstest.Season, at))(g.t)
	g.confirms(raw, ticket.Ticket)
}

func TestPlayersDayAtWheel(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		call := func(method, path, body string, want int, shows map[string]string) answer {
			t.Helper()
			a := g.asks(raw, method, path, body, want, shows)
			if method == "POST" && a.status == 200 && path != "/circle-ads/claim" {
				g.figuresAreCurrent(raw, path, a)
			}
			g.clock.Step(time.Second)
			return a
		}
		spins := func(prize, status string, shows map[string]string) (id string) {
			t.Helper()
			modelstest.Steered(t, g.store, g.player(raw), modelstest.Segment(t, prize), g.clock.Now())
			shows["status"] = status
			return call("POST", "/roulette/spin", `{"is_golden_spin_requested":false}`, 200, shows).at("spin_id")
		}
		call("GET", "/roulette/status", "", 200, map[string]string{
			"daily_spins": "10", "ad_spins": "10", "spin_streak": "0", "spun_today": "false", "is_golden_spin_available": "false",
		})
		call("POST", "/roulette/spin", `{"is_golden_spin_requested":true}`, 409, map[string]string{"code": "golden_not_available"})
		credited := spins("coins_3", "credited", map[string]string{
			"reward.type": "coins_3", "reward.segment": "4", "reward.coins": "3", "reward.points": "<nil>", "reward.multiplier": "1",
			"reward.is_golden": "false", "reward.canDoubleWithAd": "false", "user.balance.daily_spins": "9", "user.stats.won_mcbk": "3",
		})
		call("POST", "/roulette/claim-reward", `{"spin_id":`+credited+`}`, 409, map[string]string{"code": "already_claimed"})
		call("POST", "/roulette/double-reward", `{"spin_id":`+credited+`}`, 409, map[string]string{"code": "not_eligible"})

		points := spins("points_200", "pending", map[string]string{"reward.points": "200", "reward.coins": "<nil>", "reward.canDoubleWithAd": "true"})
		call("POST", "/roulette/double-reward", `{"spin_id":`+points+`}`, 409, map[string]string{"code": "ad_not_confirmed"})
		g.watched(raw, models.AdRoulette, number(t, points))
		call("POST", "/roulette/double-reward", `{"spin_id":`+points+`}`, 200, map[string]string{"user.balance.game_points": "600"})
		call("POST", "/roulette/claim-reward", `{"spin_id":`+points+`}`, 409, map[string]string{"code": "already_claimed"})

		chest := spins("coin_2_points_75", "pending", map[string]string{
			"reward.type": "chest", "reward.chest.type": "coin_2_points_75", "reward.chest.coins": "2", "reward.chest.points": "75",
			"reward.chest.spins": "0", "reward.chest.canDoubleWithAd": "true", "reward.coins": "<nil>",
		})
		call("POST", "/roulette/claim-chest-reward", `{"spin_id":`+points+`,"watch_ad":false}`, 409, map[string]string{"code": "not_eligible"})
		call("POST", "/roulette/claim-chest-reward", `{"spin_id":`+chest+`,"watch_ad":true}`, 409, map[string]string{"code": "ad_not_confirmed"})
		g.watched(raw, models.AdRoulette, number(t, chest))
		call("POST", "/roulette/claim-chest-reward", `{"spin_id":`+chest+`,"watch_ad":true}`, 200, map[string]string{
			"reward.chest.coins": "6", "reward.chest.points": "225", "reward.multiplier": "3", "reward.canDoubleWithAd": "false",
			"user.balance.game_points": "825", "user.stats.won_mcbk": "9",
		})
		bonus := spins("bonus_spin", "pending", map[string]string{
			"reward.bonus_spin": "true", "reward.additional_reward.points": "10", "reward.additional_reward.coins": "0", "reward.canDoubleWithAd": "false",
		})
		call("POST", "/roulette/claim-reward", `{"spin_id":`+bonus+`}`, 200, map[string]string{"user.balance.daily_spins": "7", "user.balance.game_points": "835"})
		call("POST", "/roulette/ad", "", 409, map[string]string{"code": "ad_not_confirmed"})
		g.watched(raw, models.AdSpin, 0)
		call("POST", "/roulette/ad", "", 200, map[string]string{"bonus_points": "10", "user.balance.daily_spins": "8", "user.balance.ad_spins": "9"})
		call("GET", "/roulette/status", "", 200, map[string]string{"spin_streak": "1", "spun_today": "true"})
		call("GET", "/tap/energy-status", "", 200, map[string]string{"total_roulette_spins": "4", "level_info.spins_to_next_level": "316"})
		call("GET", "/circle-ads/status", "", 200, map[string]string{"is_eligible": "false", "reward_claimed": "false"})
		call("POST", "/circle-ads/claim", "", 409, map[string]string{"code": "not_completed"})
		call("POST", "/roulette/claim-reward", `{"spin_id":99999}`, 404, map[string]string{"code": "not_found"})
		g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":9,"batch_id":"batch-0001"}`, launch: raw})
		late := spins("points_50", "pending", map[string]string{"energy.current_energy": "991"})
		g.clock.Step(13 * time.Hour) // the new day's spins are not granted yet, and the energy is full again
		call("POST", "/roulette/claim-reward", `{"spin_id":`+late+`}`, 200, map[string]string{
			"roulette.daily_spins": "17", "roulette.ad_spins": "10", "roulette.spun_today": "false", "energy.current_energy": "1000",
		})
		for day := 2; day <= game.GoldenStreak; day++ {
			raw = g.arrives(who(raw)) // launch data lives a day
			golden := strconv.FormatBool(day == game.GoldenStreak)
			spins("coins_3", "credited", map[string]string{
				"user.balance.is_golden_spin_available": golden, "roulette.is_golden_spin_available": golden,
			})
			g.clock.Step(24 * time.Hour)
		}
		modelstest.Sound(t, g.store)
	})
}

// figuresAreCurrent compares the figures of an answer with what is told to who asks for them now.
func (g *table) figuresAreCurrent(raw, of string, a answer) {
	g.t.Helper()
	read := func(body string) (value map[string]any) {
		modelstest.NoError(g.t, json.Unmarshal([]byte(body), &value))
		return value
	}
	told := read(a.body)
	for part, path := range map[string]string{"roulette": "/api/roulette/status", "energy": "/api/tap/energy-status"} {
		now := read(g.send(request{method: "GET", path: path, launch: raw}).body)
		delete(now, "as_of") // asking grants the day's spins
		if figures, ok := told[part].(map[string]any); ok {
			delete(figures, "as_of")
		}
		if !reflect.DeepEqual(told[part], any(now)) {
			g.t.Errorf("%s tells of %s %v, %s %v", of, part, told[part], path, now)
		}
	}
}

func number(t testing.TB, text string) (n int64) {
	t.Helper()
	modelstest.Must(fmt.Sscan(text, &n))(t)
	return n
}

func TestRefusedSpinNamesItsReason(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		refused := func(path, body, code string) {
			t.Helper()
			g.asks(raw, "POST", path, body, 409, map[string]string{"code": code})
			g.clock.Step(time.Second)
		}
		for range game.AdSpinsADay {
			g.watched(raw, models.AdSpin, 0)
			g.asks(raw, "POST", "/roulette/ad", "", 200, nil)
		}
		refused("/roulette/ad", "", "ad_spins_exhausted")
		refused("/ads/start", `{"purpose":"spin"}`, "ad_spins_exhausted")
		for range game.MostSpins {
			modelstest.Spun(t, g.store, g.player(raw), false, modelstest.Segment(t, "coins_1"), g.clock.Now())
		}
		refused("/roulette/spin", `{"is_golden_spin_requested":false}`, "no_spins_left")
		for range 2 {
			g.clock.Step(24 * time.Hour)
			raw = launch(who(raw), g.clock.Now())
			g.asks(raw, "GET", "/roulette/status", "", 200, nil)
		}
		refused("/roulette/ad", "", "spin_limit_reached")
		refused("/ads/start", `{"purpose":"spin"}`, "spin_limit_reached")
	})
}

// /roulette/fairness must suffice to reproduce a player's spins.
func TestSpinsAreReproducibleFromFairnessData(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		before := g.asks(raw, "GET", "/roulette/fairness", "", 200, map[string]string{"nonce": "0", "retired": "[]", "hasMore": "false"})
		weights := func(list string, n int) (all []string) {
			for i := range n {
				all = append(all, before.at(fmt.Sprintf("%s.%d.type", list, i))+" "+before.at(fmt.Sprintf("%s.%d.weight", list, i)))
			}
			return all
		}
		wheel, chest := weights("odds", 10), weights("chest_odds", 5)
		if !slices.Equal(wheel, []string{
			"chest 6", "points_100 10", "coins_2 11", "points_200 4", "coins_3 7",
			"points_10 16", "bonus_spin 8", "points_50 13", "coins_1 15", "points_20 10",
		}) || !slices.Equal(chest, []string{"coin_2_points_75 40", "coins_5 25", "points_150 20", "spins_2 10", "coin_3_spin_1 5"}) {
			t.Errorf("the odds are %v and %v", wheel, chest)
		}
		var told []answer
		for range 5 {
			told = append(told, g.asks(raw, "POST", "/roulette/spin", `{"is_golden_spin_requested":false}`, 200, nil))
			g.clock.Step(time.Second)
		}
		after := g.asks(raw, "PUT", "/roulette/client-seed", `{"client_seed":"my-own_Choice1"}`, 200, map[string]string{
			"server_seed_hash": before.at("next_server_seed_hash"), "client_seed": "my-own_Choice1", "retired.0.server_seed_hash": before.at("server_seed_hash"),
		})
		var seed game.ServerSeed
		if n, err := hex.Decode(seed[:], []byte(after.at("retired.0.server_seed"))); n != 32 || err != nil {
			t.Errorf("the seed is %s", after.at("retired.0.server_seed"))
		}
		if hash := seed.Hash(); hex.EncodeToString(hash[:]) != before.at("server_seed_hash") {
			t.Errorf("the seed's hash is not the one shown before")
		}
		for i, spin := range told {
			at := game.CurrentOdds().Draw(game.Rolls(seed, before.at("client_seed"), int64(i)))
			drawn := game.CurrentOdds().Wheel[at.Segment].Type + ", "
			if at.Chest != game.NoChest {
				drawn += game.CurrentOdds().Chest[at.Chest].Type
			}
			past := fmt.Sprintf("retired.0.spins.%d.", i)
			listed := after.at(past+"type") + ", " + chestIn(after, past+"chest_type")
			if shown := spin.at("reward.type") + ", " + chestIn(spin, "reward.chest.type"); shown != drawn || listed != drawn ||
				after.at(past+"spin_id") != spin.at("spin_id") || after.at(past+"nonce") != fmt.Sprint(i) {
				t.Errorf("spin %d was shown as %s, is listed as %s, its seeds say %s: %s", i, shown, listed, drawn, after.body)
			}
		}
	})
}

// chestIn is a chest's content in an answer, empty if there is none.
func chestIn(a answer, field string) string {
	if chest := a.at(field); chest != "<nil>" && !strings.HasPrefix(chest, "no ") {
		return chest
	}
	return ""
}

func TestSpinsAreLimitedToOneASecond(t *testing.T) {
	g := limited(t)
	spin := request{method: "POST", path: "/api/roulette/spin", body: `{"is_golden_spin_requested":false}`, launch: g.arrives(modelstest.TelegramID())}
	if n := g.passed(spin); n != 2 {
		t.Errorf("%d spins at once", n)
	}
	if a := g.send(spin); a.status != 429 || a.header.Get("Retry-After") != "1" {
		t.Errorf("%d %s, Retry-After %q", a.status, a.body, a.header.Get("Retry-After"))
	}
	if g.clock.Step(time.Second); g.passed(spin) != 1 {
		t.Error("not one more after a second")
	}
}
