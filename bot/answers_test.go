package bot_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

func TestStartGreetsAndOpensGame(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		friend, guest := modelstest.Player(t, store), ann()
		greets := func(who person, text, name, opens string) {
			t.Helper()
			said := s.hears(who, text)
			if len(said) != 1 || said[0].method != "sendPhoto" || !bytes.HasPrefix(said[0].file, []byte("\x89PNG")) || said[0].button(t) != opens || !strings.Contains(said[0].fields["caption"], name) {
				t.Errorf("%q got %+v", text, said)
			}
		}
		greets(guest, "/start "+friend.ReferralCode, "Ann", game+"?start="+friend.ReferralCode)
		for _, text := range []string{"/start", "/start ", "/start a b", "/start <b>", "/start ../x", "/start " + strings.Repeat("a", 65)} {
			greets(ann(), text, "Ann", game)
		}
		greets(person{modelstest.TelegramID(), "", "ru"}, "/start", "Здравствуйте, друг!", game)
		s.telegram.on("sendPhoto", always(badRequest))
		if said := s.hears(ann(), "/start abc"); len(said) != 2 || said[1].method != "sendMessage" || said[1].button(t) != game+"?start=abc" {
			t.Errorf("without its picture the greeting is %+v", said)
		}
		player := modelstest.SignIn(t, store, players.LaunchUser{TelegramID: guest.id, FirstName: "Ann"}, modelstest.Noon)
		if player.ReferrerID == nil || *player.ReferrerID != friend.ID {
			t.Errorf("the guest came by %v", player.ReferrerID)
		}
	})
}

func TestEveryCommandIsHandled(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		s.until("the bot knows its name", func() bool { return s.bot.Username() == "GameBot" })
		for _, c := range []struct{ text, says, opens string }{
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
			if said := s.hears(ann(), c.text); len(said) != 1 || !strings.Contains(said[0].fields["text"], c.says) || said[0].button(t) != c.opens {
				t.Errorf("%q: said %+v", c.text, said)
			}
		}
	})
}

func TestUnnamedBotAcceptsCommandsToAnyBot(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		f.on("getMe", always(wrongToken))
		s := begin(t, f, store, hooked)
		for _, text := range []string{"/play@GameBot", "/play@", "/play"} {
			if said := s.hears(ann(), text); len(said) != 1 || !strings.Contains(said[0].fields["text"], "Your bag") || s.bot.Username() != "" {
				t.Errorf("said %+v as %q", said, s.bot.Username())
			}
		}
	})
}

func TestGroupsChannelsAndNoticesGetNoReply(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		p := ann()
		for _, update := range []func(id int64) string{
			func(id int64) string { return p.writesIn(id, "group", -5, "/start abc") },
			func(id int64) string { return p.writesIn(id, "supergroup", -6, "/help") },
			func(id int64) string { return p.writesIn(id, "channel", -7, "hello") },
			func(id int64) string { return p.writes(id, "") },
			func(id int64) string { return p.becomes(id, "kicked") },
			func(id int64) string {
				return fmt.Sprintf(`{"update_id":%d,"message":{"message_id":1,"date":1,"chat":{"id":5,"type":"private"},"text":"/start"}}`, id)
			},
			func(id int64) string { return fmt.Sprintf(`{"update_id":%d}`, id) },
		} {
			if said := s.sends(update); len(said) != 0 {
				t.Errorf("%s: said %+v", update(0), said)
			}
		}
	})
}

func TestChosenLanguageIsStored(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		p := ann()
		s.hears(p, "/play")
		s.sends(func(id int64) string { return p.presses(id, "lang:ru") })
		s.hears(p, "/play")
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
	})
}

func TestUnknownAndOldButtonsAreOnlyAcknowledged(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		p := ann()
		for _, data := range []string{"", "lang:", "lang:de", "confirm", "nothing:1"} {
			said := s.sends(func(id int64) string { return p.presses(id, data) })
			if len(said) != 1 || said[0].method != "answerCallbackQuery" || said[0].fields["text"] != "" || said[0].fields["callback_query_id"] != "77" {
				t.Errorf("%q got %+v", data, said)
			}
		}
		s.sends(func(id int64) string { // without its message
			return inJSON(map[string]any{"update_id": id, "callback_query": map[string]any{
				"id": "78", "data": "lang:ru", "from": map[string]any{"id": p.id, "first_name": "Ann"},
			}})
		})
		if language, err := store.Outbox.LanguageOf(t.Context(), p.id, "en"); err != nil || language != models.Russian {
			t.Errorf("the language is %q, %v", language, err)
		}
	})
}

func TestNamesAreEscaped(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		for _, c := range []struct{ name, arrives string }{
			{`<b>Bob</b>`, `&lt;b&gt;Bob&lt;/b&gt;`},
			{`<a href="tg://user?id=1">x</a>`, "&lt;a href=&#34;tg:\u2060//user?id=1&#34;&gt;x&lt;/a&gt;"},
			{`&lt;i&gt;`, `&amp;lt;i&amp;gt;`},
			{"100%s %d", "100%s %d"},
			{"a\n\nb", "a b"},
			{`</b><script>alert(1)</script>`, `&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;`},
			{`"><img src=x onerror='alert(1)'>`, `&#34;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;`},
			{"[x](tg://user?id=1) *b* `c`", "[x](tg:\u2060//user?id=1) *b* `c`"},
			{"Win at evil.example", "Win at evil.\u2060example"},
			{"t.me/evil @evil_bot", "t.\u2060me/evil @\u2060evil_bot"},
			{"&#60;b&#62;", "&amp;#60;b&amp;#62;"},
			{"\u3164", "friend"},
			{"\u2800\u200b \u0301", "friend"},
		} {
			said := s.hears(person{modelstest.TelegramID(), c.name, "en"}, "/start")
			if len(said) != 1 {
				t.Fatalf("%q got %+v", c.name, said)
			}
			if caption := said[0].fields["caption"]; !strings.Contains(caption, "<b>Hello, "+c.arrives+"!</b>") || said[0].fields["parse_mode"] != "HTML" {
				t.Errorf("%q arrives as %q", c.name, caption)
			}
		}
	})
}
