package api_test

import (
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"mcbk/models/modelstest"
)

var asOf = regexp.MustCompile(`"as_of":(\d+)`)

// Each answer shows the row as it is after the call, and a changed row has a greater revision.
func TestEveryAnswerShowsTheRevisionOfItsPlayer(t *testing.T) {
	onEachGuarded(t, func(t *testing.T, g *table) {
		shown := 0
		for _, r := range g.routes(t) {
			if r.operation == nil {
				continue
			}
			raw := g.arrives(modelstest.TelegramID())
			q, ok := r.good(g, raw, modelstest.Key(1))
			if !ok {
				continue // no player calls it
			}
			before := g.player(raw)
			first := g.send(q)
			after := g.player(raw)
			if after.Revision < before.Revision || after.Revision == before.Revision && !reflect.DeepEqual(before, after) {
				t.Errorf("%s changed a row of revision %d to %d", r.id(), before.Revision, after.Revision)
			}
			for _, a := range []answer{first, g.send(q)} {
				for _, found := range asOf.FindAllStringSubmatch(a.body, -1) {
					if shown++; found[1] != fmt.Sprint(after.Revision) {
						t.Errorf("%s shows revision %s, not %d: %s", r.id(), found[1], after.Revision, a.body)
					}
				}
			}
		}
		if shown < 50 {
			t.Errorf("only %d revisions were shown", shown)
		}
	})
}
