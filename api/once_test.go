package api_test

import (
	"maps"
	"testing"

	"mcbk/models/modelstest"
)

// ownKey are the writes whose batch ID may be their key, with the test that refuses another request under it.
var ownKey = map[string]string{
	"performBatchTap": "taps.TestBatchKeyWithAnotherCountIsRefused", "mine": "mines.TestBatchKeyServesTheBagOrTheMine",
}

// The key must be stored; another request under it is refused, and another player's equal key is independent.
func TestRepeatedWriteHasOneEffect(t *testing.T) {
	onEachGuarded(t, func(t *testing.T, g *table) {
		for _, r := range g.routes(t) {
			if r.operation == nil || !r.isWrite() {
				continue
			}
			if r.operation.Parameters.GetByInAndName("header", "Idempotency-Key") == nil {
				t.Errorf("%s takes no Idempotency-Key: give it #/components/parameters/IdempotencyKey in openapi.yaml", r.name)
			}
			t.Run(r.id(), func(t *testing.T) { g.in(t).happensOnce(r) })
		}
	})
}

func (g *table) happensOnce(r route) {
	t := g.t
	for range 2 { // the second player uses the same key
		q, ok := r.good(g, g.arrives(modelstest.TelegramID()), modelstest.Key(1))
		if !ok {
			t.Fatal(noExample)
		}
		before := g.contents(t)
		if a := g.send(q); a.status > 299 {
			t.Fatalf("answered %d %s", a.status, a.body)
		}
		added := g.contents(t).Added(before)
		if ownKey[r.id()] != "" {
			if !maps.Equal(added, map[string]int{"postings": 1}) {
				t.Errorf("added rows %v, not one posting", added)
			}
			continue
		}
		if added["idempotency_keys"] != 1 {
			t.Errorf("added rows %v, none of them the key's", added)
		}
		other := q
		if other.body += " "; q.body == "" {
			continue // no different request exists
		}
		stored := g.contents(t)
		g.refuses("another body under the key", other, 422, "idempotency_key_reused")
		g.unchanged(stored)
	}
}

// A batch's ID is its key; with a different key it is a write like any other.
func TestOnlyTapBatchIDIsItsKey(t *testing.T) {
	for operation, proof := range ownKey {
		if !modelstest.Tests(t, "..")[proof] {
			t.Errorf("%s: there is no %s", operation, proof)
		}
	}
	onEachGuarded(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		for i, body := range []string{`{"total_taps":1}`, `{"total_taps":1,"batch_id":"batch-0001"}`} {
			before := g.contents(t)
			q := request{method: "POST", path: "/api/tap/perform-batch-tap", body: body, launch: raw}
			for range 2 {
				g.answers("with another key", q.with("Idempotency-Key", modelstest.Key(i), true), 200, nil)
			}
			if added := g.contents(t).Added(before); !maps.Equal(added, map[string]int{"postings": 1, "idempotency_keys": 1}) {
				t.Errorf("%s with a key of its own added rows %v", body, added)
			}
		}
	})
}

// A batch ID that was used as a key is taken for every other call, and vice versa.
func TestIdempotencyKeyIsSharedByAllCalls(t *testing.T) {
	key := modelstest.Key(1)
	tap := func(batch string) request {
		return request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1,"batch_id":"` + batch + `"}`}
	}
	wish := request{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`}
	onEachGuarded(t, func(t *testing.T, g *table) {
		for name, calls := range map[string][2]request{
			"a batch, then another":   {tap(key), tap("batch-0002")},
			"a batch, then a wish":    {tap(key), wish},
			"a wish, then a batch":    {wish, tap(key)},
			"another, then the batch": {tap("batch-0002"), tap(key)},
		} {
			raw := g.arrives(modelstest.TelegramID())
			g.answers(name, calls[0].from(raw).with("Idempotency-Key", key, true), 200, nil)
			stored := g.contents(t)
			g.refuses(name, calls[1].from(raw).with("Idempotency-Key", key, true), 422, "idempotency_key_reused")
			g.unchanged(stored)
		}
	})
}
