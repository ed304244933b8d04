package bot_test

import (
	"bytes"
	"strings"
	"testing"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

func TestStartLinkIsSavedAndOpensGame(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		friend, guest := modelstest.Player(t, store), ann()
		s.deliver(guest.writes(1, "/start "+friend.ReferralCode))
		s.ended(1)

		said := s.telegram.said()
		if len(said) != 1 || said[0].method != "sendPhoto" || !bytes.HasPrefix(said[0].file, []byte("\x89PNG")) {
			t.Fatalf("said %+v", said)
		}
		if at := said[0].button(t); at != game+"?start="+friend.ReferralCode {
			t.Errorf("the button opens %q", at)
		}
		if !strings.Contains(said[0].fields["caption"], "Ann") {
			t.Errorf("the greeting is %q", said[0].fields["caption"])
		}
		player, err := store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: guest.id, FirstName: "Ann"}, modelstest.Noon)
		if err != nil || player.ReferrerID == nil || *player.ReferrerID != friend.ID {
			t.Errorf("the guest came by %v, %v", player.ReferrerID, err)
		}
	})
}

func TestStartWithoutValidCodeOpensGame(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		for i, text := range []string{"/start", "/start ", "/start a b", "/start <b>", "/start ../x", "/start " + strings.Repeat("a", 65)} {
			s.deliver(ann().writes(int64(i+1), text))
			s.ended(int64(i + 1))
			said := s.telegram.said()
			if len(said) != i+1 || said[i].method != "sendPhoto" || said[i].button(t) != game {
				t.Errorf("%q got %+v", text, said[i:])
			}
		}
	})
}

func TestGreetingIsSentWithoutRefusedPicture(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		f.on("sendPhoto", always(badRequest))
		s := begin(t, f, store, hooked)
		s.deliver(ann().writes(1, "/start abc"))
		s.ended(1)
		if said := f.made("sendMessage"); len(said) != 1 || said[0].button(t) != game+"?start=abc" {
			t.Errorf("said %+v", said)
		}
	})
}

func TestEveryCommandIsHandled(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		s.until("the bot knows its name", func() bool { return s.bot.Username() == "GameBot" })
		for i, c := range []struct{ text, says, opens string }{
			{"/play", "Your bag", game},
			{"/help", "1,000 taps make one MCBK", game},
			{"/help", "/paysupport", game},
			{"/HELP@gamebot please", "/paysupport", game},
			{"/help\nplease", "/paysupport", game},
			{"/privacy", "seven days", game + "/privacy?source=modal"},
			{"/paysupport", "MC-", game},
			{"/language", "Which language", ""},
			{"/help@OtherBot", "few words", game},
			{"/nothing", "few words", game},
			{"hello /start", "few words", game},
			{"/", "few words", game},
		} {
			id := int64(i + 1)
			s.deliver(ann().writes(id, c.text))
			s.ended(id)
			said := s.telegram.made("sendMessage")
			if len(said) != i+1 {
				t.Fatalf("%q: said %+v", c.text, said)
			}
			if last := said[i]; !strings.Contains(last.fields["text"], c.says) || last.button(t) != c.opens {
				t.Errorf("%q: said %+v", c.text, last)
			}
		}
	})
}

func TestHelpShowsAdminCommandsOnlyToAdmins(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		adam, eve := ann(), ann()
		s := begin(t, newTelegram(t), store, func(f *fakeTelegram) bot.Settings {
			settings := hooked(f)
			settings.AdminIDs = []int64{adam.id}
			return settings
		})
		for i, who := range []person{adam, eve} {
			s.deliver(who.writes(int64(i+1), "/help"))
			s.ended(int64(i + 1))
		}
		said := s.telegram.made("sendMessage")
		if len(said) != 2 || !strings.Contains(said[0].fields["text"], "You are an admin") || strings.Contains(said[1].fields["text"], "admin") {
			t.Errorf("said %+v", said)
		}
	})
}

func TestUnnamedBotAcceptsCommandsToAnyBot(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		f.on("getMe", always(wrongToken))
		s := begin(t, f, store, hooked)
		for i, text := range []string{"/play@GameBot", "/play@", "/play"} {
			s.deliver(ann().writes(int64(i+1), text))
			s.ended(int64(i + 1))
		}
		said := f.made("sendMessage")
		if len(said) != 3 || s.bot.Username() != "" {
			t.Fatalf("said %+v as %q", said, s.bot.Username())
		}
		for i, says := range []string{"Your bag", "Your bag", "Your bag"} {
			if !strings.Contains(said[i].fields["text"], says) {
				t.Errorf("answer %d is %q", i, said[i].fields["text"])
			}
		}
	})
}

func TestGroupsChannelsAndNoticesGetNoReply(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		p := ann()
		for i, body := range []string{
			p.writesIn(1, "group", -5, "/start abc"),
			p.writesIn(2, "supergroup", -6, "/help"),
			p.writesIn(3, "channel", -7, "hello"),
			p.writes(4, ""),
			`{"update_id":5,"message":{"message_id":1,"date":1,"chat":{"id":5,"type":"private"},"text":"/start"}}`,
			`{"update_id":6,"my_chat_member":{"chat":{"id":6,"type":"private"},"from":{"id":6},"date":1,
				"old_chat_member":{"status":"member","user":{"id":1}},"new_chat_member":{"status":"kicked","user":{"id":1},"until_date":0}}}`,
			`{"update_id":7}`,
		} {
			s.deliver(body)
			if u := s.ended(int64(i + 1)); u.State != models.UpdateDone {
				t.Errorf("update %d ended as %+v", i+1, u)
			}
		}
		if said := s.telegram.said(); len(said) != 0 {
			t.Errorf("said %+v", said)
		}
	})
}

func TestChosenLanguageIsStored(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		p := ann()
		s.deliver(p.writes(1, "/play"))
		s.deliver(p.presses(2, "lang:ru"))
		s.deliver(p.writes(3, "/play"))
		s.ended(3)

		said := s.telegram.said()
		if len(said) != 4 {
			t.Fatalf("said %+v", said)
		}
		for i, want := range []struct{ method, text string }{
			{"sendMessage", "Your bag"}, {"answerCallbackQuery", "по-русски"}, {"editMessageText", "по-русски"}, {"sendMessage", "Мешок"},
		} {
			if said[i].method != want.method || !strings.Contains(said[i].fields["text"], want.text) {
				t.Errorf("said %+v, not %+v", said[i], want)
			}
		}
		if edit := said[2].fields; edit["message_id"] != "9" || !strings.Contains(edit["reply_markup"], `"lang:en"`) {
			t.Errorf("edited %+v", edit)
		}
		if language, err := store.Outbox.LanguageOf(t.Context(), p.id, "en"); err != nil || language != models.Russian {
			t.Errorf("the language is %q, %v", language, err)
		}
	})
}

func TestRussianTelegramGetsRussianReply(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		s.deliver(person{modelstest.TelegramID(), "", "ru"}.writes(1, "/start"))
		s.ended(1)
		if said := s.telegram.said(); len(said) != 1 || !strings.Contains(said[0].fields["caption"], "Здравствуйте, друг!") {
			t.Errorf("said %+v", said)
		}
	})
}

func TestUnknownAndOldButtonsAreOnlyAcknowledged(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		p := ann()
		for i, data := range []string{"", "lang:", "lang:de", "confirm", "nothing:1"} {
			s.deliver(p.presses(int64(i+1), data))
			s.ended(int64(i + 1))
			said := s.telegram.said()
			if len(said) != i+1 || said[i].method != "answerCallbackQuery" || said[i].fields["text"] != "" || said[i].fields["callback_query_id"] != "77" {
				t.Errorf("%q got %+v", data, said[i:])
			}
		}
		s.deliver(inJSON(map[string]any{"update_id": 9, "callback_query": map[string]any{
			"id": "78", "data": "lang:ru", "from": map[string]any{"id": p.id, "first_name": "Ann"},
		}}))
		if u := s.ended(9); u.State != models.UpdateDone {
			t.Errorf("a press without its message ended as %+v", u)
		}
		if language, err := store.Outbox.LanguageOf(t.Context(), p.id, "en"); err != nil || language != models.Russian {
			t.Errorf("the language is %q, %v", language, err)
		}
	})
}

func TestNamesAreEscaped(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		for i, c := range []struct{ name, arrives string }{
			{`<b>Bob</b>`, `&lt;b&gt;Bob&lt;/b&gt;`},
			{`<a href="tg://user?id=1">x</a>`, "&lt;a href=&#34;tg:\u2060//user?id=1&#34;&gt;x&lt;/a&gt;"},
			{`&lt;i&gt;`, `&amp;lt;i&amp;gt;`},
			{"100%s %d", "100%s %d"},
			{"a\n\nb", "a b"},
			{`</b><script>alert(1)</script>`, `&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;`},
			{`"><img src=x onerror='alert(1)'>`, `&#34;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;`},
			{`<!--`, `&lt;!--`},
			{`</b`, `&lt;/b`},
			{"[x](tg://user?id=1) *b* `c`", "[x](tg:\u2060//user?id=1) *b* `c`"},
			{"Win at evil.example", "Win at evil.\u2060example"},
			{"t.me/evil @evil_bot", "t.\u2060me/evil @\u2060evil_bot"},
			{"&#60;b&#62;", "&amp;#60;b&amp;#62;"},
			{"\u3164", "friend"},
			{"\u2800\u200b \u0301", "friend"},
		} {
			s.deliver(person{modelstest.TelegramID(), c.name, "en"}.writes(int64(i+1), "/start"))
			s.ended(int64(i + 1))
			said := s.telegram.said()
			if caption := said[i].fields["caption"]; !strings.Contains(caption, "<b>Hello, "+c.arrives+"!</b>") || said[i].fields["parse_mode"] != "HTML" {
				t.Errorf("%q arrives as %q", c.name, caption)
			}
		}
	})
}
