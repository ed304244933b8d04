// Command mcbk is the whole game: the Telegram bot, the mini-app with its API, and the jobs.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"mcbk/config"
	"mcbk/models/db"
	"mcbk/models/store"
	"mcbk/ton"
)

// Version and commit, set by the build.
var (
	version = "development"
	commit  = "unknown"
)

// Exit codes: a broken invariant found by `mcbk verify`; a start or command that failed.
const (
	exitBroken = 1
	exitWrong  = 2
)

const usage = "usage: mcbk [migrate | verify [--chain|--stars] | healthcheck | version | help]"

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcbk:", strings.Join(strings.Fields(err.Error()), " ")) // always one line
	}
	os.Exit(code)
}

func run(args []string) (code int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command := "serve"
	if len(args) > 0 {
		command = args[0]
	}
	var with string // what verify compares the record with
	if command == "verify" && len(args) == 2 && (args[1] == "--chain" || args[1] == "--stars") {
		with = args[1]
	}
	if len(args) > 1 && with == "" {
		return exitWrong, errors.New(usage)
	}
	switch command {
	case "help", "--help", "-h":
		_, err := fmt.Println(usage)
		return 0, err
	case "version":
		return 0, printVersion(os.Stdout)
	case "serve", "migrate", "verify", "healthcheck":
	default: // usage needs no settings
		return exitWrong, errors.New(usage)
	}
	settings, err := config.Load(os.Environ(), ".env")
	if err != nil {
		return exitWrong, err
	}
	if err := ton.CheckConfig(ctx, liteServers(settings), ton.Network(settings.TONNetwork)); err != nil {
		return exitWrong, fmt.Errorf("TON_CONFIG is malformed; it expects a file or URL of a lite-server configuration: %w", err)
	}
	now := settings.Clock(time.Now)
	switch command {
	case "serve":
		err = serve(ctx, settings, now, logger(settings))
	case "migrate":
		err = migrate(ctx, settings, now)
	case "verify":
		return verify(ctx, settings, now, with)
	case "healthcheck":
		err = healthcheck(ctx, settings)
	}
	if err != nil {
		return exitWrong, err
	}
	return 0, nil
}

// printVersion prints the versions of the program and of its database schema.
func printVersion(to io.Writer) error {
	newest, err := db.NewestMigration()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, "mcbk %s\ncommit %s\n%s %s/%s\nmigration %d\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, newest)
	return err
}

func migrate(ctx context.Context, settings config.Config, now func() time.Time) error {
	store, err := store.Open(ctx, string(settings.DatabaseURL), now, rand.Reader)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer store.Close() //nolint:errcheck // the process ends
	at, err := store.DB.Migrate(ctx)
	if err == nil {
		fmt.Println("database is at migration", at)
	}
	return err
}

// healthcheck reports whether the local server is ready.
func healthcheck(ctx context.Context, settings config.Config) error {
	host, port, err := net.SplitHostPort(string(settings.Listen))
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || (ip != nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/health/ready", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // read only
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", response.Status)
	}
	return nil
}

// logger writes JSON, or text at a terminal.
func logger(settings config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: settings.LogLevel}
	if settings.LogFormat == "text" || (settings.LogFormat == "" && isTerminal(os.Stderr)) {
		return slog.New(slog.NewTextHandler(os.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, options))
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
