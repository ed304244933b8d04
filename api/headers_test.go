package api_test

import (
	"slices"
	"strings"
	"testing"

	"mcbk/models/modelstest"
)

// No response may be framed, scripted, sniffed or read cross-origin with the player's rights.
func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"))
	raw := g.arrives(modelstest.TelegramID())
	origin := map[string]string{"Origin": "https://evil.example"}
	for what, r := range map[string]request{
		"the page":            {method: "GET", path: "/", launch: "-", header: origin},
		"an asset":            {method: "GET", path: "/assets/app-1a.js", launch: "-", header: origin},
		"a call":              {method: "GET", path: "/api/user/me", launch: raw, header: origin},
		"a refusal":           {method: "GET", path: "/api/user/me", launch: "user=1", header: origin},
		"a write":             {method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: raw, header: origin},
		"a question to write": {method: "OPTIONS", path: "/api/tap/perform-batch-tap", launch: "-", header: origin},
		"the manifest":        {method: "GET", path: "/tonconnect-manifest.json", launch: "-"},
		"the wallets":         {method: "GET", path: "/wallets.json", launch: "-", header: origin},
		"nothing":             {method: "GET", path: "/api/nothing", launch: raw},
	} {
		header := g.send(r).header
		policy := header.Get("Content-Security-Policy")
		for _, directive := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors https://web.telegram.org", "base-uri 'none'", "form-action 'none'"} {
			if !strings.Contains(policy+";", directive+";") {
				t.Errorf("%s: no %q in %q", what, directive, policy)
			}
		}
		for _, host := range []string{"https://t.me", "https://*.telesco.pe", "https://*.cdn-telegram.org", "https://*.telegram-cdn.org"} {
			_, images, _ := strings.Cut(policy, "img-src")
			if pictures, _, _ := strings.Cut(images, ";"); !slices.Contains(strings.Fields(pictures), host) {
				t.Errorf("%s: no pictures from %s in %q", what, host, policy)
			}
		}
		if kind := header.Get("X-Content-Type-Options"); kind != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options %q", what, kind)
		}
		grants := header.Get("Access-Control-Allow-Origin") + header.Get("Access-Control-Allow-Credentials")
		if public := what == "the manifest"; !public && grants != "" { // wallets read the manifest from anywhere
			t.Errorf("%s: grants %q to a foreign page", what, grants)
		}
		if header.Get("Set-Cookie") != "" {
			t.Errorf("%s: sets a cookie, which would come along with a foreign page's call", what)
		}
	}
}
