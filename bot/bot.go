// Package bot talks to people on Telegram: it takes in what Telegram sends, answers, and
// shows the way into the game. It knows no rule of the game.
package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/bot/chart"
	"mcbk/game"
	"mcbk/models"
)

// Settings say which bot this is and where its game is played.
type Settings struct {
	Token         string
	ServerURL     string       // the Bot API server, without a trailing slash
	WebAppURL     string       // the mini-app, without a trailing slash
	WebhookURL    string       // where Telegram posts updates; empty for long polling
	WebhookSecret string       // set together with WebhookURL
	AdminIDs      []int64      // who runs the game and may give admin commands
	Season        game.Season  // within which tournaments are planned
	HTTPClient    *http.Client // nil for one of its own

	// PaymentLink opens a wallet that pays an amount to a raw address with a comment; nil when nothing is paid.
	PaymentLink func(address string, amount game.Nanoton, comment string) string
	// ShownAddress writes a raw address as wallets do; nil leaves it raw.
	ShownAddress func(raw string) string
}

// Inbox keeps what Telegram sent until it is answered.
type Inbox interface {
	// ReceiveUpdates keeps updates, each once, and returns how many are new.
	ReceiveUpdates(ctx context.Context, updates []models.BotUpdate, now time.Time) (fresh int, err error)
	// TakeUpdate hands out the next one to answer; nil when none is due.
	TakeUpdate(ctx context.Context, now time.Time) (*models.BotUpdate, error)
}

// Ending is what may become of an update that was taken.
type Ending interface {
	// FinishUpdate ends it.
	FinishUpdate(ctx context.Context, u models.BotUpdate, now time.Time) error
	// FailUpdate lets it come again later, or ends it as dead after too many tries.
	FailUpdate(ctx context.Context, u models.BotUpdate, cause string, now time.Time) (dead bool, err error)
	// PostponeUpdate lets it come again without counting this try.
	PostponeUpdate(ctx context.Context, u models.BotUpdate, until time.Time) error
}

// People are those who write to the bot.
type People interface {
	// RememberStart keeps the code of a start link.
	RememberStart(ctx context.Context, telegramID int64, code string, now time.Time) error
	// ChooseLanguage sets the language somebody reads.
	ChooseLanguage(ctx context.Context, telegramID int64, language string, now time.Time) error
	// LanguageOf is that language; telegrams is the one Telegram guesses.
	LanguageOf(ctx context.Context, telegramID int64, telegrams string) (string, error)
	// SetReach keeps whether the bot may write to somebody.
	SetReach(ctx context.Context, telegramID int64, reachable bool, now time.Time) error
}

// Outbox keeps what the bot is to tell people by itself.
type Outbox interface {
	// TakeMessage hands out the next message to send, or tells how long to wait for one.
	TakeMessage(ctx context.Context, now time.Time) (*models.Message, time.Duration, error)
}

// Broadcasts are what all players are told.
type Broadcasts interface {
	// Broadcast is what a broadcast's message says.
	Broadcast(ctx context.Context, id int64) (models.Broadcast, error)
	// FanBroadcast queues the next messages of a broadcast under way, if there is one.
	FanBroadcast(ctx context.Context, now time.Time) (more bool, err error)
	// DropCancelled ends the next messages that cancelled broadcasts left, if there are any.
	DropCancelled(ctx context.Context, now time.Time) (more bool, err error)
	// AbandonBroadcast stops the one of a message whose original is gone, and tells the admins.
	AbandonBroadcast(ctx context.Context, m models.Message, cause string, admins []int64, now time.Time) error
}

// Outcome is what may become of a message that was taken.
type Outcome interface {
	// FinishMessage ends one that was sent.
	FinishMessage(ctx context.Context, m models.Message, now time.Time) error
	// RefuseMessage ends one that Telegram will never take, from anybody when blocked.
	RefuseMessage(ctx context.Context, m models.Message, blocked bool, cause string, now time.Time) error
	// MissMessage ends one for somebody who may be out of reach, and says nothing of their chat.
	MissMessage(ctx context.Context, m models.Message, now time.Time) error
	// FailMessage lets it be tried again later, or ends it as dead after too many tries.
	FailMessage(ctx context.Context, m models.Message, cause string, now time.Time) (dead bool, err error)
}

// Silence is what Telegram asks for when it hears too much, kept by all processes.
type Silence interface {
	// SilentUntil is when anything may be sent again.
	SilentUntil(ctx context.Context) (time.Time, error)
	// FallSilent asks all processes for silence.
	FallSilent(ctx context.Context, until time.Time) error
	// PostponeMessage does so, and lets a message be tried afterwards without counting this try.
	PostponeMessage(ctx context.Context, m models.Message, until time.Time) error
}

// Desk is where admins decide.
type Desk interface {
	// AskAdmin writes a question down; the buttons below it carry the nonce.
	AskAdmin(ctx context.Context, q models.Question, now time.Time) (nonce string, err error)
	// ConfirmAction does what was asked, once.
	ConfirmAction(ctx context.Context, p models.Press, now time.Time) (models.Decision, error)
	// CancelAction closes a question.
	CancelAction(ctx context.Context, p models.Press, now time.Time) (models.Decision, error)
	// RefuseCommand writes down a command that nobody may give so.
	RefuseCommand(ctx context.Context, a models.AdminAction, now time.Time) error
}

// Records are what admins may look at.
type Records interface {
	// FindPlayer finds a player by number, Telegram's number or @username.
	FindPlayer(ctx context.Context, who string) (models.Player, error)
	// HeldPayments are the largest payments that wait for an admin, and how many do in all.
	HeldPayments(ctx context.Context, most int) (largest []models.HeldPayment, all int64, err error)
	// RefundablePayments are the payments that were last marked to be sent back, and how many are in all.
	RefundablePayments(ctx context.Context, most int) (newest []models.HeldPayment, all int64, err error)
	// HeldPayment is one that waits for an admin.
	HeldPayment(ctx context.Context, id string) (models.HeldPayment, error)
	// OrderNamed is the order with that comment.
	OrderNamed(ctx context.Context, comment string) (models.Order, error)
	// OwedTON is what is still to be paid, and of how many; returned is how many of these came back.
	OwedTON(ctx context.Context) (amount game.Nanoton, open, returned int64, err error)
	// Payables are those that are still to be paid.
	Payables(ctx context.Context, most int) ([]models.Payable, error)
	// Payable is one of them, or one that was.
	Payable(ctx context.Context, id string) (models.Payable, error)
	// TournamentStatuses are the last tournaments, the newest first.
	TournamentStatuses(ctx context.Context, most int) ([]models.TournamentStatus, error)
	// TournamentToAward is the one that has waited the longest for its prizes.
	TournamentToAward(ctx context.Context) (t models.AwardWaiting, ok bool, err error)
	// Winners are the first of those who win something in a tournament.
	Winners(ctx context.Context, tournament int64, most int) ([]models.Winner, error)
	// RoundTheClock are the winners who played in more hours of a day than a person is awake.
	RoundTheClock(ctx context.Context, t models.Tournament) ([]models.PlayerID, error)
	// PlayerDetails is what is known of a player.
	PlayerDetails(ctx context.Context, who string) (models.PlayerDetails, error)
	// InviteReport tells how those whom a player invited stand; at most so many who may be one person are named.
	InviteReport(ctx context.Context, inviter models.PlayerID, most int) (models.InviteReport, error)
	// Figures are the game in numbers.
	Figures(ctx context.Context, now time.Time) (models.Figures, error)
	// Days is what happened on today and the days before.
	Days(ctx context.Context, now time.Time, days int) (models.Days, error)
	// DraftBroadcast stores what all players are to be told once that is confirmed.
	DraftBroadcast(ctx context.Context, b models.Broadcast, now time.Time) (models.Broadcast, error)
	// BroadcastAudience is how many players a broadcast would reach now.
	BroadcastAudience(ctx context.Context) (int64, error)
	// NewestBroadcast is the one that was started last.
	NewestBroadcast(ctx context.Context) (models.Broadcast, error)
	// BroadcastsUnderWay are those with work left, the newest first.
	BroadcastsUnderWay(ctx context.Context) ([]models.Broadcast, error)
	// BroadcastProgress counts a broadcast's messages.
	BroadcastProgress(ctx context.Context, id int64) (models.Progress, error)
	// PermanentTasks lists the tasks that admins offer.
	PermanentTasks(ctx context.Context) ([]models.PermanentTask, error)
	// Audit lists the newest actions of admins.
	Audit(ctx context.Context, most int) ([]models.AdminAction, error)
	// Knobs are the settings as they stand.
	Knobs(ctx context.Context, now time.Time) models.Knobs
	// InMaintenance tells whether the game is closed.
	InMaintenance(ctx context.Context, now time.Time) bool
}

// Store is what the bot needs of the program's memory.
type Store interface {
	Inbox
	Ending
	People
	Outbox
	Broadcasts
	Outcome
	Silence
	Desk
	Records
}

const (
	callTimeout = 10 * time.Second // a call to Telegram (decision 0004: limits)
	pollSeconds = 25               // how long Telegram may hold an empty getUpdates back
	pollTimeout = pollSeconds*time.Second + callTimeout
)

// Bot is the Telegram side of the game. Run makes it work; Webhook takes updates in.
type Bot struct {
	settings Settings
	store    Store
	now      func() time.Time
	log      *slog.Logger

	draw   func(chart.Stats) ([]byte, error) // chart.Draw
	client *telegram.Bot
	http   *http.Client // waits as long as a poll may take

	username atomic.Pointer[string]
	arrived  chan struct{} // wakes the workers: there is something in the inbox
	silent   atomic.Int64  // until this time, in Unix nanoseconds, this process sends nothing
	away     atomic.Bool   // the inbox could not be read at the last try

	outboxAway atomic.Bool // nor the outbox
}

// New makes a bot that has not spoken to Telegram yet, so that the program starts without it.
func New(settings Settings, store Store, now func() time.Time, log *slog.Logger) (*Bot, error) {
	switch {
	case settings.Token == "" || settings.ServerURL == "" || settings.WebAppURL == "":
		return nil, errors.New("the bot needs a token, a Bot API server and the address of the game")
	case (settings.WebhookURL == "") != (settings.WebhookSecret == ""):
		return nil, errors.New("a webhook needs both its address and its secret")
	}
	if settings.HTTPClient == nil {
		transport, ok := http.DefaultTransport.(*http.Transport)
		if !ok {
			return nil, errors.New("the default transport is of another make")
		}
		settings.HTTPClient = &http.Client{Transport: transport.Clone()}
	}
	b := &Bot{settings: settings, store: store, now: now, log: log, draw: chart.Draw, arrived: make(chan struct{}, 1)}
	poll, send := *settings.HTTPClient, *settings.HTTPClient
	poll.Timeout, send.Timeout = pollTimeout, callTimeout
	b.http = &poll

	client, err := telegram.New(
		settings.Token,
		telegram.WithSkipGetMe(),
		telegram.WithServerURL(settings.ServerURL),
		telegram.WithHTTPClient(pollTimeout, &send),
		telegram.WithNotAsyncHandlers(),
		telegram.WithDefaultHandler(reported(b.answerText)),
		telegram.WithErrorsHandler(func(err error) { log.Warn("telegram client", "error", short(err)) }),
	)
	if err != nil {
		return nil, fmt.Errorf("make the Telegram client: %w", err)
	}
	b.client = client
	b.listen()
	return b, nil
}

// Username is the bot's name without @, empty until Telegram has told it.
func (b *Bot) Username() string {
	if name := b.username.Load(); name != nil {
		return *name
	}
	return ""
}

// Run introduces the bot to Telegram, polls for updates unless there is a webhook, answers what
// is in the inbox and sends what is in the outbox, until ctx ends. Telegram and the database may
// come and go: it returns no error.
func (b *Bot) Run(ctx context.Context) error {
	defer b.http.CloseIdleConnections()
	var parts sync.WaitGroup
	parts.Go(func() { b.introduce(ctx) })
	if b.settings.WebhookURL == "" {
		parts.Go(func() { b.poll(ctx) })
	}
	for range workers {
		parts.Go(func() { b.work(ctx) })
	}
	parts.Go(func() { b.deliver(ctx) })
	parts.Go(func() { b.fan(ctx) })
	parts.Wait()
	return nil
}

// wait passes the time, unless ctx ends first.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// pace is how long to wait before asking Telegram again.
type pace struct{ next time.Duration }

const (
	firstPause = 500 * time.Millisecond
	longPause  = 30 * time.Second
)

// after is as long as Telegram wants, else twice as long as the last time.
func (p *pace) after(err error) time.Duration {
	var tooMany *telegram.TooManyRequestsError
	if errors.As(err, &tooMany) {
		return max(time.Duration(tooMany.RetryAfter)*time.Second, firstPause)
	}
	pause := max(p.next, firstPause)
	p.next = min(2*pause, longPause)
	return pause
}

// short is an error without the page a server may have sent along.
func short(err error) string {
	const most = 300
	text := err.Error()
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
