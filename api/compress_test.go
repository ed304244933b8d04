package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"mcbk/models/modelstest"
)

func TestLargeAnswersAreGzipped(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		for range 40 {
			modelstest.Player(t, g.store)
		}
		modelstest.NoError(t, g.store.Leaderboard.BuildRanks(t.Context()))
		get := func(path, accepted string) answer {
			a, _, _ := g.exchange(request{method: "GET", path: path, launch: raw, header: map[string]string{"Accept-Encoding": accepted}})
			return a
		}
		for path, large := range map[string]bool{
			"/api/leaderboard": true, "/api/tasks": false, "/api/leaderboard?limit=2": false, "/api/tap/energy-status": false,
		} {
			plain := get(path, "gzip;q=0")
			if plain.status != 200 || plain.header.Get("Content-Encoding") != "" {
				t.Errorf("%s: %d %s, %v", path, plain.status, plain.body, plain.header)
			}
			for range 2 {
				zipped := get(path, "br, gzip")
				if !strings.Contains(zipped.header.Get("Vary"), "Accept-Encoding") || (zipped.header.Get("Content-Encoding") == "gzip") != large {
					t.Errorf("%s: %v", path, zipped.header)
				}
				if !large {
					continue
				}
				from := modelstest.Must(gzip.NewReader(bytes.NewReader([]byte(zipped.body))))(t)
				from.Multistream(false) // browsers read no second stream
				if text, err := io.ReadAll(from); err != nil || string(text) != plain.body || len(zipped.body) > len(plain.body)/2 {
					t.Errorf("%s: %s, %v, %d of %d bytes", path, text, err, len(zipped.body), len(plain.body))
				}
			}
		}
	})
}
