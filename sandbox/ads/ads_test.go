package ads

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk-sandbox/check"
	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

const app = "http://localhost:8080"

// game counts the callbacks a game gets.
type game struct {
	mu    sync.Mutex
	calls []url.Values
}

func (g *game) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls = append(g.calls, r.URL.Query())
}

func (g *game) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.calls)
}

func open(t *testing.T, late time.Duration) (*Network, *game) {
	t.Helper()
	book := check.Must(people.Open(t.TempDir()))(t)
	g := &game{}
	srv := httptest.NewServer(g)
	t.Cleanup(srv.Close)
	return New(Config{
		People: book, Feed: feed.New(), AppURL: app, Late: late,
		Callback: srv.URL + "/api/ads/reward", Secret: "hush & co",
	}), g
}

// end reports as the script in the mini-app does.
func end(n *Network, from, body string) *httptest.ResponseRecorder {
	req := httptest.NewRequest("POST", "/ads/end", strings.NewReader(body))
	req.Header.Set("Origin", from)
	rec := httptest.NewRecorder()
	n.Handler().ServeHTTP(rec, req)
	return rec
}

func seen(t *testing.T, n *Network, outcome Outcome) {
	t.Helper()
	body := check.Must(json.Marshal(map[string]any{"player": people.Marina, "outcome": outcome}))(t)
	if rec := end(n, app, string(body)); rec.Code != http.StatusNoContent || rec.Header().Get("Access-Control-Allow-Origin") != app {
		t.Fatalf("%s: %d %v", outcome, rec.Code, rec.Header())
	}
}

func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never: " + what)
		}
	}
}

func TestOnlySeenAdCallsGame(t *testing.T) {
	for outcome, calls := range map[Outcome]int{Watch: 1, Twice: 2, Early: 0, None: 0, Held: 0} {
		n, g := open(t, time.Hour)
		seen(t, n, outcome)
		waitFor(t, "the callbacks are answered", func() bool { return len(n.Shown()[0].Callbacks) == calls })
		check.That(t, g.count() == calls, "%s: %d callbacks", outcome, g.count())
		for _, query := range g.calls {
			check.That(t, query.Get("key") == "hush & co" && query.Get("userid") == "7000000101", "%s: callback %v", outcome, query)
		}
		for _, answer := range n.Shown()[0].Callbacks {
			check.Equal(t, answer, "200", outcome, "the answer is")
		}
	}
}

func TestLateCallbackComesByItselfOrOnDemand(t *testing.T) {
	n, g := open(t, time.Hour)
	seen(t, n, Held)
	if ad := n.Shown()[0]; !ad.Held || g.count() != 0 {
		t.Fatalf("it is not held: %+v", ad)
	}
	check.NoError(t, n.CallBack(1))
	if ad := n.Shown()[0]; ad.Held || g.count() != 1 {
		t.Fatalf("it was not sent: %+v", ad)
	}
	n.release(1)
	check.Equal(t, g.count(), 1, "its time came afterwards, and it was sent again")

	n, g = open(t, time.Millisecond)
	seen(t, n, Held)
	waitFor(t, "the late callback", func() bool { return g.count() == 1 })
}

func TestFailedCallbackIsReportedWithoutSecret(t *testing.T) {
	n, _ := open(t, time.Hour)
	n.cfg.Callback = "http://127.0.0.1:1/api/ads/reward"
	seen(t, n, Watch)
	waitFor(t, "the callback has failed", func() bool { return len(n.Shown()[0].Callbacks) == 1 })
	answer := n.Shown()[0].Callbacks[0]
	check.That(t, strings.HasPrefix(answer, "no answer") && !strings.Contains(answer, "hush"), "the answer is %q", answer)
	check.That(t, n.CallBack(9) != nil, "an ad nobody saw called back")
}

func TestOnlyMiniAppReportsAds(t *testing.T) {
	n, g := open(t, time.Hour)
	for _, c := range []struct {
		from, body string
		status     int
	}{
		{"https://elsewhere.example", `{"player":7000000101,"outcome":"watch"}`, http.StatusForbidden},
		{"", `{"player":7000000101,"outcome":"watch"}`, http.StatusForbidden},
		{app, `{"player":1,"outcome":"watch"}`, http.StatusNotFound},
		{app, `{"player":7000000101,"outcome":"win"}`, http.StatusBadRequest},
		{app, `watch`, http.StatusBadRequest},
	} {
		check.Equal(t, end(n, c.from, c.body).Code, c.status, c.body, "from", c.from)
	}
	check.That(t, len(n.Shown()) == 0 && g.count() == 0, "something was shown")
}

func TestScriptIsServedAndLatestAdsAreStored(t *testing.T) {
	n, _ := open(t, time.Hour)
	rec := httptest.NewRecorder()
	n.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/ads/sdk.js", nil))
	if rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), "window.Adsgram") ||
		!strings.HasPrefix(rec.Header().Get("Content-Type"), "text/javascript") {
		t.Errorf("the script: %d %v", rec.Code, rec.Header())
	}
	for range kept + 3 {
		seen(t, n, Early)
	}
	if list := n.Shown(); len(list) != kept || list[0].ID != kept+3 {
		t.Errorf("%d ads, the newest is %d", len(list), list[0].ID)
	}
}
