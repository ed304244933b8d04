// Package api is the HTTP API of the web app: the contract, its generated code and thin handlers.
package api

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"mcbk/game"
	"mcbk/models/orders"
	"mcbk/models/store"
	"mcbk/ton"
)

// basePath is the path of the contract's calls.
const basePath = "/api"

// Limits of a request (decision 0004: limits).
const (
	maxBody        = 16 << 10
	maxDepth       = 8
	handlerTimeout = 8 * time.Second
)

// MaxInFlight limits concurrent calls of a process (decision 0004: limits).
const MaxInFlight = 500

// Options configure the API.
type Options struct {
	BotToken       string
	BotUsername    func() string // empty until Telegram has returned it
	WebAppURL      string
	WebApp         fs.FS          // the built web app
	Sandbox        bool           // the Bot API is on this machine: its page may frame the app
	TrustedProxies []netip.Prefix // their X-Forwarded-For is used
	Season         game.Season
	Config         Config // public settings
	Webhook        http.Handler
	WebhookPath    string // empty without a webhook
	InFlight       int    // limit of concurrent calls, MaxInFlight in production
	Limits         Limits
	Ads            Ads
	WalletHosts    []string // origins of the wallets' list, bridges and pictures
	Sales          Sales
	// Subscribed reports membership of a public channel (@channel).
	Subscribed func(ctx context.Context, channel string, telegramID int64) (bool, error)
	// InvoiceLink has Telegram make a link that takes Stars.
	InvoiceLink func(ctx context.Context, request orders.InvoiceRequest) (link string, err error)
	// WakeChainReader makes the chain reader read now, if it runs in this process. It does not block. May be nil.
	WakeChainReader func()
	// Account looks up an account of the chain.
	Account func(ctx context.Context, address ton.Address, now time.Time) (ton.Account, error)
	Metrics prometheus.Registerer
}

// Server implements the contract's calls: parse, call one method, render.
type Server struct {
	options   Options
	store     *store.Store
	now       func() time.Time
	log       *slog.Logger
	limits    *limiter
	addresses *addresses
	accounts  *accounts
	leaders   *leaderPages
	domain    string // signed by wallets
}

// New makes the handler of all public routes.
func New(options Options, store *store.Store, now func() time.Time, log *slog.Logger) (http.Handler, error) {
	contract, err := readContract()
	if err != nil {
		return nil, err
	}
	domain, err := proofDomain(options.WebAppURL)
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: options, store: store, now: now, log: log, limits: newLimiter(options.Limits, now, log),
		addresses: &addresses{proxies: options.TrustedProxies, log: log}, leaders: newLeaderPages(store), domain: domain,
	}
	s.accounts = newAccounts(s.limits, options.Account)
	return routes(&gateway{
		Server: s, contract: contract, launches: newLaunchVerifier(options.BotToken, options.Sandbox), lookups: make(chan struct{}, telegramCalls),
		counters: newMetrics(options.Metrics), inFlight: make(chan struct{}, options.InFlight), policy: contentPolicy(options),
	})
}

// routes puts the handlers behind the gateway.
func routes(g *gateway) (http.Handler, error) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.ContextWithFallback = true // handlers get the request's context, see once
	engine.RedirectTrailingSlash = false
	engine.HandleMethodNotAllowed = true
	engine.Use(g.chain(allRequests)...)

	get := func(path string, answer gin.HandlerFunc) { engine.GET(path, answer); engine.HEAD(path, answer) }
	health := &health{store: g.store, now: g.now, log: g.log, sells: g.options.Sales.Treasury != nil}
	get("/health/live", live)
	get("/health/ready", health.ready)
	get("/tonconnect-manifest.json", g.options.tonConnectManifest)
	get(WalletsPath, serveWallets)
	if g.options.WebhookPath != "" {
		literal := strings.ReplaceAll(g.options.WebhookPath, ":", `\:`) // a colon, as in a bot's token, begins no parameter
		engine.POST(literal, gin.WrapH(g.options.Webhook))
	}

	routed := engine.Group("", g.chain(calls)...)
	handlers := NewStrictHandlerWithOptions(g.Server, g.wrappers(), StrictGinServerOptions{
		RequestErrorHandlerFunc:  func(c *gin.Context, err error) { g.fail(c, decodeRefusal(err)) },
		HandlerErrorFunc:         g.fail,
		ResponseErrorHandlerFunc: g.fail,
	})
	RegisterHandlersWithOptions(routed, handlers, GinServerOptions{
		BaseURL:      basePath,
		ErrorHandler: g.malformed,
	})
	wrapper := ServerInterfaceWrapper{Handler: handlers, ErrorHandler: g.malformed}
	routed.GET(basePath+"/referral/", wrapper.ListReferrals) // the specification's path

	app, err := webApp(g.options.WebApp)
	if err != nil {
		return nil, err
	}
	page := func(c *gin.Context) {
		switch {
		case isCall(c.Request.URL.Path) || isOps(c.Request.URL.Path):
			g.fail(c, game.Refuse(notFound))
			return
		case !isSafe(c.Request): // each path is a route of the app
			c.Header("Allow", "GET, HEAD")
			g.fail(c, game.Refuse(methodNotAllowed))
			return
		}
		c.Status(http.StatusOK) // Gin would answer 404
		app.ServeHTTP(c.Writer, c.Request)
	}
	engine.NoRoute(page)
	engine.NoMethod(func(c *gin.Context) {
		if c.Request.URL.Path == g.options.WebhookPath && isSafe(c.Request) { // Telegram posts there; browsers get the page
			page(c)
			return
		}
		g.fail(c, game.Refuse(methodNotAllowed))
	})
	return newCompressor(engine)
}

// isSafe reports whether a request only reads (HTTP's safe methods).
func isSafe(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// malformed refuses a parameter that is valid by the contract but that Go cannot parse.
func (g *gateway) malformed(c *gin.Context, _ error, _ int) {
	g.fail(c, invalid("request", "is not what the contract describes"))
}
