// Package control is the sandbox's API under /sandbox/, for the page and end-to-end tests. README.md lists it.
package control

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"mcbk-sandbox/ads"
	"mcbk-sandbox/bridge"
	"mcbk-sandbox/chain"
	"mcbk-sandbox/child"
	"mcbk-sandbox/clock"
	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
	"mcbk-sandbox/rates"
	"mcbk-sandbox/telegram"
	"mcbk-sandbox/wallet"
)

// API implements the calls.
type API struct {
	Telegram *telegram.Server
	People   *people.Book
	Clock    *clock.Clock
	Child    *child.Child
	Feed     *feed.Feed
	Ads      *ads.Network
	Chain    *chain.Network
	Rates    *rates.Service
	Bridge   *bridge.Bridge
	Wallets  *wallet.App
	// AppURL is the mini-app's address, the default of a launch.
	AppURL string
}

// Handler serves the API.
func (a *API) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range map[string]func(*http.Request) (any, error){
		"GET /sandbox/info":                    a.info,
		"GET /sandbox/people":                  a.listPeople,
		"POST /sandbox/people":                 a.addPerson,
		"GET /sandbox/launch":                  a.launch,
		"GET /sandbox/chat/{id}":               player(a.readChat),
		"POST /sandbox/chat/{id}/send":         player(a.send),
		"POST /sandbox/chat/{id}/press":        player(a.press),
		"POST /sandbox/chat/{id}/block":        player(a.block),
		"POST /sandbox/chat/{id}/allow":        player(a.allow),
		"POST /sandbox/chat/{id}/clear":        player(a.clear),
		"POST /sandbox/chat/{id}/share":        player(a.share),
		"POST /sandbox/chat/{id}/unshare":      player(a.unshare),
		"GET /sandbox/member":                  a.readMember,
		"POST /sandbox/member":                 a.setMember,
		"GET /sandbox/clock":                   a.readClock,
		"POST /sandbox/clock":                  a.setClock,
		"GET /sandbox/mcbk":                    a.readChild,
		"POST /sandbox/mcbk/{action}":          a.runChild,
		"GET /sandbox/faults":                  a.readFaults,
		"POST /sandbox/faults":                 a.setFaults,
		"GET /sandbox/calls":                   a.readCalls,
		"GET /sandbox/people/{id}":             player(a.readPerson),
		"GET /sandbox/ads":                     a.listAds,
		"POST /sandbox/ads/{id}/callback":      a.callBack,
		"GET /sandbox/chain":                   a.readChain,
		"POST /sandbox/chain/pay":              a.pay,
		"POST /sandbox/chain/faucet":           a.faucet,
		"POST /sandbox/chain/fault":            a.breakServer,
		"GET /sandbox/rates":                   a.readRates,
		"POST /sandbox/rates":                  a.setRates,
		"GET /sandbox/wallet":                  a.readLink,
		"GET /sandbox/wallet/{id}":             player(a.readWallet),
		"POST /sandbox/wallet/{id}/connect":    player(a.connect),
		"POST /sandbox/wallet/{id}/disconnect": player(a.disconnect),
		"POST /sandbox/wallet/{id}/{word}":     player(a.judge),
		"GET /sandbox/stars":                   a.readBooks,
		"GET /sandbox/stars/{id}":              player(a.readStars),
		"POST /sandbox/stars/{id}":             player(a.changeStars),
		"GET /sandbox/stars/invoice":           a.readInvoice,
		"POST /sandbox/stars/pay":              a.payStars,
		"POST /sandbox/stars/refund":           a.refundStars,
		"GET /sandbox/bridge":                  a.readBridge,
		"POST /sandbox/bridge":                 a.setBridge,
	} {
		mux.Handle(pattern, answering(h))
	}
	mux.HandleFunc("GET /sandbox/events", a.events)
	mux.HandleFunc("GET /sandbox/file/{id}", a.Telegram.ServeFile)
	return mux
}

func answering(h func(*http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		result, err := h(r)
		if err != nil {
			WriteError(w, statusOf(err), err.Error())
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(result)
	})
}

// body decodes a JSON body; an empty one leaves dest unchanged.
func body(r *http.Request, dest any) error {
	if r.ContentLength == 0 {
		return nil
	}
	if err := json.NewDecoder(r.Body).Decode(dest); err != nil {
		return wrong("the body is no JSON of the expected shape: %v", err)
	}
	return nil
}

// player passes the path's player to h.
func player(h func(*http.Request, int64) (any, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return nil, wrong("the player is a number, not %q", r.PathValue("id"))
		}
		return h(r, id)
	}
}

var done = map[string]bool{"ok": true}

func (a *API) info(*http.Request) (any, error) {
	return map[string]any{"bot_username": telegram.BotUsername, "app_url": a.AppURL, "theme": telegram.Theme}, nil
}

func (a *API) listPeople(*http.Request) (any, error) { return a.People.All(), nil }

func (a *API) readPerson(_ *http.Request, id int64) (any, error) {
	p, ok := a.People.Find(id)
	if !ok {
		return nil, people.ErrNoPlayer
	}
	return p, nil
}

func (a *API) addPerson(r *http.Request) (any, error) {
	var p people.Person
	if err := body(r, &p); err != nil {
		return nil, err
	}
	p, err := a.People.Add(p)
	if err != nil {
		return nil, err
	}
	a.Feed.Send(feed.Event{Kind: "people"})
	return p, nil
}

func (a *API) launch(r *http.Request) (any, error) {
	q := r.URL.Query()
	player, err := strconv.ParseInt(q.Get("player"), 10, 64)
	if err != nil {
		return nil, wrong("player is missing or no number")
	}
	shift, err := duration(q.Get("auth_date_offset"))
	if err != nil {
		return nil, err
	}
	l := telegram.Launch{Player: player, URL: q.Get("url"), StartParam: q.Get("start_param"), Direct: q.Get("direct") != "", Shift: shift}
	if l.URL == "" {
		l.URL = a.AppURL
	}
	return a.Telegram.Open(l)
}

// duration parses a Go duration or a number of seconds; empty is zero.
func duration(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	if seconds, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.Duration(seconds) * time.Second, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, wrong("%q is neither seconds nor a duration like 36h", s)
	}
	return d, nil
}

func (a *API) readMember(r *http.Request) (any, error) {
	player, err := strconv.ParseInt(r.URL.Query().Get("user"), 10, 64)
	if err != nil {
		return nil, wrong("user is missing or no number")
	}
	status, err := a.Telegram.MemberStatus(r.URL.Query().Get("channel"), player)
	return map[string]string{"status": status}, err
}

func (a *API) setMember(r *http.Request) (any, error) {
	var m struct {
		Channel string `json:"channel"`
		User    int64  `json:"user"`
		Status  string `json:"status"`
	}
	if err := body(r, &m); err != nil {
		return nil, err
	}
	return done, a.Telegram.SetMember(m.Channel, m.User, m.Status)
}

func (a *API) readClock(*http.Request) (any, error) {
	return map[string]any{
		"now": a.Clock.Now().UTC().Format(time.RFC3339Nano), "offset": a.Clock.Offset().String(),
		"offset_ms": a.Clock.Offset().Milliseconds(),
	}, nil
}

func (a *API) setClock(r *http.Request) (any, error) {
	var c struct {
		Add     string `json:"add"`
		Set     string `json:"set"`
		NextDay bool   `json:"next_day"`
		LastDay bool   `json:"day_90"`
		Reset   bool   `json:"reset"`
	}
	if err := body(r, &c); err != nil {
		return nil, err
	}
	var err error
	switch {
	case c.Reset:
		err = a.Clock.Set(0)
	case c.NextDay:
		err = a.Clock.NextDay()
	case c.LastDay:
		err = a.Clock.LastDay()
	case c.Set != "":
		err = a.moveClock(c.Set, a.Clock.Set)
	case c.Add != "":
		err = a.moveClock(c.Add, a.Clock.Add)
	default:
		err = wrong("say add, set, next_day, day_90 or reset")
	}
	if err != nil {
		return nil, err
	}
	a.Feed.Send(feed.Event{Kind: "clock"})
	return a.readClock(r)
}

func (a *API) moveClock(text string, move func(time.Duration) error) error {
	d, err := duration(text)
	if err != nil {
		return err
	}
	return move(d)
}

func (a *API) readChild(*http.Request) (any, error) { return a.Child.Status(), nil }

func (a *API) runChild(r *http.Request) (any, error) {
	var err error
	switch r.PathValue("action") {
	case "start":
		// A closed page must not cancel the start.
		if err = a.Child.Start(context.WithoutCancel(r.Context())); err == nil {
			a.Telegram.RetryNow()
		} else if !errors.Is(err, child.ErrNone) {
			err = &problem{http.StatusBadGateway, err.Error()}
		}
	case "stop":
		err = a.Child.Stop()
	case "kill":
		err = a.Child.Kill()
	default:
		err = &problem{http.StatusNotFound, "the actions are start, stop and kill"}
	}
	if err != nil {
		return nil, err
	}
	return a.Child.Status(), nil
}

func (a *API) readFaults(*http.Request) (any, error) { return a.Telegram.Faults(), nil }

// setFaults accepts one fault or a list; an empty list clears all.
func (a *API) setFaults(r *http.Request) (any, error) {
	var raw json.RawMessage
	if err := body(r, &raw); err != nil {
		return nil, err
	}
	var set []telegram.Fault
	if len(raw) > 0 && raw[0] == '{' {
		raw = append(append([]byte{'['}, raw...), ']')
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &set); err != nil {
			return nil, wrong("faults: %v", err)
		}
	}
	for _, f := range set {
		if f.Method == "" || f.Status != 0 && (f.Status < 400 || f.Status > 599) {
			return nil, wrong("a fault names a method (or *) and a status of 400 to 599, or 0 to be slow only")
		}
	}
	a.Telegram.SetFaults(set)
	return a.Telegram.Faults(), nil
}

func (a *API) listAds(*http.Request) (any, error) { return a.Ads.Shown(), nil }

// callBack sends an ad's callback, whether held or not.
func (a *API) callBack(r *http.Request) (any, error) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return nil, wrong("the ad is a number, not %q", r.PathValue("id"))
	}
	return done, a.Ads.CallBack(id)
}

func (a *API) readCalls(*http.Request) (any, error) { return a.Telegram.Calls(), nil }
