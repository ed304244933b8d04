// Package ads is a fake rewarded-ad network: a script that defines window.Adsgram for the mini-app, an ad whose end the player chooses,
// and the network's callback for every seen ad.
package ads

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

//go:embed sdk.js
var sdk string

// BlockID is the ad unit's name.
const BlockID = "sandbox-reward"

// Late is the delay of a late callback, unless released by hand.
const Late = 45 * time.Second

// kept is the number of stored ads.
const kept = 50

// ErrNoAd means an unknown ad.
var ErrNoAd = errors.New("no such ad")

// Outcome is the player's choice of the ad's end.
type Outcome string

// The ends of an ad. Early and None make no callback.
const (
	Watch Outcome = "watch"
	Early Outcome = "early"
	None  Outcome = "none"
	Held  Outcome = "late"
	Twice Outcome = "twice"
)

// Config are the network's dependencies.
type Config struct {
	People *people.Book
	Feed   *feed.Feed
	// Callback is the game's callback URL, Secret its key.
	Callback string
	Secret   string
	// AppURL is the mini-app's; other pages may not report ads.
	AppURL string
	// Late is the delay of a late callback.
	Late time.Duration
}

// Shown is an ad with its callbacks.
type Shown struct {
	ID      int     `json:"id"`
	Player  int64   `json:"player"`
	Outcome Outcome `json:"outcome"`
	// Held means that its callback is pending.
	Held bool `json:"held"`
	// Callbacks are the game's responses: a status or an error.
	Callbacks []string `json:"callbacks"`
}

// Network is the ad network.
type Network struct {
	cfg    Config
	client http.Client

	mu    sync.Mutex
	last  int
	shown []*Shown
}

// New makes a network without ads.
func New(cfg Config) *Network {
	return &Network{cfg: cfg, client: http.Client{Timeout: 10 * time.Second}}
}

// Handler serves /ads/sdk.js, and /ads/end for the script's reports.
func (n *Network) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ads/sdk.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		_, _ = io.WriteString(w, sdk)
	})
	mux.HandleFunc("POST /ads/end", n.end)
	return mux
}

// end receives the script's report of an ad's end.
func (n *Network) end(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != origin(n.cfg.AppURL) {
		http.Error(w, "only the mini-app reports ads", http.StatusForbidden)
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", origin(n.cfg.AppURL))
	var said struct {
		Player  int64   `json:"player"`
		Outcome Outcome `json:"outcome"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<10)).Decode(&said); err != nil {
		http.Error(w, "the body is no JSON of the expected shape", http.StatusBadRequest)
		return
	}
	if _, ok := n.cfg.People.Find(said.Player); !ok {
		http.Error(w, "no such player", http.StatusNotFound)
		return
	}
	if !slices.Contains([]Outcome{Watch, Early, None, Held, Twice}, said.Outcome) {
		http.Error(w, "no such end of an ad", http.StatusBadRequest)
		return
	}
	id := n.add(said.Player, said.Outcome)
	n.changed()
	switch said.Outcome {
	case Watch:
		go func() { _ = n.CallBack(id) }()
	case Twice:
		go func() { _ = errors.Join(n.CallBack(id), n.CallBack(id)) }()
	case Held:
		time.AfterFunc(n.cfg.Late, func() { n.release(id) })
	case Early, None:
	}
	w.WriteHeader(http.StatusNoContent)
}

func (n *Network) add(player int64, outcome Outcome) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	n.shown = append(n.shown, &Shown{
		ID: n.last, Player: player, Outcome: outcome, Held: outcome == Held, Callbacks: []string{},
	})
	if len(n.shown) > kept {
		n.shown = n.shown[1:]
	}
	return n.last
}

// Shown lists the latest ads, the newest first.
func (n *Network) Shown() []Shown {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]Shown, 0, len(n.shown))
	for _, s := range slices.Backward(n.shown) {
		one := *s
		one.Callbacks = slices.Clone(s.Callbacks)
		list = append(list, one)
	}
	return list
}

// CallBack calls the game for an ad: the pending callback, or another one.
func (n *Network) CallBack(id int) error {
	ad := n.take(id)
	if ad == nil {
		return ErrNoAd
	}
	answer := n.ask(ad.Player)
	n.mu.Lock()
	ad.Callbacks = append(ad.Callbacks, answer)
	n.mu.Unlock()
	n.changed()
	return nil
}

// release sends a pending callback, unless it was sent.
func (n *Network) release(id int) {
	n.mu.Lock()
	i := slices.IndexFunc(n.shown, func(s *Shown) bool { return s.ID == id && s.Held })
	n.mu.Unlock()
	if i >= 0 {
		_ = n.CallBack(id)
	}
}

// take returns the ad, whose callback is no longer pending.
func (n *Network) take(id int) *Shown {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := slices.IndexFunc(n.shown, func(s *Shown) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	n.shown[i].Held = false
	return n.shown[i]
}

// ask makes the callback and returns its result.
func (n *Network) ask(player int64) string {
	query := url.Values{"key": {n.cfg.Secret}, "userid": {strconv.FormatInt(player, 10)}}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, n.cfg.Callback+"?"+query.Encode(), nil)
	if err != nil {
		return err.Error()
	}
	resp, err := n.client.Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the address, which holds the secret
		}
		return fmt.Sprintf("no answer: %v", err)
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, resp.Body)
	return strconv.Itoa(resp.StatusCode)
}

func (n *Network) changed() { n.cfg.Feed.Send(feed.Event{Kind: "ads"}) }

// origin is the address without a path, as a browser names it.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return strings.TrimSuffix(address, "/")
	}
	return u.Scheme + "://" + u.Host
}
