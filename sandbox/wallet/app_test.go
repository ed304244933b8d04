package wallet

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk-sandbox/bridge"
	"mcbk-sandbox/chain"
	"mcbk-sandbox/check"
	"mcbk-sandbox/dapp"
	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

// ground is a sandbox with a wallet app, and the game's manifest.
type ground struct {
	t       *testing.T
	dir     string
	began   time.Time
	passed  atomic.Int64 // nanoseconds
	chain   *chain.Network
	bridge  *bridge.Bridge
	wallets *App
	url     string // the bridge's and the manifest's
	domain  string
}

func (g *ground) now() time.Time { return g.began.Add(time.Duration(g.passed.Load())) }

func (g *ground) pass(d time.Duration) { g.passed.Add(int64(d)) }

func start(t *testing.T) *ground {
	t.Helper()
	g := &ground{t: t, dir: t.TempDir(), began: time.Now()}
	g.chain = check.Must(chain.Start(g.dir, g.now))(t)
	t.Cleanup(func() { _ = g.chain.Close() })
	g.bridge = bridge.New(g.now)
	g.open()
	mux := http.NewServeMux()
	mux.Handle(bridge.Path, g.bridge.Handler())
	mux.HandleFunc("GET /manifest.json", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"url":%q,"name":"The game","iconUrl":%q}`, g.url, g.url+"/icon.png")
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	g.url, g.domain = srv.URL, strings.TrimPrefix(srv.URL, "http://")
	return g
}

// open starts the wallet app, anew if it runs.
func (g *ground) open() {
	g.t.Helper()
	book := check.Must(people.Open(g.dir))(g.t)
	g.wallets = check.Must(Open(Config{
		Bridge: g.bridge, Chain: g.chain, People: book, Feed: feed.New(), Now: g.now, Dir: g.dir, Address: "http://localhost:8090",
	}))(g.t)
}

// app is one that no wallet is connected to.
func (g *ground) app() *dapp.App {
	g.t.Helper()
	return dapp.New(g.t, g.url+"/bridge")
}

// link is what the app shows for the wallet to open.
func (g *ground) link(a *dapp.App, items string) string { return a.Link(g.url+"/manifest.json", items) }

// connects has Marina's wallet connected.
func (g *ground) connects() *dapp.App {
	g.t.Helper()
	a := g.app()
	if _, err := g.wallets.Connect(g.t.Context(), people.Marina, g.link(a, `[{"name":"ton_addr"}]`)); err != nil {
		g.t.Fatal(err)
	}
	if h := a.Hears(); h.Event != "connect" {
		g.t.Fatalf("it hears %+v", h)
	}
	return a
}
