// Command sandbox is a fake Telegram for mcbk on a developer's machine: a Bot API server, players, and a page with their phones.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"mcbk-sandbox/ads"
	"mcbk-sandbox/bridge"
	"mcbk-sandbox/chain"
	"mcbk-sandbox/child"
	"mcbk-sandbox/clock"
	"mcbk-sandbox/control"
	"mcbk-sandbox/feed"
	"mcbk-sandbox/page"
	"mcbk-sandbox/people"
	"mcbk-sandbox/rates"
	"mcbk-sandbox/telegram"
	"mcbk-sandbox/wallet"
)

// botToken is public.
const botToken = "7000000001:sandbox-token-not-a-secret-00000000"

// webhookSecret is public.
const webhookSecret = "sandbox-webhook-secret"

// adsSecret is the fake ad network's key, public as well.
const adsSecret = "sandbox-ads-secret"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the sandbox at once.
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

type flags struct {
	listen, app, ops string
	webapp           string
	data, database   string
	mcbk             string
	webhook, open    bool
}

func parseFlags(args []string, errs io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("sandbox", flag.ContinueOnError)
	set.SetOutput(errs)
	set.StringVar(&f.listen, "listen", "localhost:8090", "address of the sandbox; port 0 picks a free one")
	set.StringVar(&f.app, "app", "localhost:8080", "address mcbk serves the mini-app at; port 0 picks a free one")
	set.StringVar(&f.webapp, "webapp", "", "URL of the mini-app when another server shows it, like Vite's (default -app's)")
	set.StringVar(&f.ops, "ops", "localhost:9090", "address of mcbk's metrics; port 0 picks a free one")
	set.StringVar(&f.data, "data", "data/sandbox", "directory for chats, clock and database, created when missing")
	set.StringVar(&f.database, "database", "", "DATABASE_URL of mcbk (default sqlite:<data>/mcbk.db)")
	set.StringVar(&f.mcbk, "mcbk", "", "the mcbk binary to run; empty runs the sandbox alone")
	set.BoolVar(&f.webhook, "webhook", false, "deliver updates by webhook instead of long polling")
	set.BoolVar(&f.open, "open", false, "open the page in the browser")
	if err := set.Parse(args); err != nil {
		return f, err
	}
	if set.NArg() > 0 {
		_, _ = fmt.Fprintf(errs, "sandbox: unexpected argument %q\n", set.Arg(0))
		return f, errors.New("unexpected argument")
	}
	return f, nil
}

// run returns the exit code: 0 after a stop, 1 after a failure, 2 if it could not start.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	f, err := parseFlags(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	complain := func(err error) { _, _ = fmt.Fprintln(errs, "sandbox:", err) }
	s, err := open(f, out)
	if err != nil {
		complain(err)
		return 2
	}
	defer s.listener.Close() //nolint:errcheck // already closed by then
	if err := s.serve(ctx, f, out, complain); err != nil {
		complain(err)
		return 1
	}
	return 0
}

type sandbox struct {
	listener net.Listener
	address  string
	handler  http.Handler
	telegram *telegram.Server
	child    *child.Child
	chain    *chain.Network
	env      map[string]string
}

func open(f flags, out io.Writer) (*sandbox, error) {
	ports, err := openPorts(f)
	if err != nil {
		return nil, err
	}
	s, err := build(f, ports, out)
	if err != nil {
		_ = ports.listener.Close()
		return nil, err
	}
	return s, nil
}

func build(f flags, at ports, out io.Writer) (*sandbox, error) {
	dir, err := filepath.Abs(f.data)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the data directory: %w", err)
	}
	hours, err := clock.Open(dir)
	if err != nil {
		return nil, err
	}
	book, err := people.Open(dir)
	if err != nil {
		return nil, err
	}
	news := feed.New()
	bot, err := telegram.New(telegram.Config{
		Token: botToken, Dir: dir, Clock: hours, People: book, Feed: news, Address: at.address(),
	})
	if err != nil {
		return nil, err
	}
	binary, err := findBinary(f.mcbk)
	if err != nil {
		return nil, err
	}
	ton, err := chain.Start(dir, hours.Now)
	if err != nil {
		return nil, err
	}
	env := environment(f, at, dir, hours, book, ton)
	mcbk := child.New(child.Config{
		// A separate directory excludes a developer's .env.
		Path: binary, Dir: dir, Env: env,
		ReadyURL: "http://" + env["LISTEN"] + "/health/ready", Output: prefixed{out},
		Changed: func() { news.Send(feed.Event{Kind: "mcbk"}) },
		Logged:  func(line string) { news.Send(feed.Event{Kind: "log", Detail: line}) },
		Grace:   25 * time.Second, StartTimeout: 60 * time.Second,
	})

	network := ads.New(ads.Config{
		People: book, Feed: news, AppURL: at.appURL(), Late: ads.Late,
		Callback: "http://" + env["LISTEN"] + "/api/ads/reward", Secret: adsSecret,
	})
	price := rates.New()
	post := bridge.New(time.Now)
	wallets, err := wallet.Open(wallet.Config{
		Bridge: post, Chain: ton, People: book, Feed: news, Now: hours.Now, Dir: dir, Address: at.address(),
	})
	if err != nil {
		return nil, errors.Join(err, ton.Close())
	}
	api := &control.API{Telegram: bot, People: book, Clock: hours, Child: mcbk, Feed: news, Ads: network, Chain: ton, Rates: price, Bridge: post, Wallets: wallets, AppURL: at.appURL()}
	pages, err := (&page.Pages{People: book, Address: at.address()}).Handler()
	if err != nil {
		return nil, err
	}
	return &sandbox{
		listener: at.listener, address: at.address(), telegram: bot, child: mcbk, chain: ton, env: env,
		handler: routes(f.listen, map[string]http.Handler{
			"/bot": bot, "/ads/": network.Handler(), rates.Path: price, bridge.Path: post.Handler(),
			wallet.ListPath: http.HandlerFunc(wallets.List),
		}, api.Handler(), pages),
	}, nil
}

// findBinary makes the path absolute; empty stays empty.
func findBinary(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("-mcbk: %w", err)
	}
	return path, nil
}

// routes serves other programs and sites by path prefix. Requests to the control API from other origins, the mini-app's included, are
// refused.
func routes(listen string, others map[string]http.Handler, api, pages http.Handler) http.Handler {
	guarded := http.NewCrossOriginProtection().Handler(api)
	own := jsonErrors(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/sandbox/") {
			guarded.ServeHTTP(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	}))
	return knownHosts(listen, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for begin, other := range others {
			if strings.HasPrefix(r.URL.Path, begin) {
				other.ServeHTTP(w, r)
				return
			}
		}
		own.ServeHTTP(w, r)
	}))
}

// serve runs until ctx ends, then stops mcbk before its Telegram.
func (s *sandbox) serve(ctx context.Context, f flags, out io.Writer, complain func(error)) error {
	telegramCtx, stopTelegram := context.WithCancel(context.Background())
	defer stopTelegram()
	kept := make(chan error, 1)
	go func() { kept <- s.telegram.Run(telegramCtx) }()

	server := &http.Server{Handler: s.handler, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(s.listener) }()

	go s.begin(ctx, f, out, complain)

	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	case err = <-kept:
		kept <- nil
	}
	if stopErr := s.child.Stop(); stopErr != nil && !errors.Is(stopErr, child.ErrNone) {
		err = errors.Join(err, stopErr)
	}
	// Pages hold streams open, so there is nothing to wait for.
	err = errors.Join(err, server.Close())
	stopTelegram()
	return errors.Join(err, <-kept, s.chain.Close())
}

// begin starts mcbk, if configured, and prints the URL.
func (s *sandbox) begin(ctx context.Context, f flags, out io.Writer, complain func(error)) {
	switch err := s.child.Start(ctx); {
	case errors.Is(err, child.ErrNone):
		_, _ = fmt.Fprintf(out, "Running without mcbk. To run it yourself:\n")
		for _, k := range told {
			_, _ = fmt.Fprintf(out, "  export %s=%s\n", k, s.env[k])
		}
	case ctx.Err() != nil:
		return
	case err != nil:
		complain(err) // the page shows it too, with a Start button
	default:
		s.telegram.RetryNow()
	}
	_, _ = fmt.Fprintf(out, "\nThe sandbox is ready: open %s\n\n", s.address)
	if f.open {
		openBrowser(s.address)
	}
}

// openBrowser ignores failures: the URL is printed.
func openBrowser(address string) {
	command := map[string][]string{
		"darwin":  {"open", address},
		"windows": {"rundll32", "url.dll,FileProtocolHandler", address},
	}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open", address}
	}
	cmd := exec.Command(command[0], command[1:]...) //nolint:noctx // it outlives us
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

// prefixed marks mcbk's log lines.
type prefixed struct{ out io.Writer }

func (p prefixed) Write(line []byte) (int, error) {
	_, err := p.out.Write(append([]byte("mcbk | "), line...))
	return len(line), err
}
