package api_test

import (
	"fmt"
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
	owner, other := modelstest.TelegramID(), modelstest.TelegramID()
	tap := func(raw, body string) answer {
		return g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: body, launch: raw})
	}
	ownerLaunch, otherLaunch := g.arrives(owner), g.arrives(other)
	first := tap(ownerLaunch, `{"total_taps":20,"batch_id":"batch-0001"}`)
	if a := tap(otherLaunch, `{"total_taps":5,"batch_id":"batch-0001"}`); a.at("accepted") != "5" || a.at("user.balance.game_mcbk") != "0.005" {
		t.Errorf("another's batch of that name: %d %s", a.status, a.body)
	}
	if again := tap(ownerLaunch, `{"total_taps":20,"batch_id":"batch-0001"}`); again.body != first.body {
		t.Errorf("the owner's answer became %s, was %s", again.body, first.body)
	}
	for id, want := range map[int64]string{owner: "house:taps>game 20000", other: "house:taps>game 5000"} {
		if got := g.posted(id); !slices.Equal(got, []string{want}) {
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
			a := g.send(request{
				method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":3,"batch_id":"` + batch + `"}`, launch: launch(id, g.clock.Now()),
			})
			if got, ads := a.at("user.balance.daily_spins"), a.at("user.balance.ad_spins"); got != spins || ads != adSpins {
				t.Errorf("%s: %s spins and %s ad spins, want %s and %s", when, got, ads, spins, adSpins)
			}
		}
		g.watched(raw, models.AdSpin, 0)
		tap("the first day", "batch-0001", "11", "9")
		g.clock.Step(13 * time.Hour)
		tap("the next, before the look", "batch-0002", "20", "10")
		tap("the same again", "batch-0002", "20", "10")
		tap("that of the first day", "batch-0001", "11", "9")
		if a := g.send(request{method: "GET", path: "/api/roulette/status", launch: launch(id, g.clock.Now())}); a.at("daily_spins") != "20" {
			t.Fatalf("the look: %d %s", a.status, a.body)
		}
		modelstest.Spun(t, g.store, g.player(raw), false, modelstest.Segment(t, "coins_1"), g.clock.Now())
		tap("after a spin", "batch-0003", "19", "10")
		for _, later := range []time.Duration{0, 12 * time.Hour, 24 * time.Hour, 100 * 24 * time.Hour} {
			g.clock.Step(later)
			after := fmt.Sprintf(", after %s more", later)
			tap("that of the first day"+after, "batch-0001", "11", "9")
			tap("that before the look"+after, "batch-0002", "20", "10")
			tap("that after a spin"+after, "batch-0003", "19", "10")
		}
		modelstest.Sound(t, g.store)
	})
}
