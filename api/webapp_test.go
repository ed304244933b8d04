package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"testing"
	"testing/fstest"
	"time"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// script is half a megabyte that compresses about as well as the app's own.
func script() []byte {
	draw := rand.New(rand.NewPCG(1, 2))
	var text bytes.Buffer
	for text.Len() < 500_000 {
		fmt.Fprintf(&text, "function f%d(a,b){return a+%d*b}\n", draw.IntN(1000), draw.IntN(100_000))
	}
	return text.Bytes()
}

// Pages are not rate-limited, so their cost is an attack surface.
func TestPagesAreCompressedOnce(t *testing.T) {
	text := script()
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) {
		o.WebApp = fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, "assets/app-1a.js": {Data: text}}
	})
	ask := request{method: "GET", path: "/assets/app-1a.js", launch: "-", header: map[string]string{"Accept-Encoding": "gzip"}}
	g.send(ask) // compresses it
	// The fastest of each, to ignore noise.
	each, once := time.Hour, time.Hour
	for range 20 {
		began := time.Now()
		g.send(ask)
		each = min(each, time.Since(began))
		began = time.Now()
		modelstest.Must(modelstest.Must(gzip.NewWriterLevel(io.Discard, gzip.BestCompression))(t).Write(text))(t)
		once = min(once, time.Since(began))
	}
	if each > once/2 {
		t.Errorf("an answer takes %s, compressing %s", each, once)
	}
}

// BOT_WEBHOOK_URL may be the game's own address or one of its routes.
func TestWebhookHidesNoPage(t *testing.T) {
	for path, status := range map[string]int{"/": 200, "/tap": 200, "/metrics": 404, "/t:abc": 200, "/a:b/c:d": 200, "/t:": 200, "/1:b:c": 200} {
		g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) {
			o.WebApp = fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}}
			o.WebhookPath, o.Webhook = path, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
		})
		for method, want := range map[string]int{"GET": status, "HEAD": status, "POST": http.StatusTeapot, "PUT": http.StatusMethodNotAllowed} {
			a := g.send(request{method: method, path: path, launch: "-"})
			if a.status != want || (method == "GET" && want == 200 && a.body != "<!doctype html>") {
				t.Errorf("%s of a webhook's path %s is answered %d %s, want %d", method, path, a.status, a.body, want)
			}
		}
		g.answers("a screen beside a webhook at "+path, request{method: "GET", path: "/tasks", launch: "-"}, 200, nil)
	}
}

func TestPageIsCompressedIfAccepted(t *testing.T) {
	text := script()
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) {
		o.WebApp = fstest.MapFS{
			"index.html": {Data: []byte("<!doctype html>")}, "assets/app-1a.js": {Data: text}, "assets/font-2b.woff2": {Data: text},
		}
	})
	for _, c := range []struct {
		path, takes string
		zipped      bool
	}{
		{"/assets/app-1a.js", "gzip", true},
		{"/assets/app-1a.js", "br;q=1.0, GZIP;q=0.8, *;q=0.1", true},
		{"/assets/app-1a.js", "deflate, gzip ; q=0.001", true},
		{"/assets/app-1a.js", "gzip;q=0", false},
		{"/assets/app-1a.js", "br, gzip; q=0.000", false},
		{"/assets/app-1a.js", "identity", false},
		{"/assets/app-1a.js", "gzipped", false},
		{"/assets/font-2b.woff2", "gzip", false},
		{"/", "gzip", false}, // compressed it would be longer
	} {
		a := g.send(request{method: "GET", path: c.path, launch: "-", header: map[string]string{"Accept-Encoding": c.takes}})
		if got := a.header.Get("Content-Encoding") == "gzip"; got != c.zipped {
			t.Errorf("%s for %q: compressed %t", c.path, c.takes, got)
			continue
		}
		if c.path == "/" {
			continue
		}
		body := io.Reader(bytes.NewReader([]byte(a.body)))
		if c.zipped {
			body = modelstest.Must(gzip.NewReader(body))(t)
		}
		if got, err := io.ReadAll(body); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s for %q: %d bytes, %v", c.path, c.takes, len(got), err)
		}
		again := g.send(request{method: "GET", path: c.path, launch: "-", header: map[string]string{"Accept-Encoding": c.takes, "If-None-Match": a.header.Get("ETag")}})
		if again.status != http.StatusNotModified || len(again.body) != 0 {
			t.Errorf("%s for %q again: %d, %d bytes", c.path, c.takes, again.status, len(again.body))
		}
	}
}
