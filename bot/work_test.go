package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestRepeatedUpdateIsHandledOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		p := ann()
		for range 3 {
			s.deliver(p.writes(1, "/play"))
		}
		s.ended(1)
		s.deliver(p.writes(1, "/play"))
		s.deliver(p.writes(2, "/help"))
		s.ended(2)
		if said := s.telegram.said(); len(said) != 2 {
			t.Errorf("two updates got %+v", said)
		}
	})
}

func panickingAddress(settings *bot.Settings) {
	settings.AdminIDs = []int64{modelstest.Admin}
	settings.ShownAddress = func(string) string { panic("what address?") }
}

func TestPanicOrOutageIsAFailedAttemptOfFive(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Held(t, store)
		s := atDesk(t, store, panickingAddress)
		s.telegram.on("sendMessage", always(unavailable))
		s.deliver(ann().writes(1, "/play"))
		s.deliver(person{modelstest.Admin, "Ann", "en"}.writes(2, "/match"))
		for id, why := range []string{"503", "what address?"} {
			s.until("the try has failed", func() bool {
				u, err := store.Outbox.BotUpdate(t.Context(), int64(id+1))
				return err == nil && u.State == models.UpdateWaiting && u.Tries == 1 && strings.Contains(u.LastError, why)
			})
		}
		s.deliver(ann().presses(3, "lang:ru")) // another chat is not blocked
		s.ended(3)
		s.until("it is dead", func() bool {
			s.step(5 * time.Minute)
			u, err := store.Outbox.BotUpdate(t.Context(), 1)
			return err == nil && u.State == models.UpdateDead && u.Tries == 5
		})
	})
}

// An unknown kind or a malformed update does not delay the next one of its chat.
func TestUnknownUpdateKindsBlockNoOthers(t *testing.T) {
	var (
		chat    = `"message_id":5,"date":1,"chat":{"id":11,"type":"private"},"from":{"id":11,"first_name":"Ann"}`
		admins  = `"message_id":5,"date":1,"chat":{"id":` + fmt.Sprint(modelstest.Admin) + `,"type":"private"},"from":{"id":` + fmt.Sprint(modelstest.Admin) + `,"first_name":"Adam"}`
		unknown = `"forward_origin":{"type":"teleported"}`
	)
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f, clock := newTelegram(t), modelstest.NewClock()
		settings := hooked(f)
		settings.AdminIDs = []int64{modelstest.Admin}
		b := idleBot(t, store, settings, clock)
		id := int64(0)
		for _, c := range []struct {
			update  string
			answers int // with that of the /help after it
		}{
			{`"message":{` + chat + `,"text":"hi",` + unknown + `}`, 2},
			{`"message":{` + chat + `,"text":"/start","reply_to_message":{` + chat + `,` + unknown + `}}`, 2},
			{`"message":{` + chat + `,"text":"/start","external_reply":{"origin":{"type":"teleported"}}}`, 2},
			{`"message":{` + chat + `,"paid_media":{"star_count":1,"paid_media":[{"type":"hologram"}]}}`, 1},
			{`"message":{` + chat + `,"chat_background_set":{"type":{"type":"smell"}}}`, 1},
			{`"chat_boost":{"chat":{"id":11},"boost":{"source":{"type":"teleported"}}}`, 1},
			{`"message_reaction":{"chat":{"id":11},"new_reaction":[{"type":"smell"}]}`, 1},
			{`"my_chat_member":{"chat":{"id":11,"type":"private"},"from":{"id":11},"date":1,"old_chat_member":{"status":"ghost"},"new_chat_member":{"status":"ghost"}}`, 1},
			{`"callback_query":{"id":"1","from":{"id":11},"data":"x","message":{` + chat + `,` + unknown + `}}`, 2},
			{`"message":{"text":7,"chat":{"id":11}}`, 1},
			{`"message":[]`, 1},
			{`"message":{"message_id":5,"chat":{"id":11,"type":"private"},"from":"Ann","text":"/start"}`, 1},
			{`"message":{` + chat + `,"text":"/start a\u0000b"}`, 2},
			{`"message":{` + admins + `,"text":"/stats",` + unknown + `}`, 1}, // an admin's command stays refused, whatever its origin
			{`"message":{` + admins + `,"text":"/stats","via_bot":{"id":9,"new":[]}}`, 1},
		} {
			clock.Step(time.Minute)
			before := len(f.said())
			post(b.Webhook(), fmt.Sprintf(`{"update_id":%d,%s}`, id+1, c.update), secret)
			post(b.Webhook(), person{11, "Ann", "en"}.writes(id+2, "/help"), secret)
			for b.WorkOnce(t.Context()) {
			}
			for range 2 {
				id++
				if u, err := store.Outbox.BotUpdate(t.Context(), id); err != nil || u.State != models.UpdateDone || u.LastError != "" {
					t.Errorf("%s: %+v, %v", c.update, u, err)
				}
			}
			if said := f.said()[before:]; len(said) != c.answers {
				t.Errorf("%s: %d answers: %+v", c.update, len(said), said)
			}
		}
	})
}

func TestFinalRefusalEndsUpdate(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		f.on("sendMessage", firstly(blocked, badRequest))
		s := begin(t, f, store, hooked)
		for id := range int64(2) {
			s.deliver(ann().writes(id+1, "/play"))
			if u := s.ended(id + 1); u.State != models.UpdateDone || u.Tries != 1 {
				t.Errorf("update %d ended as %+v", id+1, u)
			}
		}
		if said := f.said(); len(said) != 2 {
			t.Errorf("said %+v", said)
		}
	})
}

func TestBotStartsDuringTelegramOutage(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		ready := f.replies["getMe"]
		f.on("getMe", always(badGateway))
		f.on("getUpdates", always(unavailable))
		f.push(1, ann().writes(1, "/play@GameBot"))
		s := begin(t, f, store, polling)
		s.until("it has asked in vain", func() bool { return len(f.made("getMe")) > 0 && len(f.made("getUpdates")) > 0 })
		if s.bot.Username() != "" {
			t.Errorf("it is called %q", s.bot.Username())
		}

		f.on("getMe", ready)
		s.until("it knows its name", func() bool { return s.bot.Username() == "GameBot" })
		f.on("getUpdates", always(usual))
		s.ended(1)
		if said := f.made("sendMessage"); len(said) != 1 || !strings.Contains(said[0].fields["text"], "Your bag") {
			t.Errorf("said %+v", said)
		}
	})
}

func TestSetUpConfiguresTelegram(t *testing.T) {
	for name, c := range map[string]struct {
		inflow         func(*fakeTelegram) bot.Settings
		method, fields string // of the last call
	}{
		"polling": {polling, "deleteWebhook", "map[]"},
		"webhook": {hooked, "setWebhook", `map[allowed_updates:["message","callback_query","my_chat_member","pre_checkout_query"] secret_token:` + secret + ` url:https://game.example/hook]`},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTelegram(t)
			f.on(c.method, firstly(badRequest, tooMany(1)))
			f.on("setMyCommands", firstly(badRequest)) // optional
			s := begin(t, f, modelstest.Store(t, "sqlite"), c.inflow)
			s.until("the menu button is set", func() bool { return len(f.made("setChatMenuButton")) == 1 })
			if asked := f.made("setWebhook", "deleteWebhook"); len(asked) != 3 || asked[2].method != c.method || fmt.Sprint(asked[2].fields) != c.fields {
				t.Errorf("asked %+v", asked)
			}
			lists := f.made("setMyCommands")
			for i, want := range []struct{ language, words string }{{"", `"Open the game"`}, {"ru", `"Открыть игру"`}} {
				if len(lists) != 2 || lists[i].fields["language_code"] != want.language || !strings.Contains(lists[i].fields["commands"], want.words) {
					t.Errorf("commands %+v", lists)
				}
			}
			menu := f.made("setChatMenuButton")[0].fields["menu_button"]
			if menu != `{"type":"web_app","text":"Play","web_app":{"url":"`+game+`"}}` {
				t.Errorf("the menu button is %s", menu)
			}
		})
	}
}
