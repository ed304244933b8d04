// Package bot is the Telegram side of the game: it receives updates, replies to commands and sends notices. It has no rules of the
// game.
package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/bot/chart"
	"mcbk/game"
	"mcbk/models/store"
)

// Settings configure the bot.
type Settings struct {
	Token         string
	ServerURL     string // the Bot API server, without a trailing slash
	WebAppURL     string // the mini-app, without a trailing slash
	WebhookURL    string // where Telegram posts updates; empty for long polling
	WebhookSecret string // set together with WebhookURL
	AdminIDs      []int64
	Season        game.Season  // the range of tournaments
	HTTPClient    *http.Client // nil for a default one

	// CheckoutDone is told how a checkout in Stars ended, approved, refused or failed, and how long its answer took; may be nil.
	CheckoutDone func(end string, took time.Duration)
	// PaymentLink opens a wallet with a transfer to a raw address; nil when nothing is paid.
	PaymentLink func(address string, amount game.Nanoton, comment string) string
	// ShownAddress formats a raw address in user-friendly form; nil leaves it raw.
	ShownAddress func(raw string) string
}

// isAdmin reports whether id is an admin now: an older message may come from a former one.
func (s Settings) isAdmin(id int64) bool { return slices.Contains(s.AdminIDs, id) }

const (
	callTimeout = 10 * time.Second // for a call to Telegram (decision 0004: limits)
	pollSeconds = 25               // long poll timeout of getUpdates
	pollTimeout = pollSeconds*time.Second + callTimeout
)

// Bot receives updates by Run (long polling) or Webhook.
type Bot struct {
	sender  *sender
	pause   *sendPause
	profile *profile
	inbox   *inbox
	admin   *adminHandler
	updates *updateHandler
	outbox  *delivery
	stars   *http.Client // of Telegram's list of transactions
}

// New makes a bot without calling Telegram, so that the program starts while Telegram is unavailable.
func New(settings Settings, store *store.Store, now func() time.Time, log *slog.Logger) (*Bot, error) {
	switch {
	case settings.Token == "" || settings.ServerURL == "" || settings.WebAppURL == "":
		return nil, errors.New("the bot needs a token, a Bot API server and the address of the game")
	case (settings.WebhookURL == "") != (settings.WebhookSecret == ""):
		return nil, errors.New("a webhook needs both its address and its secret")
	}
	if settings.CheckoutDone == nil {
		settings.CheckoutDone = func(string, time.Duration) {}
	}
	if settings.HTTPClient == nil {
		transport, ok := http.DefaultTransport.(*http.Transport)
		if !ok {
			return nil, errors.New("the default transport is no *http.Transport")
		}
		settings.HTTPClient = &http.Client{Transport: transport.Clone()}
	}
	poll, send := *settings.HTTPClient, *settings.HTTPClient
	poll.Timeout, send.Timeout = pollTimeout, callTimeout
	client, err := telegram.New(
		settings.Token,
		telegram.WithSkipGetMe(),
		telegram.WithServerURL(settings.ServerURL),
		telegram.WithHTTPClient(pollTimeout, &send),
		telegram.WithErrorsHandler(func(err error) { log.Warn("telegram client", "error", truncateError(err)) }),
	)
	if err != nil {
		return nil, fmt.Errorf("make the Telegram client: %w", err)
	}
	b := &Bot{
		sender:  &sender{client: client, settings: settings, store: store, now: now, log: log},
		pause:   &sendPause{store: store, now: now},
		profile: &profile{settings: settings, store: store, client: client, log: log},
		inbox:   &inbox{settings: settings, store: store, now: now, log: log, http: &poll, arrived: make(chan struct{}, 1)},
		stars:   &send,
	}
	b.inbox.answer = b.sender.approveCheckout
	b.admin = &adminHandler{sender: b.sender, draw: chart.Draw, progress: store.Outbox.BroadcastProgress}
	b.updates = &updateHandler{sender: b.sender, inbox: b.inbox, pause: b.pause, profile: b.profile, admin: b.admin}
	b.outbox = &delivery{sender: b.sender, pause: b.pause, username: b.profile.username}
	return b, nil
}

// Username returns the bot's name without @; "" until Telegram has returned it.
func (b *Bot) Username() string { return b.profile.username() }

// Webhook stores updates in the inbox. It answers 200 once an update is stored; on anything else Telegram retries.
func (b *Bot) Webhook() http.Handler { return b.inbox.webhook() }

// Run configures the bot at Telegram, polls for updates unless there is a webhook, processes the inbox and sends the outbox, until
// ctx ends. It survives outages of Telegram and the database and returns no error.
func (b *Bot) Run(ctx context.Context) error {
	defer b.inbox.http.CloseIdleConnections()
	var parts sync.WaitGroup
	parts.Go(func() { b.profile.setUp(ctx) })
	if b.inbox.settings.WebhookURL == "" {
		parts.Go(func() { b.inbox.poll(ctx) })
	}
	for range workers {
		parts.Go(func() { b.updates.work(ctx) })
	}
	parts.Go(func() { b.outbox.deliver(ctx) })
	parts.Go(func() { b.outbox.fanOut(ctx) })
	parts.Wait()
	b.inbox.checkouts.Wait()
	return nil
}

// wait sleeps until d has passed or ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// backoff is the delay before the next request to Telegram: Telegram's retry_after, else doubled each time.
type backoff struct{ next time.Duration }

const (
	minBackoff = 500 * time.Millisecond
	maxBackoff = 30 * time.Second
)

func (b *backoff) after(err error) time.Duration {
	if tooMany, ok := errors.AsType[*telegram.TooManyRequestsError](err); ok {
		return max(time.Duration(tooMany.RetryAfter)*time.Second, minBackoff)
	}
	pause := max(b.next, minBackoff)
	b.next = min(2*pause, maxBackoff)
	return pause
}

// recoverPanic, deferred, turns a panic into an error.
func recoverPanic(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v", p)
	}
}

// truncateError returns an error's text, cut: a server may have sent a whole page.
func truncateError(err error) string {
	const most = 300
	text := err.Error()
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…" // the cut may split a character
	}
	return text
}
