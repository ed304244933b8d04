package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"mcbk/api"
	"mcbk/bot"
	"mcbk/config"
	"mcbk/game"
	"mcbk/jobs"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/store"
	"mcbk/ops"
	"mcbk/ton"
)

// The mini-app, built by Vite; an empty folder before.
//
//go:embed all:webapp/dist
var webapp embed.FS

// gcPercent lets the heap grow ninefold between collections, which saves CPU under load. The live heap is ten MB, up to a
// few hundred with full caches; above enoughHeap collections are more frequent.
const (
	gcPercent  = 800
	enoughHeap = 1 << 30 // bytes
)

// drain limits requests after a SIGTERM.
const drain = 20 * time.Second

// serve runs the program until ctx ends, then lets running requests finish.
func serve(ctx context.Context, settings config.Config, now func() time.Time, log *slog.Logger) error {
	debug.SetGCPercent(gcPercent)
	setMemoryLimit(0)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", string(settings.Listen))
	if err != nil {
		return fmt.Errorf("LISTEN %s: %w", settings.Listen, err)
	}
	defer listener.Close() //nolint:errcheck // closed by the server, unless the start fails
	opsListener, err := new(net.ListenConfig).Listen(ctx, "tcp", string(settings.OpsListen))
	if err != nil {
		return fmt.Errorf("OPS_LISTEN %s: %w", settings.OpsListen, err)
	}
	defer opsListener.Close() //nolint:errcheck // as above
	metrics := ops.NewRegistry(version)
	store, err := store.Open(ctx, string(settings.DatabaseURL), now, rand.Reader)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer store.Close() //nolint:errcheck // the process ends
	empty, err := prepareStore(ctx, store, metrics)
	if err != nil {
		return err
	}
	season, err := loadSeason(ctx, settings, store, now, log)
	if err != nil {
		return err
	}
	treasury, err := pinTreasury(ctx, settings, store, metrics, now)
	if err != nil {
		return err
	}
	chain := ton.NewReader(ton.Network(settings.TONNetwork), liteServers(settings))
	wake := make(chan struct{}, 1) // a payment may be on its way
	chat, err := bot.New(bot.Settings{
		Token: string(settings.BotToken), ServerURL: string(settings.TelegramAPIURL), WebAppURL: string(settings.WebAppURL),
		WebhookURL: string(settings.BotWebhookURL), WebhookSecret: string(settings.BotWebhookSecret), AdminIDs: settings.AdminIDs,
		Season: season, PaymentLink: payoutLink(settings), ShownAddress: shownAddress(settings), CheckoutDone: ops.WatchCheckouts(metrics),
	}, store, now, log)
	if err != nil {
		return err
	}
	if settings.RateLimitUser == 0 {
		store.DB.LiftHourlyLimits()
	}
	limits := api.Limits{Address: int(settings.RateLimitIP), Player: int(settings.RateLimitUser)}
	var relay jobs.Relay = jobs.NoRelay{}
	if settings.RedisURL != "" {
		if limits.Redis, err = api.OpenRedis(string(settings.RedisURL)); err != nil {
			return fmt.Errorf("REDIS_URL: %w", err)
		}
		defer limits.Redis.Close() //nolint:errcheck // it holds counters only
		relay = jobs.NewRedisRelay(limits.Redis, log)
	}

	app, err := fs.Sub(webapp, "webapp/dist")
	if err != nil {
		return err
	}
	handler, err := api.New(api.Options{
		BotToken: string(settings.BotToken), BotUsername: chat.Username,
		WebAppURL: string(settings.WebAppURL), WebApp: app,
		Sandbox: settings.Loopback(), TrustedProxies: settings.TrustedProxies,
		Season: season, Config: publicConfig(settings),
		Webhook: chat.Webhook(), WebhookPath: settings.BotWebhookURL.Path(), InFlight: api.MaxInFlight,
		Limits: limits, Metrics: metrics, Subscribed: chat.Subscribed,
		InvoiceLink: chat.InvoiceLink,
		Sales:       api.Sales{Treasury: treasury, Network: ton.Network(settings.TONNetwork), LinkBase: linkBase(settings)}, Account: chain.Account,
		WalletHosts: walletHosts(settings), WakeChainReader: func() { wakeChainReader(wake) },
		Ads: api.Ads{
			BlockID: settings.AdsBlockID, Hosts: settings.AdsHosts(), Secret: settings.AdsSecret, Trusted: settings.AdsMode == "client",
		},
	}, store, now, log)
	if err != nil {
		return err
	}

	sales := market(settings, treasury, chain, wake, log)
	sales.Stars = chat.StarTransactions
	jobOptions := jobs.Options{Now: now, Season: season, Admins: settings.AdminIDs, Sales: sales, Meter: ops.NewJobs(metrics), Log: log}
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return serveOps(ctx, opsListener, ops.Handler(metrics), log) })
	if empty {
		log.WarnContext(ctx, "the database was empty: a new game begins; where there is a backup, stop and restore it")
	}
	if err := warnSettings(ctx, settings, treasury, store, log); err != nil {
		return err
	}
	debug.FreeOSMemory() // the start's memory
	log.InfoContext(ctx, "ready", "address", listener.Addr().String(), "version", version, "season_start", season.Start,
		"ops", opsListener.Addr().String())
	parts.Go(func() error { return serveHTTP(ctx, listener, handler, log) })
	parts.Go(func() error { return chat.Run(ctx) })
	parts.Go(func() error { return jobs.WatchClocks(ctx, store, time.Now, jobs.ClockInterval, jobOptions) })
	parts.Go(func() error {
		return jobs.FollowRanks(ctx, store, relay, func() { setMemoryLimit(store.Leaderboard.RankBytes()) }, jobOptions)
	})
	parts.Go(func() error { return jobs.Run(ctx, store, jobOptions) })
	return parts.Wait()
}

// prepareStore migrates the database and registers its metrics. empty reports whether it was empty.
func prepareStore(ctx context.Context, store *store.Store, metrics *prometheus.Registry) (empty bool, err error) {
	behind, ok := errors.AsType[db.BehindError](store.DB.Ready(ctx))
	empty = ok && behind.At == 0
	if _, err := store.DB.Migrate(ctx); err != nil {
		return empty, err
	}
	pools, err := store.DB.Pools()
	if err != nil {
		return empty, err
	}
	ops.WatchPools(metrics, pools)
	store.DB.Measure(ops.NewMeter(metrics))
	ops.WatchOutbox(metrics, store.Outbox.QueuedMessages)
	// CLOCK_OFFSET_FILE is no clock error.
	_, err = store.DB.CompareClocks(ctx, time.Now)
	return empty, err
}

// loadSeason returns the season stored by the first start, and warns of a tournament that differs from the settings.
func loadSeason(ctx context.Context, settings config.Config, store *store.Store, now func() time.Time, log *slog.Logger) (game.Season, error) {
	start, err := store.Settings.ProjectStart(ctx, settings.ProjectStart.Time, now())
	if err != nil {
		return game.Season{}, fmt.Errorf("PROJECT_START: %w", err)
	}
	if err := store.Settings.LoadSettings(ctx, now()); err != nil {
		return game.Season{}, err
	}
	season := game.Season{Start: start}
	first := cmp.Or(settings.TournamentStart.Time, season.Start)
	begins, err := store.Mines.FirstTournament(ctx, first)
	if err != nil {
		return game.Season{}, err
	}
	if !settings.TournamentStart.IsZero() && !begins.Equal(first) {
		log.WarnContext(ctx, "TOURNAMENT_START: the first tournament stays where it was planned; later ones are planned by /tournament new", "start", begins)
	}
	if planned := game.NewTournament(begins); planned.Start.Before(season.Start) || planned.End.After(season.End()) {
		log.WarnContext(ctx, "TOURNAMENT_START: the tournament is partly outside of the season, when nobody may dig or order a mine", "start", planned.Start, "end", planned.End)
	}
	return season, nil
}

// warnSettings warns of disabled features.
func warnSettings(ctx context.Context, settings config.Config, treasury *ton.Address, store *store.Store, log *slog.Logger) error {
	if settings.AdsBlockID != "" && !settings.ShowsAds() {
		log.WarnContext(ctx, "ADS_SCRIPT_URL is empty while ADS_BLOCK_ID is set: the mini-app shows no ads")
	}
	warnWallet(ctx, settings, log)
	if treasury == nil {
		return logTreasury(ctx, store, log)
	}
	return nil
}

// setMemoryLimit raises the memory limit by the bytes that live as long as the process.
func setMemoryLimit(lives int64) { debug.SetMemoryLimit(enoughHeap + lives) }

// serveHTTP serves HTTP until ctx ends, then drains.
func serveHTTP(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      15 * time.Second,
		IdleTimeout:       11 * time.Minute, // longer than proxies keep idle connections (up to 10 min), or a write on one would be a 502
		MaxHeaderBytes:    12 << 10,         // net/http adds 4 KiB
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	return server.Shutdown(last)
}

// serveOps serves metrics and profiles until ctx ends. A request sets the duration of its profile.
func serveOps(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := &http.Server{
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       60 * time.Second,
	}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// publicConfig returns the settings that the web app may read before login.
func publicConfig(settings config.Config) api.Config {
	config := api.Config{
		Product: "MCBK", Version: version,
		Network:   api.TONNetwork(settings.TONNetwork),
		Languages: []api.Language{models.English, models.Russian},
		Wallet:    api.WalletConfig{AppName: string(settings.WalletApp), WalletsListURL: walletsList(settings), LinkBase: new(linkBase(settings))},
		Ads:       api.AdsConfig{Mode: api.AdsMode(settings.AdsMode), Enabled: settings.ShowsAds()},
	}
	if config.Ads.Enabled {
		config.Ads.ScriptURL, config.Ads.BlockID = new(string(settings.AdsScriptURL)), &settings.AdsBlockID
	}
	return config
}
