package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	game   = "https://game.example/app"
	secret = "s3cret"
)

// polling and hooked are the two ways updates come.
func polling(f *fakeTelegram) bot.Settings {
	return bot.Settings{
		Token: "1:abc", ServerURL: f.server.URL, WebAppURL: game,
		HTTPClient: &http.Client{Transport: &http.Transport{}},
	}
}

func hooked(f *fakeTelegram) bot.Settings {
	s := polling(f)
	s.WebhookURL, s.WebhookSecret = "https://game.example/hook", secret
	return s
}

type scene struct {
	*testing.T
	telegram *fakeTelegram
	store    *store.Store
	clock    *modelstest.Clock
	bot      *bot.Bot
	stop     func() // ends Run and waits for it
	updates  int64  // that sends has delivered
}

func begin(t *testing.T, f *fakeTelegram, store *store.Store, inflow func(*fakeTelegram) bot.Settings) *scene {
	t.Helper()
	clock := modelstest.NewClock()
	b := modelstest.Must(bot.New(inflow(f), store, clock.Now, slog.New(slog.DiscardHandler)))(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	s := &scene{T: t, telegram: f, store: store, clock: clock, bot: b}
	s.stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("run: %v", err)
			}
		case <-time.After(20 * time.Second):
			t.Error("the bot does not stop")
		}
	})
	t.Cleanup(s.stop)
	return s
}

// post sends an update to the webhook and returns the status.
func post(webhook http.Handler, body, token string) int {
	request := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
	request.Header.Set("X-Telegram-Bot-Api-Secret-Token", token)
	recorder := httptest.NewRecorder()
	webhook.ServeHTTP(recorder, request)
	return recorder.Code
}

// deliver posts an update that must be accepted.
func (s *scene) deliver(body string) {
	s.Helper()
	if status := post(s.bot.Webhook(), body, secret); status != http.StatusOK {
		s.Fatalf("the webhook answered %d", status)
	}
}

func (s *scene) until(what string, holds func() bool) {
	s.Helper()
	deadline := time.After(time.Minute) // with drawing under the race detector, on a busy machine
	for !holds() {
		select {
		case <-deadline:
			s.Fatalf("waited in vain until %s; said: %+v", what, s.telegram.said())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// ended waits until an update is done or dead.
func (s *scene) ended(id int64) models.BotUpdate {
	s.Helper()
	var u models.BotUpdate
	s.until(fmt.Sprintf("update %d is done or dead", id), func() bool {
		u, _ = s.store.Outbox.BotUpdate(s.Context(), id)
		return u.FinishedAt != nil
	})
	return u
}

// sends delivers an update, waits for its end and returns what was sent meanwhile.
func (s *scene) sends(update func(id int64) string) []call {
	s.Helper()
	before := len(s.telegram.said())
	s.updates++
	s.deliver(update(s.updates))
	if u := s.ended(s.updates); u.State != models.UpdateDone {
		s.Errorf("update %d ended as %+v", s.updates, u)
	}
	return s.telegram.said()[before:]
}

// hears is sends for a private message.
func (s *scene) hears(who person, text string) []call {
	s.Helper()
	return s.sends(func(id int64) string { return who.writes(id, text) })
}

// step advances the clock and wakes the workers.
func (s *scene) step(d time.Duration) {
	s.clock.Step(d)
	s.bot.Wake()
}

type person struct {
	id       int64
	name     string
	language string
}

func ann() person { return person{modelstest.TelegramID(), "Ann", "en"} }

func (p person) chat() string { return strconv.FormatInt(p.id, 10) }

func (p person) writes(update int64, text string) string {
	return p.writesIn(update, "private", p.id, text)
}

func (p person) writesIn(update int64, kind string, chat int64, text string) string {
	return p.message(update, kind, chat, "text", text)
}

func (p person) message(update int64, kind string, chat int64, what string, content any) string {
	return inJSON(map[string]any{"update_id": update, "message": map[string]any{
		"message_id": 5, "date": 1, what: content,
		"from": map[string]any{"id": p.id, "first_name": p.name, "language_code": p.language},
		"chat": map[string]any{"id": chat, "type": kind},
	}})
}

// allowsWriting is the notice that the mini-app's request to write was granted.
func (p person) allowsWriting(update int64) string {
	return p.message(update, "private", p.id, "write_access_allowed", map[string]any{"from_request": true})
}

func (p person) presses(update int64, data string) string {
	return inJSON(map[string]any{"update_id": update, "callback_query": map[string]any{
		"id": "77", "data": data, "from": map[string]any{"id": p.id, "first_name": p.name, "language_code": p.language},
		"message": map[string]any{"message_id": 9, "date": 1, "chat": map[string]any{"id": p.id, "type": "private"}},
	}})
}

// becomes is Telegram's notice of a block (kicked) or unblock (member).
func (p person) becomes(update int64, status string) string {
	return inJSON(map[string]any{"update_id": update, "my_chat_member": map[string]any{
		"date": 1, "from": map[string]any{"id": p.id}, "chat": map[string]any{"id": p.id, "type": "private"},
		"old_chat_member": map[string]any{"status": "left", "user": map[string]any{"id": 1}},
		"new_chat_member": map[string]any{"status": status, "user": map[string]any{"id": 1}, "until_date": 0},
	}})
}

func inJSON(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(body)
}
