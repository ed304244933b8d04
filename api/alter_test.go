package api_test

import (
	"testing"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// A newer version may migrate the database while this one serves: an added column fails no call and causes no repeated planning.
func TestColumnsAddedWhileServingFailNoCall(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	raw := modelstest.Raw(t, address)
	g := serve(t, modelstest.OpenStore(t, address), func(o *api.Options) { o.Ads.Trusted = true })
	offered(t, g)
	calls := func() {
		for _, r := range g.routes(t) {
			for range 3 { // on several connections
				launch := g.arrives(modelstest.TelegramID())
				q, ok := r.good(g, launch, modelstest.Key(1))
				if !ok || r.operation == nil {
					continue
				}
				if a := g.send(q); a.status > 299 {
					t.Errorf("%s: %d %s", r.name, a.status, a.body)
				}
			}
		}
		if report, err := g.store.Audit.Verify(t.Context(), modelstest.Season, g.clock.Now()); err != nil || len(report.Broken()) > 0 {
			t.Errorf("verify: %v, %v", report.Broken(), err)
		}
	}
	calls()
	t.Cleanup(func() { modelstest.AlterTables(t, raw, "DROP COLUMN added_later") })
	modelstest.AlterTables(t, raw, "ADD COLUMN added_later TEXT NOT NULL DEFAULT 'x'")
	calls()
}
