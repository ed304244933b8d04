package api_test

import (
	"testing"

	"mcbk/api"
	"mcbk/models/given"
)

// A later version migrates the database while this one serves: a column that it adds fails no call, and no statement is planned again
// in vain.
func TestColumnsAddedWhileServingFailNoCall(t *testing.T) {
	t.Parallel()
	address := given.Address(t, "postgres")
	raw := given.Raw(t, address)
	g := serve(t, given.OpenStore(t, address), func(o *api.Options) { o.Ads.Trusted = true })
	offered(t, g)
	calls := func() {
		for _, r := range g.routes(t) {
			for range 3 { // on several connections
				launch := g.arrives(given.TelegramID())
				q, ok := r.good(g, launch, given.Key(1))
				if !ok || r.operation == nil {
					continue
				}
				if a := g.send(q); a.status > 299 {
					t.Errorf("%s: %d %s", r.name, a.status, a.body)
				}
			}
		}
		if report, err := g.store.Verify(t.Context(), given.Season, g.clock.Now()); err != nil || len(report.Broken()) > 0 {
			t.Errorf("verify: %v, %v", report.Broken(), err)
		}
	}
	calls()
	t.Cleanup(func() { given.AlterTables(t, raw, "DROP COLUMN added_later") })
	given.AlterTables(t, raw, "ADD COLUMN added_later TEXT NOT NULL DEFAULT 'x'")
	calls()
}
