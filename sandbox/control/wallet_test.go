package control

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"mcbk-sandbox/check"
	"mcbk-sandbox/people"
	"mcbk-sandbox/wallet"
)

// linkOf is a connect link of an app of that name, whose key is made of one letter.
func linkOf(t *testing.T, name, letter string) string {
	t.Helper()
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"url":"http://localhost:8080","name":%q,"iconUrl":"http://localhost:8080/icon.png"}`, name)
	}))
	t.Cleanup(app.Close)
	r := fmt.Sprintf(`{"manifestUrl":%q,"items":[{"name":"ton_addr"}]}`, app.URL)
	return "http://localhost:8090/wallet?" + url.Values{"v": {"2"}, "id": {strings.Repeat(letter, 64)}, "r": {r}}.Encode()
}

func quoted(t *testing.T, value any) string {
	t.Helper()
	text := check.Must(json.Marshal(value))(t)
	return string(text)
}

func TestAppConnectsByLinkAndDisconnects(t *testing.T) {
	c := newClient(t)
	own := fmt.Sprintf("/sandbox/wallet/%d", people.Marina)
	link := linkOf(t, "The game", "a")

	var about struct {
		wallet.Question
		Player int64 `json:"player"`
	}
	c.ok(http.MethodGet, "/sandbox/wallet?link="+url.QueryEscape(link), "", &about)
	check.That(t, about.App.Name == "The game" && fmt.Sprint(about.Items) == "[ton_addr]" && about.Player == 0, "the link asks %+v", about)
	c.ok(http.MethodPost, own+"/connect", quoted(t, map[string]any{"link": link, "decline": true}), nil)
	var shown wallet.Shown
	c.ok(http.MethodGet, own, "", &shown)
	check.That(t, len(shown.Apps) == 0 && shown.Balance != 0 && strings.HasPrefix(shown.Address, "UQ"), "declined, the wallet shows %+v", shown)
	c.ok(http.MethodPost, own+"/connect", quoted(t, map[string]any{"link": link}), nil)
	c.ok(http.MethodPost, own+"/connect", quoted(t, map[string]any{"link": linkOf(t, "Another", "b")}), nil)
	c.ok(http.MethodGet, own, "", &shown)
	check.That(t, len(shown.Apps) == 2 && shown.Apps[0].App.Name == "The game", "connected, the wallet shows %+v", shown)
	c.ok(http.MethodGet, "/sandbox/wallet?client="+strings.Repeat("a", 64), "", &about)
	check.Equal(t, about.Player, people.Marina, "the app's player is")
	c.ok(http.MethodPost, own+"/disconnect", fmt.Sprintf(`{"client":%q}`, strings.Repeat("a", 64)), nil)
	c.ok(http.MethodGet, own, "", &shown)
	check.That(t, len(shown.Apps) == 1 && shown.Apps[0].App.Name == "Another", "disconnected, the wallet shows %+v", shown)
	c.ok(http.MethodPost, own+"/disconnect", "", nil)
	check.Equal(t, c.do(http.MethodPost, own+"/disconnect", "", nil), http.StatusNotFound, "with nothing connected")
}

func TestUnsupportedWalletRequestIsReported(t *testing.T) {
	c := newClient(t)
	own := fmt.Sprintf("/sandbox/wallet/%d", people.Marina)
	unreadable := strings.Replace(linkOf(t, "The game", "a"), "127.0.0.1", "127.0.0.1.invalid", 1)
	for what, ask := range map[string]struct {
		path, body string
		status     int
	}{
		"a link that is none":   {own + "/connect", `{"link":"hello"}`, http.StatusBadRequest},
		"an app without a page": {own + "/connect", quoted(t, map[string]string{"link": unreadable}), http.StatusBadGateway},
		"a stranger":            {"/sandbox/wallet/1/connect", quoted(t, map[string]string{"link": linkOf(t, "The game", "a")}), http.StatusNotFound},
		"no request":            {own + "/approve", "", http.StatusNotFound},
		"no request either":     {own + "/decline", `{"request":"x"}`, http.StatusNotFound},
		"another word":          {own + "/dance", "", http.StatusNotFound},
	} {
		var told struct{ Message string }
		status := c.do(http.MethodPost, ask.path, ask.body, &told)
		check.That(t, status == ask.status && told.Message != "", "%s: %d %q", what, status, told.Message)
	}
}

func TestBridgeIsCutAndRestored(t *testing.T) {
	c := newClient(t)
	for _, offline := range []bool{true, false} {
		var told struct{ Offline bool }
		c.ok(http.MethodPost, "/sandbox/bridge", fmt.Sprintf(`{"offline":%t}`, offline), nil)
		c.ok(http.MethodGet, "/sandbox/bridge", "", &told)
		check.That(t, told.Offline == offline && c.api.Bridge.Offline() == offline, "offline is %t, not %t", told.Offline, offline)
	}
}

// The sandbox's pages are told of what happens in a wallet, so that they show it.
func TestPageIsNotifiedOfItsWallet(t *testing.T) {
	c := newClient(t)
	events, stop := c.api.Feed.Listen()
	defer stop()
	c.ok(http.MethodPost, fmt.Sprintf("/sandbox/wallet/%d/connect", people.Boris), quoted(t, map[string]any{"link": linkOf(t, "The game", "a")}), nil)
	e := <-events
	check.That(t, e.Kind == "wallet" && e.Player == people.Boris, "it hears %+v", e)
}
