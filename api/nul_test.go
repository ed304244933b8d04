package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"mcbk/models/modelstest"
)

// PostgreSQL stores no NUL: in any string of any call it is refused as bad input and changes nothing.
func TestNULInAnyStringIsRefused(t *testing.T) {
	onEachGuarded(t, func(t *testing.T, g *table) {
		launch := g.arrives(modelstest.TelegramID())
		before, sent := g.contents(t), 0
		for _, r := range g.routes(t) {
			if r.operation == nil {
				continue
			}
			for place, q := range r.withNUL(launch) {
				sent++
				if a := g.send(q); a.status != 400 {
					t.Errorf("%s with NUL in %s: %d %s", r.name, place, a.status, a.body)
				}
			}
		}
		if g.unchanged(before); sent < 100 {
			t.Errorf("only %d calls", sent)
		}
	})
}

// withNUL returns the route's call with NUL in each of its strings, and in an unknown one.
func (r route) withNUL(launch string) map[string]request {
	whole := r.plain(launch)
	if r.id() == "rewardAd" {
		whole = whole.asking("key", adsSecret)
	}
	calls := map[string]request{"an unknown parameter": whole.asking("x", "a\x00b"), "a parameter's name": whole.asking("a%00b", "x")}
	for _, p := range r.parameters {
		switch p.Value.In {
		case openapi3.ParameterInQuery:
			calls["query "+p.Value.Name] = whole.asking(p.Value.Name, "a\x00b")
			calls["broken query "+p.Value.Name] = whole.asking(p.Value.Name, "a\xffb")
		case openapi3.ParameterInPath:
			q := whole
			q.path = strings.ReplaceAll(r.path, ":"+p.Value.Name, url.PathEscape("1\x00"))
			calls["path "+p.Value.Name] = q
		}
	}
	if schema := r.body(); schema != nil {
		for place, body := range stringsWithNUL(schema, smallest(schema)) {
			q := whole
			q.body = text(body)
			calls["body "+place] = q
		}
	}
	return calls
}

// stringsWithNUL returns valid values of a schema, each with NUL in one string.
func stringsWithNUL(schema *openapi3.Schema, good any) map[string]any {
	found := map[string]any{}
	switch {
	case schema.Type.Is("string"):
		for _, s := range []string{"\x00", "aaaaaaaa\x00", "\x00aaaaaaaa"} {
			found[fmt.Sprintf(" %q", s)] = s
		}
	case schema.Type.Is("object"):
		object, _ := good.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			for place, value := range stringsWithNUL(schema.Properties[name].Value, smallest(schema.Properties[name].Value)) {
				changed := maps.Clone(object)
				changed[name] = value
				found["."+name+place] = changed
			}
		}
		changed := maps.Clone(object)
		changed["a\x00"] = "x"
		found[".name"] = changed
	}
	return found
}
