// Package bot talks to people on Telegram: it receives updates, answers, and offers the button that opens the game. It has no
// rules of the game.
package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	telegram "github.com/go-telegram/bot"

	"mcbk/bot/chart"
	"mcbk/game"
	"mcbk/models"
)

// Settings configure which bot this is and where its game is played.
type Settings struct {
	Token         string
	ServerURL     string       // the Bot API server, without a trailing slash
	WebAppURL     string       // the mini-app, without a trailing slash
	WebhookURL    string       // where Telegram posts updates; empty for long polling
	WebhookSecret string       // set together with WebhookURL
	AdminIDs      []int64      // who runs the game and may give admin commands
	Season        game.Season  // within which tournaments are planned
	HTTPClient    *http.Client // nil for a default one

	// PaymentLink opens a wallet that pays an amount to a raw address with a comment; nil when nothing is paid.
	PaymentLink func(address string, amount game.Nanoton, comment string) string
	// ShownAddress writes a raw address as wallets do; nil leaves it raw.
	ShownAddress func(raw string) string
}

// Inbox stores updates from Telegram until they are answered.
type Inbox interface {
	// ReceiveUpdates stores updates, each once, and returns how many are new.
	ReceiveUpdates(ctx context.Context, updates []models.BotUpdate, now time.Time) (fresh int, err error)
	// TakeUpdate returns the next update to answer; nil when none is due.
	TakeUpdate(ctx context.Context, now time.Time) (*models.BotUpdate, error)
}

// UpdateResults records what became of an update that was taken.
type UpdateResults interface {
	// FinishUpdate marks it as done.
	FinishUpdate(ctx context.Context, u models.BotUpdate, now time.Time) error
	// FailUpdate schedules another try, or marks it as dead after too many.
	FailUpdate(ctx context.Context, u models.BotUpdate, cause string, now time.Time) (dead bool, err error)
	// PostponeUpdate schedules another try without counting this one.
	PostponeUpdate(ctx context.Context, u models.BotUpdate, until time.Time) error
}

// People stores settings of those who write to the bot.
type People interface {
	// RememberStart stores the code of a start link.
	RememberStart(ctx context.Context, telegramID int64, code string, now time.Time) error
	// ChooseLanguage sets somebody's language.
	ChooseLanguage(ctx context.Context, telegramID int64, language string, now time.Time) error
	// LanguageOf returns that language; telegrams is Telegram's guess.
	LanguageOf(ctx context.Context, telegramID int64, telegrams string) (string, error)
	// SetReach stores whether the bot may write to somebody.
	SetReach(ctx context.Context, telegramID int64, reachable bool, now time.Time) error
}

// Outbox stores the messages that the bot sends unasked.
type Outbox interface {
	// TakeMessage returns the next message to send, or how long to wait for one.
	TakeMessage(ctx context.Context, now time.Time) (*models.Message, time.Duration, error)
}

// Broadcasts are messages to all players.
type Broadcasts interface {
	// Broadcast returns the content of a broadcast.
	Broadcast(ctx context.Context, id int64) (models.Broadcast, error)
	// FanBroadcast queues the next messages of a broadcast under way, if there is one.
	FanBroadcast(ctx context.Context, now time.Time) (more bool, err error)
	// DropCancelled ends the next messages that cancelled broadcasts left, if there are any.
	DropCancelled(ctx context.Context, now time.Time) (more bool, err error)
	// AbandonBroadcast stops the broadcast of a message whose original is gone, and tells the admins.
	AbandonBroadcast(ctx context.Context, m models.Message, cause string, admins []int64, now time.Time) error
	// DraftBroadcast stores a broadcast that is sent once it is confirmed.
	DraftBroadcast(ctx context.Context, b models.Broadcast, now time.Time) (models.Broadcast, error)
	// NewestBroadcast returns the broadcast that was started last.
	NewestBroadcast(ctx context.Context) (models.Broadcast, error)
	// BroadcastsUnderWay are broadcasts with work left, newest first.
	BroadcastsUnderWay(ctx context.Context) ([]models.Broadcast, error)
	// BroadcastProgress counts a broadcast's messages.
	BroadcastProgress(ctx context.Context, id int64) (models.Progress, error)
}

// MessageResults records what became of a message that was taken.
type MessageResults interface {
	// FinishMessage marks one as sent.
	FinishMessage(ctx context.Context, m models.Message, now time.Time) error
	// RefuseMessage ends one that Telegram will never accept; blocked says that Telegram accepts none from the bot to that chat.
	RefuseMessage(ctx context.Context, m models.Message, blocked bool, cause string, now time.Time) error
	// MissMessage ends one for somebody who may be out of reach, and leaves their reachability as it is.
	MissMessage(ctx context.Context, m models.Message, now time.Time) error
	// FailMessage schedules another try, or marks it as dead after too many.
	FailMessage(ctx context.Context, m models.Message, cause string, now time.Time) (dead bool, err error)
}

// Silence is the wait that Telegram asks for after too many requests (429), observed by all processes.
type Silence interface {
	// SilentUntil is when anything may be sent again.
	SilentUntil(ctx context.Context) (time.Time, error)
	// FallSilent makes all processes wait.
	FallSilent(ctx context.Context, until time.Time) error
	// PostponeMessage does so, and schedules another try of a message without counting this one.
	PostponeMessage(ctx context.Context, m models.Message, until time.Time) error
}

// AdminActions asks admins to confirm, and records what they decided.
type AdminActions interface {
	// AskAdmin stores a question; the buttons below it carry the nonce.
	AskAdmin(ctx context.Context, q models.Question, now time.Time) (nonce string, err error)
	// ConfirmAction executes the action that was asked about, once.
	ConfirmAction(ctx context.Context, p models.Press, now time.Time) (models.Decision, error)
	// CancelAction closes a question.
	CancelAction(ctx context.Context, p models.Press, now time.Time) (models.Decision, error)
	// RefuseCommand records a command that nobody may give in that way.
	RefuseCommand(ctx context.Context, a models.AdminAction, now time.Time) error
}

// PlayerRecords are what admins read of players.
type PlayerRecords interface {
	// FindPlayer finds a player by number, Telegram's number or @username.
	FindPlayer(ctx context.Context, who string) (models.Player, error)
	// PlayerDetails returns what is known about a player.
	PlayerDetails(ctx context.Context, who string) (models.PlayerDetails, error)
	// InviteReport returns how far those whom a player invited have come, and names at most so many of them who may be one person.
	InviteReport(ctx context.Context, inviter models.PlayerID, most int) (models.InviteReport, error)
}

// MoneyRecords are what admins read of payments and payouts.
type MoneyRecords interface {
	// HeldPayments are the largest payments that are held for an admin, and how many there are in all.
	HeldPayments(ctx context.Context, most int) (largest []models.HeldPayment, all int64, err error)
	// RefundablePayments are the payments that were last marked for refund, and how many there are in all.
	RefundablePayments(ctx context.Context, most int) (newest []models.HeldPayment, all int64, err error)
	// HeldPayment returns one payment that is held for an admin.
	HeldPayment(ctx context.Context, id string) (models.HeldPayment, error)
	// OrderNamed returns the order with that comment.
	OrderNamed(ctx context.Context, comment string) (models.Order, error)
	// OwedTON is the amount still to be paid, by how many payouts.
	OwedTON(ctx context.Context) (amount game.Nanoton, open int64, err error)
	// Payables are the payouts that are still to be paid.
	Payables(ctx context.Context, most int) ([]models.Payable, error)
	// Payable returns one payout, open or not.
	Payable(ctx context.Context, id string) (models.Payable, error)
}

// TournamentRecords are what admins read of tournaments.
type TournamentRecords interface {
	// TournamentStatuses are the latest tournaments, newest first.
	TournamentStatuses(ctx context.Context, most int) ([]models.TournamentStatus, error)
	// TournamentToAward returns the tournament that has been waiting longest for its prizes.
	TournamentToAward(ctx context.Context) (t models.AwardWaiting, ok bool, err error)
	// Winners are the best of those who win something in a tournament.
	Winners(ctx context.Context, tournament int64, most int) ([]models.Winner, error)
	// RoundTheClock returns the winners who played in more hours of a day than a person is awake.
	RoundTheClock(ctx context.Context, t models.Tournament) ([]models.PlayerID, error)
}

// Records are what else admins read.
type Records interface {
	// Figures returns the game in numbers.
	Figures(ctx context.Context, now time.Time) (models.Figures, error)
	// Days returns what happened today and on the days before.
	Days(ctx context.Context, now time.Time, days int) (models.Days, error)
	// RaisedAlarms are the alarms that have not ended.
	RaisedAlarms(ctx context.Context) ([]models.AlarmReading, error)
	// PermanentTasks lists the tasks that admins have added.
	PermanentTasks(ctx context.Context) ([]models.PermanentTask, error)
	// Audit lists the newest actions of admins.
	Audit(ctx context.Context, most int) ([]models.AdminAction, error)
	// RefusedAttempts lists what was refused at once, the newest first, and counts what was since a time.
	RefusedAttempts(ctx context.Context, most int, since time.Time) (newest []models.AdminAction, count int64, err error)
}

// GameSettings are what admins have set, and everybody sees.
type GameSettings interface {
	// RuntimeSettings returns the current runtime settings.
	RuntimeSettings(ctx context.Context, now time.Time) models.RuntimeSettings
	// InMaintenance reports whether the game is closed.
	InMaintenance(ctx context.Context, now time.Time) bool
}

// Store is what the bot needs of the database.
type Store interface {
	Inbox
	UpdateResults
	People
	Outbox
	Broadcasts
	MessageResults
	Silence
	AdminActions
	PlayerRecords
	MoneyRecords
	TournamentRecords
	Records
	GameSettings
}

const (
	callTimeout = 10 * time.Second // for a call to Telegram (decision 0004: limits)
	pollSeconds = 25               // how long Telegram may hold an empty getUpdates back
	pollTimeout = pollSeconds*time.Second + callTimeout
)

// Bot is the Telegram side of the game. Run does its work; Webhook receives updates.
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
	away     atomic.Bool   // whether the inbox could not be read at the last try

	outboxAway atomic.Bool // the same of the outbox
}

// New makes a bot without calling Telegram, so that the program starts while Telegram is down.
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

// Username returns the bot's name without @, empty until Telegram has told it.
func (b *Bot) Username() string {
	if name := b.username.Load(); name != nil {
		return *name
	}
	return ""
}

// Run sets the bot up at Telegram, polls for updates unless there is a webhook, answers the inbox and sends the outbox, until ctx
// ends. Telegram and the database may come and go: it returns no error.
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

// wait sleeps, unless ctx ends first.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// backoff is the wait before the next request to Telegram: what Telegram asks for, else doubled each time.
type backoff struct{ next time.Duration }

const (
	firstPause = 500 * time.Millisecond
	longPause  = 30 * time.Second
)

// after returns the wait after an error.
func (b *backoff) after(err error) time.Duration {
	var tooMany *telegram.TooManyRequestsError
	if errors.As(err, &tooMany) {
		return max(time.Duration(tooMany.RetryAfter)*time.Second, firstPause)
	}
	pause := max(b.next, firstPause)
	b.next = min(2*pause, longPause)
	return pause
}

// short returns an error's text without the page that a server may have sent along.
func short(err error) string {
	const most = 300
	text := err.Error()
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…" // the cut may be within a letter
	}
	return text
}
