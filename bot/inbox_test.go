package bot_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"mcbk/bot"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// idleBot does not run: updates stay in the inbox.
func idleBot(t *testing.T, store *store.Store, settings bot.Settings, clock *modelstest.Clock) *bot.Bot {
	t.Helper()
	b := modelstest.Must(bot.New(settings, store, clock.Now, slog.New(slog.DiscardHandler)))(t)
	t.Cleanup(settings.HTTPClient.CloseIdleConnections)
	return b
}

func idleWebhook(t *testing.T, store *store.Store, settings bot.Settings) http.Handler {
	t.Helper()
	return idleBot(t, store, settings, modelstest.NewClock()).Webhook()
}

func TestWebhookAcceptsOnlyTelegramsUpdates(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		webhook := idleWebhook(t, store, hooked(newTelegram(t)))
		good := ann().writes(1, "/start")
		for _, c := range []struct {
			name, body, token string
			status            int
		}{
			{"wrong secret", good, "s3creT", 401},
			{"longer secret", good, secret + secret, 401},
			{"no secret", good, "", 401},
			{"oversize", ann().writes(2, strings.Repeat("a", 1<<20)), secret, 413},
			{"broken", `{"update_id":3,`, secret, 200},
			{"not an object", `[4]`, secret, 200},
			{"empty", ``, secret, 200},
			{"no number", `{"message":{}}`, secret, 200},
			{"negative number", `{"update_id":-1}`, secret, 200},
			{"huge number", `{"update_id":1e400}`, secret, 200},
		} {
			if status := post(webhook, c.body, c.token); status != c.status {
				t.Errorf("%s: %d, want %d", c.name, status, c.status)
			}
			if taken, err := store.Outbox.TakeUpdate(t.Context(), modelstest.Noon); err != nil || taken != nil {
				t.Errorf("%s: kept %+v, %v", c.name, taken, err)
			}
		}
		for range 2 {
			if status := post(webhook, good, secret); status != 200 {
				t.Errorf("a good update: %d", status)
			}
		}
		if u, err := store.Outbox.BotUpdate(t.Context(), 1); err != nil || string(u.Body) != good {
			t.Errorf("kept %+v, %v", u, err)
		}
	})
}

func TestUpdateIsStoredWithItsChat(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		webhook := idleWebhook(t, store, hooked(newTelegram(t)))
		for body, chat := range map[string]int64{
			`{"update_id":1,"message":{"chat":{"id":-7}}}`:                                           -7,
			`{"update_id":2,"callback_query":{"from":{"id":8},"message":{"chat":{"id":9}}}}`:         9,
			`{"update_id":3,"callback_query":{"from":{"id":8}}}`:                                     8,
			`{"update_id":4,"my_chat_member":{"chat":{"id":10},"from":{"id":8}}}`:                    10,
			`{"update_id":5,"poll":{"id":"1"}}`:                                                      0,
			`{"update_id":6,"message":{"text":7,"chat":{"id":11}}}`:                                  11,
			`{"update_id":7,"message":"what","callback_query":[]}`:                                   0,
			`{"update_id":8,"message":{"chat":{"id":"12"}},"callback_query":{"from":{"id":13}}}`:     13,
			`{"update_id":9,"message":{"text":"` + strings.Repeat("я", 4096) + `","chat":{"id":1}}}`: 1,
		} {
			if status := post(webhook, body, secret); status != 200 {
				t.Errorf("%.60s: %d", body, status)
			}
			taken, err := store.Outbox.TakeUpdate(t.Context(), modelstest.Noon)
			if err != nil || taken == nil || taken.ChatID != chat {
				t.Errorf("%.60s: %+v, %v", body, taken, err)
			}
		}
	})
}

func TestUnavailableDatabaseMakesTelegramRetry(t *testing.T) {
	f, away := newTelegram(t), modelstest.Store(t, "sqlite")
	modelstest.NoError(t, away.Close())
	if status := post(idleWebhook(t, away, hooked(f)), ann().writes(1, "/start"), secret); status != 503 {
		t.Errorf("answered %d", status)
	}
	f.push(1, ann().writes(1, "/start"))
	s := begin(t, f, away, polling)
	s.until("the poller asks again", func() bool { return len(f.made("getUpdates")) >= 2 })
	if offset := f.offset(); offset != "" {
		t.Errorf("asked from %s on", offset)
	}
}

func TestWebhookWithoutSecretRefusesUpdates(t *testing.T) {
	webhook := idleWebhook(t, new(store.Store), polling(newTelegram(t)))
	for _, token := range []string{"", secret} {
		if status := post(webhook, ann().writes(1, "/start"), token); status != 401 {
			t.Errorf("%q: %d", token, status)
		}
	}
}

func TestIncompleteSettingsAreRefused(t *testing.T) {
	whole := bot.Settings{Token: "1:abc", ServerURL: "https://api", WebAppURL: game, WebhookURL: "https://hook", WebhookSecret: secret}
	for name, spoil := range map[string]func(*bot.Settings){
		"no token":      func(s *bot.Settings) { s.Token = "" },
		"no server":     func(s *bot.Settings) { s.ServerURL = "" },
		"no web app":    func(s *bot.Settings) { s.WebAppURL = "" },
		"no secret":     func(s *bot.Settings) { s.WebhookSecret = "" },
		"no webhook":    func(s *bot.Settings) { s.WebhookURL = "" },
		"nothing wrong": func(*bot.Settings) {},
	} {
		settings := whole
		spoil(&settings)
		_, err := bot.New(settings, new(store.Store), modelstest.NewClock().Now, slog.New(slog.DiscardHandler))
		if refused := err != nil; refused != (name != "nothing wrong") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUpdateIsStoredBeforeConfirmation(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		p := ann()
		for i, text := range []string{"/start abc", "/play", "/help"} {
			f.push(int64(i+1), p.writes(int64(i+1), text))
		}
		var confirmed error // by a request from offset 4, before it was kept
		f.on("getUpdates", func(c call) reply {
			if c.fields["offset"] != "4" {
				return usual
			}
			for id := range int64(3) {
				_, err := store.Outbox.BotUpdate(t.Context(), id+1)
				confirmed = errors.Join(confirmed, err)
			}
			return badGateway // and the connection is lost
		})
		first := begin(t, f, store, polling)
		first.until("the poller asks for more", func() bool { return len(f.made("getUpdates")) >= 2 })
		first.stop()
		f.on("getUpdates", always(usual)) // no request is at the one before any more
		modelstest.NoError(t, confirmed)

		second := begin(t, f, store, polling) // gets the same three again
		for id := range int64(3) {
			second.ended(id + 1)
		}
		second.until("all three are confirmed", func() bool { return f.offset() == "4" })
		if said := f.said(); len(said) != 3 {
			t.Errorf("three updates got %d answers: %+v", len(said), said)
		}
	})
}

func TestPollerSurvivesAnyResponseAndUpdate(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		conflict := reply{409, `{"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request"}`}
		f.on("getUpdates", firstly(conflict, badGateway))
		f.push(999, `{"update_id":"one"}`)
		s := begin(t, f, store, polling)
		for _, id := range []int64{1000, 5} { // after a week without updates Telegram numbers them anew
			f.push(id, ann().writes(id, "/play"))
			s.ended(id)
			s.until("it is confirmed", func() bool { return f.offset() == fmt.Sprint(id+1) })
		}
		asked := f.made("getUpdates")
		if said := f.said(); len(said) != 2 || len(asked) > 12 {
			t.Errorf("asked %d times, said %+v", len(asked), said)
		}
		if first := asked[0].fields; first["timeout"] != "25" || first["allowed_updates"] != `["message","callback_query","my_chat_member","pre_checkout_query"]` {
			t.Errorf("asked %v", first)
		}
	})
}

func TestPollerWaitsAsAskedAndBetweenEmptyAnswers(t *testing.T) {
	f := newTelegram(t)
	var at []time.Time // guarded by the fake's lock
	f.on("getUpdates", func(call) reply {
		if at = append(at, time.Now()); len(at) == 1 {
			return tooMany(1)
		}
		return reply{200, `{"ok":true,"result":[ ]}`} // without waiting for an update
	})
	s := begin(t, f, modelstest.Store(t, "sqlite"), polling)
	s.until("it has asked four times", func() bool { return len(f.made("getUpdates")) >= 4 })
	s.stop()
	if paused, between := at[1].Sub(at[0]), at[3].Sub(at[1]); paused < time.Second || between < 400*time.Millisecond {
		t.Errorf("asked again after %s, then twice in %s", paused, between)
	}
}
