package api_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"mcbk/models/modelstest"
)

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
				all := revisions(decoded(t, a))
				shown += len(all)
				for _, revision := range all {
					if revision != float64(after.Revision) {
						t.Errorf("%s shows revision %v, not %d: %s", r.id(), revision, after.Revision, a.body)
					}
				}
			}
		}
		if shown < 50 {
			t.Errorf("only %d revisions were shown", shown)
		}
	})
}

func decoded(t *testing.T, a answer) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), &value); err != nil && a.body != "" {
		return nil // not JSON
	}
	return value
}

// revisions finds every as_of in an answer.
func revisions(value any) (found []any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			found = append(found, revisions(item)...)
		}
	case map[string]any:
		for name, field := range v {
			if name == "as_of" {
				found = append(found, field)
			}
			found = append(found, revisions(field)...)
		}
	}
	return found
}
