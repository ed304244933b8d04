package bridge

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk-sandbox/check"
)

var app, wallet, other = strings.Repeat("aa", 32), strings.Repeat("bb", 32), strings.Repeat("cc", 32)

// ground is a bridge whose time the test moves.
type ground struct {
	*Bridge
	t      *testing.T
	began  time.Time
	passed atomic.Int64 // nanoseconds
	url    string
}

func (g *ground) now() time.Time { return g.began.Add(time.Duration(g.passed.Load())) }

func (g *ground) pass(d time.Duration) { g.passed.Add(int64(d)) }

func open(t *testing.T) *ground {
	t.Helper()
	g := &ground{t: t, began: time.Now()}
	g.Bridge = New(g.now)
	srv := httptest.NewServer(g.Handler())
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	g.url = srv.URL
	return g
}

// post sends a message and returns the status.
func (g *ground) post(query, body string) int {
	g.t.Helper()
	response := check.Must(http.Post(g.url+"/bridge/message?"+query, "text/plain", strings.NewReader(body)))(g.t)
	_ = response.Body.Close()
	return response.StatusCode
}

// events are the lines of the stream that is asked for so.
func (g *ground) events(query string) *bufio.Scanner {
	g.t.Helper()
	ctx, stop := context.WithTimeout(g.t.Context(), 10*time.Second)
	g.t.Cleanup(stop)
	request := check.Must(http.NewRequestWithContext(ctx, http.MethodGet, g.url+"/bridge/events?"+query, nil))(g.t)
	response := check.Must(http.DefaultClient.Do(request))(g.t)
	g.t.Cleanup(func() { _ = response.Body.Close() })
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" {
		g.t.Fatalf("%s: %s", query, response.Status)
	}
	return bufio.NewScanner(response.Body)
}

// next is the next message's number and data.
func next(t *testing.T, lines *bufio.Scanner) (id, data string) {
	t.Helper()
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			id = value
		}
		if value, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			return id, value
		}
	}
	t.Fatalf("no message: %v", lines.Err())
	return "", ""
}

const hello, again = "aGVsbG8=", "YWdhaW4="

func TestMessageReachesItsRecipient(t *testing.T) {
	g := open(t)
	before, both := g.events("client_id="+wallet), g.events("client_id="+other+","+wallet)
	if status := g.post("client_id="+app+"&to="+wallet+"&ttl=300&topic=sendTransaction", hello); status != http.StatusOK {
		t.Fatalf("posted: %d", status)
	}
	// Somebody who comes later hears it too.
	for what, lines := range map[string]*bufio.Scanner{"who waited": before, "with another's": both, "who came later": g.events("client_id=" + wallet)} {
		_, data := next(t, lines)
		check.That(t, data == `{"from":"`+app+`","message":"`+hello+`"}`, "%s hears %s", what, data)
	}
}

func TestReconnectedClientGetsMissedMessagesOnly(t *testing.T) {
	g := open(t)
	g.Send(wallet, app, hello, time.Minute)
	first, _ := next(t, g.events("client_id="+wallet))
	g.Send(wallet, app, again, time.Minute)
	second, data := next(t, g.events("client_id="+wallet+"&last_event_id="+first))
	check.That(t, strings.Contains(data, again) && len(second) == len(first) && second > first, "after %s it hears %s %s", first, second, data)
	later := New(func() time.Time { return g.now().Add(time.Second) })
	check.That(t, later.last > g.last, "after a restart the numbers begin anew")
}

// A browser that was cut off says by itself where it was, and that is later than what its page has asked for.
func TestLastEventIDHeaderTakesPrecedence(t *testing.T) {
	g := open(t)
	g.Send(wallet, app, hello, time.Minute)
	first, _ := next(t, g.events("client_id="+wallet))
	g.Send(wallet, app, again, time.Minute)
	request := check.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, g.url+"/bridge/events?last_event_id=1&client_id="+wallet, nil))(t)
	request.Header.Set("Last-Event-ID", first)
	response := check.Must(http.DefaultClient.Do(request))(t)
	defer func() { _ = response.Body.Close() }()
	_, data := next(t, bufio.NewScanner(response.Body))
	check.That(t, strings.Contains(data, again), "it hears %s", data)
}

func TestIdleStreamSendsHeartbeats(t *testing.T) {
	g := open(t)
	g.beat = time.Millisecond
	for query, want := range map[string]string{"client_id=" + wallet: "event: heartbeat", "heartbeat=message&client_id=" + wallet: "data: heartbeat"} {
		lines := g.events(query)
		for lines.Scan() && lines.Text() != want {
			if lines.Text() != "" && lines.Text() != "event: message" {
				t.Fatalf("%s: %q", query, lines.Text())
			}
		}
		check.Equal(t, lines.Text(), want, query, "it ends with")
	}
}

func TestMessageExpires(t *testing.T) {
	g := open(t)
	for _, ttl := range []string{"10", "20"} {
		if status := g.post("client_id="+app+"&to="+wallet+"&ttl="+ttl, hello); status != http.StatusOK {
			t.Fatalf("posted: %d", status)
		}
	}
	for _, after := range []struct {
		time time.Duration
		left int
	}{{9 * time.Second, 2}, {time.Second, 1}, {10 * time.Second, 0}} {
		g.pass(after.time)
		if list, _, _ := g.after([]string{wallet}, 0); len(list) != after.left {
			t.Errorf("%d are left, not %d", len(list), after.left)
		}
	}
}

func TestEarlierExpiryBehindLaterOneIsHonoured(t *testing.T) {
	g := open(t)
	g.Send(wallet, app, hello, 20*time.Second)
	g.Send(wallet, app, again, 10*time.Second)
	g.pass(10 * time.Second)
	list, _, _ := g.after([]string{wallet}, 0)
	check.That(t, len(list) == 1 && list[0].text == hello, "left are %+v", list)
}

func TestBridgeRefusesInvalidRequests(t *testing.T) {
	g := open(t)
	good := "client_id=" + app + "&to=" + wallet + "&ttl=300"
	for what, c := range map[string]struct {
		query, body string
		status      int
	}{
		"nobody's":    {"client_id=x&to=" + wallet + "&ttl=300", hello, http.StatusBadRequest},
		"to nobody":   {"client_id=" + app + "&ttl=300", hello, http.StatusBadRequest},
		"for ever":    {"client_id=" + app + "&to=" + wallet + "&ttl=301", hello, http.StatusBadRequest},
		"for no time": {"client_id=" + app + "&to=" + wallet, hello, http.StatusBadRequest},
		"no base64":   {good, "hello!", http.StatusBadRequest},
		"nothing":     {good, "", http.StatusBadRequest},
		"too long":    {good, strings.Repeat("A", longest+4), http.StatusRequestEntityTooLarge},
		"good":        {good, hello, http.StatusOK},
	} {
		status := g.post(c.query, c.body)
		check.That(t, status == c.status, "%s: %d", what, status)
	}
	for _, query := range []string{"", "client_id=x", "client_id=" + app + "&last_event_id=x"} {
		response := check.Must(http.Get(g.url + "/bridge/events?" + query))(t)
		_ = response.Body.Close()
		check.Equal(t, response.StatusCode, http.StatusBadRequest, query)
	}
}

func TestBridgeAllowsAnyOrigin(t *testing.T) {
	g := open(t)
	for _, offline := range []bool{false, true} {
		g.SetOffline(offline)
		for _, method := range []string{http.MethodOptions, http.MethodPost} {
			request := check.Must(http.NewRequestWithContext(t.Context(), method, g.url+"/bridge/message", nil))(t)
			request.Header.Set("Origin", "http://localhost:8080")
			response := check.Must(http.DefaultClient.Do(request))(t)
			_ = response.Body.Close()
			check.Equal(t, response.Header.Get("Access-Control-Allow-Origin"), "*", method, response.Header)
		}
	}
}

func TestOfflineBridgeAnswersNoRequest(t *testing.T) {
	g := open(t)
	lines := g.events("client_id=" + wallet)
	g.SetOffline(true)
	for lines.Scan() {
		t.Errorf("it hears %q", lines.Text())
	}
	if lines.Err() != nil {
		t.Errorf("the stream is not ended: %v", lines.Err())
	}
	check.Equal(t, g.post("client_id="+app+"&to="+wallet+"&ttl=300", hello), http.StatusServiceUnavailable, "posted")
	g.Send(wallet, app, hello, time.Minute)
	g.SetOffline(false)
	_, data := next(t, g.events("client_id="+wallet))
	check.That(t, strings.Contains(data, hello), "afterwards it hears %s", data)
}
