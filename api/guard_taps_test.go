package api_test

import (
	"slices"
	"testing"

	"mcbk/models/given"
)

var _ = guard("performBatchTap", example{
	good: func(_ *table, _, key string) request {
		return request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":3,"batch_id":"` + key + `"}`}
	},
	cases: map[kind]func(*testing.T, *table){foreign: anothersBatchID},
})

// A batch's id is the player's own name for it: what another called the same tells nothing and
// changes nothing.
func anothersBatchID(t *testing.T, g *table) {
	owner, other := given.TelegramID(), given.TelegramID()
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
