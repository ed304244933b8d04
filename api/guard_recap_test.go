package api_test

import (
	"fmt"
	"testing"
	"time"

	"mcbk/models/modelstest"
)

var _ = guard("sendCard", example{good: func(*table, string, string) request {
	return request{method: "POST", path: "/api/user/card", body: `{"of":"season"}`}
}})

func TestRecapTellsTheSeason(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		id := modelstest.TelegramID()
		raw := g.arrives(id)
		modelstest.Tap(t, g.store, g.player(raw), 20, "batch-0001", g.clock.Now())
		modelstest.CheckIn(t, g.store, g.player(raw), g.clock.Now())
		g.clock.Step(modelstest.Season.End().Sub(g.clock.Now()))
		raw = launch(id, g.clock.Now())
		g.asks(raw, "GET", "/user/recap", "", 200, map[string]string{
			"days": "1", "taps": "20", "mcbk": "1.02", "rank": "<nil>", "friends": "0", "best_win_mcbk": "0", "best_win_points": "0",
		})
		g.asks(raw, "POST", "/user/card", `{"of":"tournament"}`, 409, map[string]string{"code": "not_eligible"})
		g.asks(raw, "POST", "/user/card", `{"of":"season"}`, 202, map[string]string{"queued": "true"})
		if n := modelstest.CountMessages(t, g.store, "card:season:"); n != 1 {
			t.Errorf("%d cards are queued", n)
		}
		modelstest.NoError(t, g.store.Outbox.SetReach(t.Context(), id, false, g.clock.Now()))
		g.asks(raw, "POST", "/user/card", `{"of":"season"}`, 409, map[string]string{"code": "bot_blocked"})
	})
}

func TestTournamentCardComesWithTheResult(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		id := modelstest.TelegramID()
		raw := g.arrives(id)
		late, idle := g.arrives(modelstest.TelegramID()), g.arrives(modelstest.TelegramID())
		card := func(raw string, status int, what, value string) {
			t.Helper()
			g.asks(raw, "POST", "/user/card", `{"of":"tournament"}`, status, map[string]string{what: value})
		}
		g.digs(raw)
		g.digs(late)
		modelstest.Dig(t, g.store, g.player(raw), 5, "batch-0001", g.clock.Now())
		card(raw, 409, "code", "not_eligible")
		g.clock.Step(modelstest.EndTournament(t, g.store).Add(time.Second).Sub(g.clock.Now()))
		for _, none := range []string{late, idle} { // a mine without ore, and no mine
			card(launch(g.player(none).TelegramID, g.clock.Now()), 409, "code", "not_eligible")
		}
		card(launch(id, g.clock.Now()), 202, "queued", "true")
		key := fmt.Sprintf("card:tournament:%d:%d", g.player(raw).ID, g.clock.Now().Unix()/60)
		if m := modelstest.StoredMessage(t, g.store, key); m.Params["tournament"] != "1" {
			t.Errorf("it is of %v", m.Params)
		}
	})
}

// Whether or not a picture may be asked for, each request counts.
func TestCardsAreLimitedToTwentyAnHour(t *testing.T) {
	g := limited(t)
	ask := request{method: "POST", path: "/api/user/card", body: `{"of":"season"}`, launch: g.arrives(modelstest.TelegramID())}
	if n := g.passed(ask); n != 5 {
		t.Errorf("%d cards at once", n)
	}
	if g.clock.Step(3 * time.Minute); g.passed(ask) != 1 {
		t.Error("not one more after three minutes")
	}
}
