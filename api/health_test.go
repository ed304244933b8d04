package api_test

import (
	"testing"
	"time"

	"mcbk/api"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

// Health shows the chain's lag, which does not affect readiness.
func TestHealthShowsChainLag(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		g := serve(t, store, selling)
		ready := func(lag string) {
			t.Helper()
			g.answers("ready", request{method: "GET", path: "/health/ready", launch: "-"}, 200, map[string]string{"status": "ready", "chain.lag_seconds": lag})
		}
		ready("<nil>")
		g.readsTheChain()
		modelstest.Must(store.Treasury.Record(t.Context(), treasury.History{KnownUntil: g.clock.Now()}, modelstest.Season, g.clock.Now))(t)
		g.clock.Step(7 * time.Second)
		ready("7")
		g.clock.Step(time.Hour)
		ready("3607")
	})
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) { o.Sales = api.Sales{} })
	if a := g.send(request{method: "GET", path: "/health/ready", launch: "-"}); a.status != 200 || a.body != `{"status":"ready"}` {
		t.Errorf("where nothing is sold ready is answered %d %s", a.status, a.body)
	}
}
