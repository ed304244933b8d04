package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk-sandbox/ads"
	"mcbk-sandbox/bridge"
	"mcbk-sandbox/chain"
	"mcbk-sandbox/check"
	"mcbk-sandbox/child"
	"mcbk-sandbox/clock"
	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
	"mcbk-sandbox/rates"
	"mcbk-sandbox/telegram"
	"mcbk-sandbox/wallet"
)

type client struct {
	t   *testing.T
	url string
	api *API
}

func newClient(t *testing.T) client {
	t.Helper()
	dir := t.TempDir()
	c := check.Must(clock.Open(dir))(t)
	book := check.Must(people.Open(dir))(t)
	news := feed.New()
	bot := check.Must(telegram.New(telegram.Config{Token: "42:x", Dir: dir, Clock: c, People: book, Feed: news, Address: "http://localhost:8090"}))(t)
	ton := check.Must(chain.Start(dir, c.Now))(t)
	t.Cleanup(func() { _ = ton.Close() })
	post := bridge.New(time.Now)
	wallets := check.Must(wallet.Open(wallet.Config{Bridge: post, Chain: ton, People: book, Feed: news, Now: c.Now, Dir: dir, Address: "http://localhost:8090"}))(t)
	api := &API{
		Bridge: post, Wallets: wallets,
		Chain:    ton,
		Telegram: bot, People: book, Clock: c, Feed: news, AppURL: "http://localhost:8080",
		Ads:   ads.New(ads.Config{People: book, Feed: news, AppURL: "http://localhost:8080", Late: time.Hour}),
		Child: child.New(child.Config{Output: t.Output()}),
		Rates: rates.New(),
	}
	mux := http.NewServeMux()
	mux.Handle("/sandbox/", api.Handler())
	mux.Handle("/", bot)
	srv := httptest.NewServer(mux)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	return client{t, srv.URL, api}
}

// do asks and returns the status; the answer goes into dest when it has one.
func (c client) do(method, path, body string, dest any) int {
	c.t.Helper()
	req := check.Must(http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(body)))(c.t)
	resp := check.Must(http.DefaultClient.Do(req))(c.t)
	defer func() { _ = resp.Body.Close() }()
	if dest != nil {
		if err := json.NewDecoder(resp.Body).Decode(dest); err != nil {
			c.t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	return resp.StatusCode
}

func (c client) ok(method, path, body string, dest any) {
	c.t.Helper()
	if status := c.do(method, path, body, dest); status != http.StatusOK {
		c.t.Fatalf("%s %s answered %d", method, path, status)
	}
}

func TestPressWaitsForBotsReply(t *testing.T) {
	c := newClient(t)
	chat := fmt.Sprintf("/sandbox/chat/%d", people.Marina)
	c.ok("POST", chat+"/send", `{"text":"/start"}`, nil)
	keys := url.QueryEscape(`{"inline_keyboard":[[{"text":"Play","web_app":{"url":"http://localhost:8080/?start=a"}}],[{"text":"Yes","callback_data":"y"},{"text":"Site","url":"https://example.com"}]]}`)
	c.ok("GET", fmt.Sprintf("/bot42:x/sendMessage?chat_id=%d&text=hi&reply_markup=%s", people.Marina, keys), "", nil)

	var view telegram.View
	c.ok("GET", chat, "", &view)
	if len(view.Messages) != 2 || !view.Started {
		t.Fatalf("the chat is %+v", view)
	}
	id := view.Messages[1].ID

	events, stop := c.api.Feed.Listen()
	defer stop()
	var bot sync.WaitGroup
	defer bot.Wait()
	bot.Go(func() {
		var updates struct{ Result []telegram.Update }
		c.ok("GET", "/bot42:x/getUpdates", "", &updates)
		for len(updates.Result) < 2 {
			c.ok("GET", "/bot42:x/getUpdates", "", &updates)
			time.Sleep(time.Millisecond)
		}
		c.ok("GET", "/bot42:x/answerCallbackQuery?text=done&callback_query_id="+updates.Result[1].CallbackQuery.ID, "", nil)
	})
	var got pressed
	c.ok("POST", chat+"/press", fmt.Sprintf(`{"message_id":%d,"data":"y","wait":true}`, id), &got)
	check.That(t, got.Answer != nil && got.Answer.Text == "done", "the press brought %+v", got)
	e := <-events
	check.That(t, e.Kind == "answer" && e.Player == people.Marina, "the page was told %+v", e)

	got = pressed{}
	c.ok("POST", chat+"/press", fmt.Sprintf(`{"message_id":%d,"button":0}`, id), &got)
	check.That(t, got.Launch != nil && strings.HasPrefix(got.Launch.URL, "http://localhost:8080/?start=a#tgWebAppData="), "the mini-app button opened %+v", got)
	got = pressed{}
	c.ok("POST", chat+"/press", fmt.Sprintf(`{"message_id":%d,"button":2}`, id), &got)
	check.Equal(t, got.URL, "https://example.com", "the link button opened", got)
	check.Equal(t, c.do("POST", chat+"/press", fmt.Sprintf(`{"message_id":%d,"data":"no"}`, id), nil), http.StatusNotFound, "a button that is not there")
}

func TestClockIsStepped(t *testing.T) {
	c := newClient(t)
	var now struct {
		Offset string
		Now    time.Time
	}
	c.ok("POST", "/sandbox/clock", `{"add":"1h"}`, nil)
	c.ok("POST", "/sandbox/clock", `{"add":"12h"}`, &now)
	check.That(t, now.Offset == "13h0m0s" && time.Until(now.Now) >= 12*time.Hour, "after 13 hours: %+v", now)
	c.ok("POST", "/sandbox/clock", `{"set":"-30"}`, &now)
	check.Equal(t, now.Offset, "-30s", "set to 30 seconds ago", now)
	c.ok("POST", "/sandbox/clock", `{"reset":true}`, &now)
	check.Equal(t, now.Offset, "0s", "after a reset", now)
	check.Equal(t, c.do("POST", "/sandbox/clock", `{"add":"soon"}`, nil), http.StatusBadRequest, "a time nobody understands")
}

func TestPlayerSendsLinkToAnother(t *testing.T) {
	c := newClient(t)
	c.ok("POST", fmt.Sprintf("/sandbox/chat/%d/share", people.Marina), fmt.Sprintf(`{"to":%d,"url":"https://t.me/x?start=a"}`, people.Boris), nil)
	var view telegram.View
	c.ok("GET", fmt.Sprintf("/sandbox/chat/%d", people.Boris), "", &view)
	if len(view.Shared) != 1 || view.Shared[0].From != people.Marina {
		t.Errorf("Boris sees %+v", view.Shared)
	}
	c.ok("POST", fmt.Sprintf("/sandbox/chat/%d/unshare", people.Boris), "", nil)
	c.ok("GET", fmt.Sprintf("/sandbox/chat/%d", people.Boris), "", &view)
	check.Equal(t, len(view.Shared), 0, "the link stayed")
}

func TestInvalidRequestsGetReason(t *testing.T) {
	c := newClient(t)
	for _, q := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/sandbox/chat/1", "", 404},
		{"GET", "/sandbox/chat/marina", "", 400},
		{"POST", "/sandbox/chat/7000000101/send", `{}`, 400},
		{"POST", "/sandbox/chat/7000000101/send", `{"text":`, 400},
		{"GET", "/sandbox/launch?player=1", "", 404},
		{"GET", "/sandbox/launch", "", 400},
		{"POST", "/sandbox/member", `{"channel":"@a","user":7000000101,"status":"friend"}`, 400},
		{"POST", "/sandbox/faults", `{"method":"sendMessage","status":200}`, 400},
		{"POST", "/sandbox/mcbk/start", "", 409},
		{"POST", "/sandbox/mcbk/dance", "", 404},
	} {
		var answer struct{ Message string }
		status := c.do(q.method, q.path, q.body, &answer)
		check.That(t, status == q.want && answer.Message != "", "%s %s: %d %q, want %d", q.method, q.path, status, answer.Message, q.want)
	}
}

func TestFaultsAndMembersAreSetByControl(t *testing.T) {
	c := newClient(t)
	c.ok("POST", "/sandbox/faults", `{"method":"getMe","status":500,"count":2}`, nil)
	for _, want := range []int{500, 500, 200} {
		check.Equal(t, c.do("GET", "/bot42:x/getMe", "", nil), want, "getMe answered")
	}
	c.ok("POST", "/sandbox/faults", `[]`, nil)
	var calls []telegram.Call
	c.ok("GET", "/sandbox/calls", "", &calls)
	check.That(t, len(calls) == 3 && calls[0].Status == 500 && calls[2].Method == "getMe", "calls %+v", calls)
	c.ok("POST", "/sandbox/member", fmt.Sprintf(`{"channel":"@mcbk","user":%d,"status":"member"}`, people.Boris), nil)
	var member struct{ Result telegram.Member }
	c.ok("GET", fmt.Sprintf("/bot42:x/getChatMember?chat_id=@mcbk&user_id=%d", people.Boris), "", &member)
	check.Equal(t, member.Result.Status, "member", member)
}

func TestOpenPageIsNotifiedOfNewPlayer(t *testing.T) {
	c := newClient(t)
	resp := check.Must(http.Get(c.url + "/sandbox/events"))(t)
	defer func() { _ = resp.Body.Close() }()
	var p people.Person
	c.ok("POST", "/sandbox/people", `{"language_code":"ru"}`, &p)
	check.That(t, p.ID > 0 && p.LanguageCode == "ru", "new player %+v", p)
	var heard bytes.Buffer
	for piece := make([]byte, 256); !strings.Contains(heard.String(), `{"kind":"people"}`); {
		n, err := resp.Body.Read(piece)
		if err != nil {
			t.Fatalf("%v after %q", err, heard.String())
		}
		heard.Write(piece[:n])
	}
}

func TestUnshownAdMakesNoCallback(t *testing.T) {
	c := newClient(t)
	var list []ads.Shown
	c.ok("GET", "/sandbox/ads", "", &list)
	check.That(t, list != nil && len(list) == 0, "the ads are %v", list)
	for path, want := range map[string]int{"/sandbox/ads/1/callback": http.StatusNotFound, "/sandbox/ads/x/callback": http.StatusBadRequest} {
		check.Equal(t, c.do("POST", path, "", nil), want, path)
	}
}
