// Package api is the HTTP API of the web app: the contract, what is generated from it and thin handlers.
package api

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/store"
	"mcbk/ton"
)

// basePath is where the contract's calls live.
const basePath = "/api"

// Limits of a request. (decision 0004: limits)
const (
	maxBody        = 16 << 10
	maxDepth       = 8
	handlerTimeout = 8 * time.Second
)

// MaxInFlight is how many calls one process serves at once. (decision 0004: limits)
const MaxInFlight = 500

// Options configure the API.
type Options struct {
	BotToken       string
	BotUsername    func() string // empty until Telegram has named it
	WebAppURL      string
	WebApp         fs.FS          // the built web app
	Sandbox        bool           // the Bot API is on this machine: its page may frame the app
	TrustedProxies []netip.Prefix // whose X-Forwarded-For counts
	Season         game.Season
	Config         Config // what the web app needs before login
	Webhook        http.Handler
	WebhookPath    string // empty without a webhook
	InFlight       int    // calls worked on at once, MaxInFlight in production
	Limits         Limits
	Ads            Ads
	WalletHosts    []string // origins of the wallets' list, bridges and pictures
	Sales          Sales
	// Subscribed asks Telegram whether a person is in a public channel, named as @channel.
	Subscribed func(ctx context.Context, channel string, telegramID int64) (bool, error)
	// WakeChainReader asks the treasury's reader to read now, if it runs in this process. It does not block. May be nil.
	WakeChainReader func()
	// Account looks up an account of the chain.
	Account func(ctx context.Context, address ton.Address, now time.Time) (ton.Account, error)
	Metrics prometheus.Registerer
}

// Server answers the contract's calls. It parses, calls one method and renders.
type Server struct {
	options  Options
	store    *store.Store
	now      func() time.Time
	log      *slog.Logger
	contract *contract
	inFlight chan struct{}
	asking   chan struct{} // calls that wait for Telegram
	limits   *limiter
	launches launches
	accounts *accounts
	leaders  *leaderPages
	domain   string // that wallets sign
	policy   string // of what the page may load
	metrics  *metrics

	readiness readiness

	warnForwarded sync.Once
}

// New makes the handler of everything that the program serves publicly.
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
		options: options, store: store, now: now, log: log, contract: contract,
		inFlight: make(chan struct{}, options.InFlight), asking: make(chan struct{}, askingAtOnce), limits: newLimiter(options.Limits, now, log),
		launches: newLaunches(), accounts: newAccounts(options.Account), leaders: newLeaderPages(store), domain: domain, policy: contentPolicy(options),
		metrics: newMetrics(options.Metrics),
	}
	return s.routes()
}

func (s *Server) routes() (http.Handler, error) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.ContextWithFallback = true // handlers get the request's context, see once
	engine.RedirectTrailingSlash = false
	engine.HandleMethodNotAllowed = true
	engine.Use(s.identify, s.measured, s.recovered, s.securityHeaders, bounded, s.limitedAddress)

	get := func(path string, answer gin.HandlerFunc) { engine.GET(path, answer); engine.HEAD(path, answer) }
	get("/health/live", s.live)
	get("/health/ready", s.ready)
	get("/tonconnect-manifest.json", s.tonConnectManifest)
	get(WalletsPath, s.wallets)
	if s.options.WebhookPath != "" {
		literal := strings.ReplaceAll(s.options.WebhookPath, ":", `\:`) // a colon, as in a bot's token, begins no parameter
		engine.POST(literal, gin.WrapH(s.options.Webhook))
	}

	calls := engine.Group("", s.signedIn, s.adSecretChecked, s.limitedPlayer, s.open, s.featureGate, s.validated, s.limitedInFlight, s.known, s.tapFastPath)
	handlers := NewStrictHandlerWithOptions(s, []StrictMiddlewareFunc{contextCopied, s.once, s.subscriptionAsked, s.walletKeyAsked, s.limitedWrites}, StrictGinServerOptions{
		RequestErrorHandlerFunc:  func(c *gin.Context, err error) { s.fail(c, undecoded(err)) },
		HandlerErrorFunc:         s.fail,
		ResponseErrorHandlerFunc: s.fail,
	})
	RegisterHandlersWithOptions(calls, handlers, GinServerOptions{
		BaseURL:      basePath,
		ErrorHandler: s.malformed,
	})
	wrapper := ServerInterfaceWrapper{Handler: handlers, ErrorHandler: s.malformed}
	calls.GET(basePath+"/referral/", wrapper.ListReferrals) // the specification's spelling

	app, err := webApp(s.options.WebApp)
	if err != nil {
		return nil, err
	}
	page := func(c *gin.Context) {
		switch {
		case isCall(c.Request.URL.Path) || isOps(c.Request.URL.Path):
			s.fail(c, game.Refuse(notFound))
			return
		case !isSafe(c.Request): // each path is one of the app's routes
			c.Header("Allow", "GET, HEAD")
			s.fail(c, game.Refuse(methodNotAllowed))
			return
		}
		c.Status(http.StatusOK) // Gin would answer 404
		app.ServeHTTP(c.Writer, c.Request)
	}
	engine.NoRoute(page)
	engine.NoMethod(func(c *gin.Context) {
		if c.Request.URL.Path == s.options.WebhookPath && isSafe(c.Request) { // Telegram posts there; people see the page
			page(c)
			return
		}
		s.fail(c, game.Refuse(methodNotAllowed))
	})
	return engine, nil
}

// isSafe reports whether a request only reads (a safe method of HTTP).
func isSafe(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// malformed refuses a parameter that passes the contract's check but that Go cannot parse.
func (s *Server) malformed(c *gin.Context, _ error, _ int) {
	s.fail(c, invalid("request", "is not what the contract describes"))
}

// player returns the player who calls; the middleware known has stored it in the context.
func player(ctx context.Context) models.Player {
	p, _ := ctx.Value(playerKey{}).(models.Player)
	return p
}
