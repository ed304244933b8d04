package api_test

import (
	"slices"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/modelstest"
)

var _ = guard("performBatchTap", example{
	good: func(_ *table, _, key string) request {
		return request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":3,"batch_id":"` + key + `"}`}
	},
	cases: map[kind]func(*testing.T, *table){foreign: anothersBatchID},
})

// A batch ID belongs to its player: another player's equal ID reveals and changes nothing.
func anothersBatchID(t *testing.T, g *table) {
	const path = "/tap/perform-batch-tap"
	owner, other := g.arrives(modelstest.TelegramID()), g.arrives(modelstest.TelegramID())
	first := g.asks(owner, "POST", path, `{"total_taps":20,"batch_id":"batch-0001"}`, 200, nil)
	g.asks(other, "POST", path, `{"total_taps":5,"batch_id":"batch-0001"}`, 200, map[string]string{"accepted": "5", "user.balance.game_mcbk": "0.005"})
	if again := g.asks(owner, "POST", path, `{"total_taps":20,"batch_id":"batch-0001"}`, 200, nil); again.body != first.body {
		t.Errorf("the owner's answer became %s, was %s", again.body, first.body)
	}
	for raw, want := range map[string]string{owner: "house:taps>game 20000", other: "house:taps>game 5000"} {
		if got := g.posted(who(raw)); !slices.Equal(got, []string{want}) {
			t.Errorf("posted %v, not %s", got, want)
		}
	}
}

// The daily spins are granted at the first visit, and shown before. A repeated batch from before the visit shows them, too.
func TestRepeatedBatchReturnsSameSpins(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		id := modelstest.TelegramID()
		raw := g.arrives(id) // and visits
		tap := func(when, batch, spins, adSpins string) {
			t.Helper()
			g.answers(when, request{
				method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":3,"batch_id":"` + batch + `"}`, launch: launch(id, g.clock.Now()),
			}, 200, map[string]string{"user.balance.daily_spins": spins, "user.balance.ad_spins": adSpins})
		}
		g.watched(raw, models.AdSpin, 0)
		tap("the first day", "batch-0001", "11", "9")
		g.clock.Step(13 * time.Hour)
		tap("the next, before the look", "batch-0002", "20", "10")
		g.asks(launch(id, g.clock.Now()), "GET", "/roulette/status", "", 200, map[string]string{"daily_spins": "20"})
		modelstest.Spun(t, g.store, g.player(raw), false, modelstest.Segment(t, "coins_1"), g.clock.Now())
		tap("after a spin", "batch-0003", "19", "10")
		for _, later := range []time.Duration{0, 12 * time.Hour, 100 * 24 * time.Hour} {
			g.clock.Step(later)
			tap("that of the first day", "batch-0001", "11", "9")
			tap("that before the look", "batch-0002", "20", "10")
			tap("that after a spin", "batch-0003", "19", "10")
		}
		modelstest.Sound(t, g.store)
	})
}
