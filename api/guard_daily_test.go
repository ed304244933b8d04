package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// adsSecret is the ad network's secret.
const adsSecret = "ads-secret"

var (
	_ = guard("checkIn", example{good: func(*table, string, string) request {
		return request{method: "POST", path: "/api/user/checkin"}
	}})
	_ = guard("doubleDailyReward", example{good: func(g *table, raw, _ string) request {
		g.once(raw, func() { g.watches(raw, models.AdDaily) })
		return request{method: "POST", path: "/api/user/double-reward"}
	}})
	_ = guard("claimPrediction", example{good: func(g *table, raw, _ string) request {
		return request{method: "POST", path: "/api/prediction/claim", body: fmt.Sprintf(`{"prediction_id":%s}`, g.advised(raw))}
	}})
	_ = guard("doublePrediction", example{good: func(g *table, raw, _ string) request {
		var id string
		g.once(raw, func() {
			id = g.advised(raw)
			g.watches(raw, models.AdPrediction)
		})
		if id == "" { // another of fifty calls: any that may be refused
			id = "1"
		}
		return request{method: "POST", path: "/api/prediction/double", body: fmt.Sprintf(`{"prediction_id":%s}`, id)}
	}})
	_ = guard("startAd", example{good: func(g *table, raw, _ string) request {
		return request{method: "POST", path: "/api/ads/start", body: fmt.Sprintf(`{"purpose":"prediction","target_id":%s}`, g.advised(raw))}
	}})
	_ = guard("completeAd", example{good: func(g *table, raw, _ string) request {
		ticket := "00000000000000000000000000000000" // of another of fifty calls
		g.once(raw, func() { ticket = g.opens(raw, models.AdDaily) })
		return request{method: "POST", path: "/api/ads/complete", body: fmt.Sprintf(`{"ticket":%q}`, ticket)}
	}})
	_ = guard("rewardAd", example{
		good: func(g *table, raw, _ string) request {
			g.once(raw, func() { g.opens(raw, models.AdDaily) })
			return networkSays(adsSecret, who(raw), "")
		},
		cases: map[kind]func(*testing.T, *table){auth: withoutTheSecret, foreign: anothersTicket},
	})
)

// doneOnce are the players with completed preparations.
var doneOnce sync.Map

func (g *table) once(raw string, do func()) {
	if _, done := doneOnce.LoadOrStore(raw, true); !done {
		do()
	}
}

// made is what was made for a player, always the same.
func (g *table) made(what string, do func() string) string {
	made, _ := doneOnce.LoadOrStore(what, sync.OnceValue(do))
	return made.(func() string)() //nolint:errcheck,forcetypeassert // stored here
}

// who is the user of launch data.
func who(raw string) int64 {
	values, _ := url.ParseQuery(raw) //nolint:errcheck // made by launch
	var user struct{ ID int64 }
	_ = json.Unmarshal([]byte(values.Get("user")), &user)
	return user.ID
}

func (g *table) advised(raw string) (id string) {
	g.t.Helper()
	return g.asks(raw, "GET", "/prediction", "", 200, nil).at("id")
}

// opens is a ticket that is ten seconds old, of a player who has checked in.
func (g *table) opens(raw string, purpose models.AdPurpose) (ticket string) {
	g.t.Helper()
	player, at := g.player(raw), g.clock.Now().Add(-10*time.Second)
	modelstest.CheckIn(g.t, g.store, player, at)
	return modelstest.OpenAd(g.t, g.store, player, purpose, at).Ticket
}

// watches opens a ticket and confirms it as the network.
func (g *table) watches(raw string, purpose models.AdPurpose) {
	g.t.Helper()
	g.confirms(raw, g.opens(raw, purpose))
}

func (g *table) confirms(raw, ticket string) {
	g.t.Helper()
	if a := g.send(networkSays(adsSecret, who(raw), ticket)); a.status != 200 || a.body != "ok" {
		g.t.Fatalf("the network's word: %d %s", a.status, a.body)
	}
}

func networkSays(key string, telegramID int64, ticket string) request {
	q := request{method: "GET", path: fmt.Sprint("/api/ads/reward?userid=", telegramID), launch: "-"}
	if key != "" {
		q = q.asking("key", key)
	}
	if ticket != "" {
		q = q.asking("ticket", ticket)
	}
	return q
}

// An unset secret must refuse every callback.
func TestMissingAdSecretRefusesEveryCallback(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		g := serve(t, store, func(o *api.Options) { o.Ads.Secret = "" })
		raw := g.arrives(modelstest.TelegramID())
		g.opens(raw, models.AdDaily)
		for _, q := range []request{networkSays("", who(raw), ""), networkSays("", who(raw), "").asking("key", ""), networkSays(adsSecret, who(raw), "")} {
			g.refuses("without a secret", q, 401, "unauthorized")
		}
	})
}

func withoutTheSecret(t *testing.T, g *table) {
	raw := g.arrives(modelstest.TelegramID())
	g.opens(raw, models.AdDaily)
	before := g.contents(t)
	for _, key := range []string{"", "ads-secre", "ads-secretx", "ADS-SECRET"} {
		g.refuses("a wrong key", networkSays(key, who(raw), ""), 401, "unauthorized")
		for _, nobody := range []string{"", "userid=", "userid=x"} { // nor is the missing part revealed
			g.refuses("nobody's", request{method: "GET", path: "/api/ads/reward?" + nobody, launch: "-"}.asking("key", key), 401, "unauthorized")
		}
	}
	g.answers("nobody's, with the secret", request{method: "GET", path: "/api/ads/reward?userid=x", launch: "-"}.asking("key", adsSecret), 400, nil)
	g.unchanged(before)
}

// anothersTicket confirms a ticket for a player who does not own it.
func anothersTicket(t *testing.T, g *table) {
	owner, other := g.arrives(modelstest.TelegramID()), g.arrives(modelstest.TelegramID())
	ticket := g.opens(owner, models.AdDaily)
	before := g.contents(t)
	if a := g.send(networkSays(adsSecret, who(other), ticket)); a.status != 200 || a.body != "ok" {
		t.Errorf("another's ticket: %d %s", a.status, a.body)
	}
	g.unchanged(before)
}

func TestPlayersFirstDay(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		g.asks(raw, "POST", "/user/double-reward", "", 409, map[string]string{"code": "not_eligible"})
		g.asks(raw, "POST", "/user/checkin", "", 200, map[string]string{
			"streak": "1", "bonusCoin": "1", "bonusPoints": "10", "totalDaysInGame": "1", "canDoubleWithAd": "true",
		})
		if a := g.send(request{method: "POST", path: "/api/user/checkin", launch: raw}); a.status != 200 || strings.TrimSpace(a.body) != "{}" {
			t.Errorf("a second check-in: %d %s", a.status, a.body)
		}
		g.asks(raw, "GET", "/user/me", "", 200, map[string]string{
			"daily_reward.bonusPoints": "10", "balance.game_mcbk": "1", "stats.total_days_in_game": "1", "can_get_prediction": "true",
		})
		g.asks(raw, "POST", "/ads/start", `{"purpose":"roulette"}`, 400, map[string]string{"code": "validation_failed"})
		g.asks(raw, "POST", "/ads/start", `{"purpose":"roulette","target_id":1}`, 404, map[string]string{"code": "not_found"})
		g.asks(raw, "POST", "/user/double-reward", "", 409, map[string]string{"code": "ad_not_confirmed"})
		g.watches(raw, models.AdDaily)
		g.asks(raw, "POST", "/user/double-reward", "", 200, map[string]string{
			"bonusCoin": "1", "bonusPoints": "10", "user.balance.game_mcbk": "2", "user.daily_reward": "<nil>",
		})
		id := g.advised(raw)
		g.asks(raw, "POST", "/prediction/claim", `{"prediction_id":`+id+`}`, 200, map[string]string{
			"user.balance.game_points": "45", "user.can_get_prediction": "false",
		})
		g.asks(raw, "POST", "/prediction/claim", `{"prediction_id":`+id+`}`, 409, map[string]string{"code": "already_claimed"})
		g.asks(raw, "GET", "/prediction", "", 409, map[string]string{"code": "already_claimed"})
		g.asks(raw, "POST", "/prediction/claim", `{"prediction_id":99999}`, 404, map[string]string{"code": "not_found"})
		g.clock.Step(12 * time.Hour)
		yesterdays := id
		g.asks(raw, "GET", "/prediction", "", 200, map[string]string{"reward_points": "25", "canDoubleWithAd": "true"})
		g.asks(raw, "POST", "/prediction/claim", `{"prediction_id":`+yesterdays+`}`, 409, map[string]string{"code": "already_claimed"})
		unclaimed := g.advised(raw)
		g.clock.Step(24 * time.Hour)
		raw = launch(who(raw), g.clock.Now())
		g.asks(raw, "POST", "/prediction/claim", `{"prediction_id":`+unclaimed+`}`, 410, map[string]string{"code": "expired"})
		want := []string{
			"house:advice>game_points 25", "house:daily>game 1000000", "house:daily>game 1000000",
			"house:daily>game_points 10", "house:daily>game_points 10",
		}
		if got := slices.Sorted(slices.Values(g.posted(who(raw)))); !slices.Equal(got, want) {
			t.Errorf("posted %v, not %v", got, want)
		}
		modelstest.Sound(t, g.store)
	})
}

func TestTrustedAppConfirmsAds(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) { o.Ads.Trusted = true })
	raw := g.arrives(modelstest.TelegramID())
	g.asks(raw, "POST", "/ads/complete", fmt.Sprintf(`{"ticket":%q}`, g.opens(raw, models.AdDaily)), 200, map[string]string{"confirmed": "true"})
	g.asks(raw, "POST", "/user/double-reward", "", 200, map[string]string{"bonusCoin": "1"})
}

func TestAdNetworkIsExemptFromAddressLimit(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) { o.Limits.Address = 1 })
	g.passed(networkSays("guess", 1, "")) // who guesses the secret is held to the limit
	for range 200 {
		g.answers("the network's word", networkSays(adsSecret, 1, ""), 200, nil)
	}
}

func TestMissingAdUnitOpensNoTicket(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) { o.Ads = api.Ads{Trusted: true} })
	raw := g.arrives(modelstest.TelegramID())
	g.asks(raw, "POST", "/ads/start", `{"purpose":"daily"}`, 503, map[string]string{"params.feature": "ads"})
	g.asks(raw, "POST", "/ads/complete", fmt.Sprintf(`{"ticket":%q}`, g.opens(raw, models.AdDaily)), 200, map[string]string{"confirmed": "false"})
}
