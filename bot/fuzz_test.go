package bot_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/modelstest"
)

// Any update is stored or refused, nothing panics, and no admin action is executed for others.
func FuzzUpdate(f *testing.F) {
	const message = `"message":{"message_id":1,"date":1,"chat":{"id":5,"type":"private"},"from":{"id":%d,"first_name":"Ann"},"text":%q}`
	for _, text := range []string{
		"/start", "/start abc", "/help", "/ban 1 x", "/task add exchange_join https://a.example A | Б", "/settings wheel off", "/match 1 MC-ABCDE23456",
		"/payouts sent 1 ff", "/tournament new 2026-12-01", "/broadcast <b>", "/player @ann", "/friends 1", "/audit 5", "/@", "/", "hello",
	} {
		f.Add(fmt.Sprintf(message, 5, text))
		f.Add(fmt.Sprintf(message, modelstest.Admin, text))
	}
	const press = `"callback_query":{"id":"1","from":{"id":5,"first_name":"Ann"},"data":%q,"message":{"message_id":1,"date":0,"chat":{"id":5,"type":"private"}}}`
	for _, data := range []string{"", "confirm:0123456789abcdef", "cancel:", "lang:ru", "::", "\x00"} {
		f.Add(fmt.Sprintf(press, data))
	}
	f.Add(`"my_chat_member":{"chat":{"id":5,"type":"private"},"from":{"id":5},"date":1,"old_chat_member":{"status":"member","user":{"id":7}},"new_chat_member":{"status":"kicked","user":{"id":7}}}`)
	f.Add(`"message":[]`)
	f.Add(`"message":{"chat":null,"from":null}`)

	store, telegram, clock := modelstest.Store(f, "sqlite"), newTelegram(f), modelstest.NewClock()
	settings := hooked(telegram)
	settings.AdminIDs = []int64{modelstest.Admin}
	b := modelstest.Must(bot.New(settings, store, clock.Now, slog.New(slog.DiscardHandler)))(f)
	number := int64(0)
	f.Fuzz(func(t *testing.T, rest string) {
		number++
		body := fmt.Sprintf(`{"update_id":%d,%s}`, number, rest)
		switch status := post(b.Webhook(), body, secret); {
		case status != http.StatusOK && (json.Valid([]byte(body)) || status >= http.StatusInternalServerError):
			t.Fatalf("%s is answered %d", body, status)
		case status != http.StatusOK:
			return
		}
		for looks := 0; b.WorkOnce(t.Context()); looks++ {
			if clock.Step(1); looks > 10 {
				t.Fatalf("%s is worked on without end", body)
			}
		}
		if kept, err := store.Outbox.BotUpdate(t.Context(), number); err == nil && strings.Contains(kept.LastError, "panic") {
			t.Errorf("%s: %s", body, kept.LastError)
		}
		for _, a := range modelstest.Audit(t, store) {
			if a.AdminID != modelstest.Admin && a.State != models.ActionRefused {
				t.Errorf("%s let somebody ask for %+v", body, a)
			}
		}
	})
}
