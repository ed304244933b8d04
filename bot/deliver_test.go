package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/store"
)

// office is an idle bot with a clock.
type office struct {
	*testing.T
	telegram *fakeTelegram
	store    *store.Store
	clock    *modelstest.Clock
	bot      *bot.Bot
}

func openOffice(t *testing.T, store *store.Store, change ...func(*bot.Settings)) *office {
	t.Helper()
	f, clock := newTelegram(t), modelstest.NewClock()
	settings := hooked(f)
	for _, c := range change {
		c(&settings)
	}
	return &office{t, f, store, clock, idleBot(t, store, settings, clock)}
}

// notice queues a text for a new recipient and returns the message.
func (o *office) notice(text string) (key string, chat int64) {
	o.Helper()
	chat = modelstest.TelegramID()
	modelstest.NoError(o, o.store.Outbox.NoticeAdmins(o.Context(), "test", text, models.UrgencyPersonal, []int64{chat}, o.clock.Now()))
	return fmt.Sprint("admin:test:", chat), chat
}

// delivers advances a second and sends due messages.
func (o *office) delivers() {
	o.Helper()
	o.clock.Step(time.Second)
	if pause := o.bot.DeliverOnce(o.Context()); pause < 0 || pause > time.Minute {
		o.Errorf("the next look is in %s", pause)
	}
}

func (o *office) message(key string) models.Message {
	o.Helper()
	return modelstest.StoredMessage(o.T, o.store, key)
}

func (o *office) broadcasts(b models.Broadcast) {
	o.Helper()
	b.AuthorID = 5
	draft := modelstest.Must(o.store.Outbox.DraftBroadcast(o.Context(), b, o.clock.Now()))(o)
	modelstest.Confirmed(o, o.store, models.PendingAction{Admin: b.AuthorID, Action: outbox.ActionBroadcast, Args: []string{fmt.Sprint(draft.ID)}}, o.clock.Now())
	for o.bot.FanOnce(o.Context()) {
	}
}

// wantNoDead checks that nothing alarms the admins.
func (o *office) wantNoDead() {
	o.Helper()
	if dead, err := o.store.Alarms.DeadMessages(o.Context(), o.clock.Now().Add(-time.Hour)); dead != 0 || err != nil {
		o.Errorf("%d count as dead, %v", dead, err)
	}
}

func TestNoticesUseRecipientsLanguage(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o, m := openOffice(t, store), modelstest.NewMarket(t, store)
		player := modelstest.Player(t, store)
		modelstest.ProveWallet(t, store, player, "0:payer", modelstest.Noon)
		joins := func(name string) func() {
			return func() {
				modelstest.SignIn(t, store, players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: name, StartParam: player.ReferralCode}, modelstest.Noon)
			}
		}
		pays := func() {
			m.Pay(1_500_000_000, "", o.clock.Now())
			m.Record(t, o.clock.Now())
		}
		for _, c := range []struct {
			language string
			happens  func()
			says     string
		}{
			{models.English, joins(`<a href="x">Bob</a> & Co`), `<b>&lt;a href=&#34;x&#34;&gt;Bob&lt;/a&gt; &amp; Co</b> has joined the game`},
			{models.Russian, joins("Bob\n\nBot"), "<b>Bob Bot</b> теперь в игре"},
			{models.English, joins("Free TON: t.me/evil"), "<b>Free TON: t.\u2060me/evil</b> has joined"},
			{models.Russian, joins(" "), "<b>Ваш друг</b> теперь"},
			{models.English, pays, "<b>1.5 TON</b> has come from your wallet without an order's comment"},
			{models.Russian, pays, "пришло <b>1,5 TON</b> без комментария заказа"},
		} {
			modelstest.NoError(t, store.Outbox.ChooseLanguage(t.Context(), player.TelegramID, c.language, modelstest.Noon))
			before := len(o.telegram.said())
			c.happens()
			o.delivers()
			said := o.telegram.said()[before:]
			if len(said) != 1 || said[0].fields["chat_id"] != fmt.Sprint(player.TelegramID) || said[0].fields["parse_mode"] != "HTML" || !strings.Contains(said[0].fields["text"], c.says) {
				t.Fatalf("said %+v, not %q", said, c.says)
			}
			if said[0].button(t) != game {
				t.Errorf("%q opens %s", c.says, said[0].button(t))
			}
		}
	})
}

// Telegram reports unreachable recipients by 400 as well as by 403, in many words.
func TestUnreachableRecipientIsBlockedWithoutAlarm(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		for i, description := range []string{
			"USER_IS_BLOCKED", "PEER_ID_INVALID", "user not found", "chat not found", "INPUT_USER_DEACTIVATED", "user is deactivated", "bot was blocked by the user",
			"CHAT_WRITE_FORBIDDEN", "have no rights to send a message", "USER_PRIVACY_RESTRICTED", "YOU_BLOCKED_USER", "ALLOW_PAYMENT_REQUIRED",
			"bot can't initiate conversation with a user",
		} {
			o.telegram.on("sendMessage", always(reply{400, `{"ok":false,"error_code":400,"description":"Bad Request: ` + description + `"}`}))
			modelstest.Player(t, store)
			for range 2 { // the second is skipped
				o.broadcasts(models.Broadcast{Text: "hello"})
				for range 3 {
					o.delivers()
				}
			}
			if sent := o.telegram.made("sendMessage"); len(sent) != i+1 {
				t.Fatalf("%s: %d tries of %d players", description, len(sent), i+1)
			}
		}
		o.wantNoDead()
	})
}

func TestBroadcastIsSentVerbatim(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		player := modelstest.Player(t, store)
		o.broadcasts(models.Broadcast{Text: "<b>1 < 2</b> & more"})
		o.delivers()
		o.broadcasts(models.Broadcast{SourceChatID: 5, SourceMessageID: 77})
		o.delivers()
		said := o.telegram.said()
		if len(said) != 2 || said[0].fields["text"] != "&lt;b&gt;1 &lt; 2&lt;/b&gt; &amp; more" || said[0].button(t) != game {
			t.Fatalf("said %+v", said)
		}
		copied := said[1]
		if copied.method != "copyMessage" || copied.fields["from_chat_id"] != "5" || copied.fields["message_id"] != "77" ||
			copied.fields["chat_id"] != fmt.Sprint(player.TelegramID) || copied.button(t) != game {
			t.Errorf("copied %+v", copied)
		}
	})
}

func TestDeletedOriginalStopsBroadcastAndNotifiesAdmins(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		admins := []int64{modelstest.TelegramID(), modelstest.TelegramID()}
		o := openOffice(t, store, func(s *bot.Settings) { s.AdminIDs = admins })
		for range 4 {
			modelstest.Player(t, store)
		}
		tried := 0
		sends := func(id int64, description string, tries int, state models.BroadcastState) {
			t.Helper()
			o.telegram.on("copyMessage", always(reply{400, `{"ok":false,"error_code":400,"description":"Bad Request: ` + description + `"}`}))
			o.broadcasts(models.Broadcast{SourceChatID: 5, SourceMessageID: 77})
			for range 8 {
				o.delivers()
			}
			b, err := store.Outbox.Broadcast(t.Context(), id)
			progress, failed := store.Outbox.BroadcastProgress(t.Context(), id)
			copies := len(o.telegram.made("copyMessage"))
			if err != nil || failed != nil || b.State != state || progress != (outbox.Progress{Dead: 4}) || copies-tried != tries {
				t.Errorf("%s: it is %s after %d tries, its messages %+v; %v, %v", description, b.State, copies-tried, progress, err, failed)
			}
			tried = copies
		}
		for i, ofTheRecipient := range []string{"chat not found", "VOICE_MESSAGES_FORBIDDEN", "PEER_ID_INVALID"} {
			sends(int64(i+1), ofTheRecipient, 4, models.BroadcastDone)
			o.wantNoDead()
			if n, err := store.Outbox.BroadcastAudience(t.Context()); n != 4 || err != nil {
				t.Errorf("%s: an audience of %d, %v", ofTheRecipient, n, err)
			}
		}
		if notices := o.telegram.made("sendMessage"); len(notices) > 0 {
			t.Errorf("notices are %+v", notices)
		}
		sends(4, "message to copy not found", 1, models.BroadcastCancelled)
		notices := o.telegram.made("sendMessage")
		for i, admin := range admins {
			if len(notices) != 2 || notices[i].fields["chat_id"] != fmt.Sprint(admin) || !strings.Contains(notices[i].fields["text"], "Broadcast 4 is stopped") {
				t.Errorf("the admins got %+v", notices)
			}
		}
	})
}

func TestAdminNoticeIsEscapedAndTruncated(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		for i, c := range []struct{ text, says string }{
			{"disk <98%> & full", "disk &lt;98%&gt; &amp; full"},
			{strings.Repeat("<", 5000), strings.Repeat("&lt;", 4096)},
			{"я" + strings.Repeat("😀", 3000), "я" + strings.Repeat("😀", 2047)},
		} {
			key, _ := o.notice(c.text)
			o.delivers()
			said := o.telegram.made("sendMessage")
			if len(said) != i+1 || said[i].fields["text"] != c.says || said[i].fields["reply_markup"] != "" {
				t.Errorf("%.20q: said %+v", c.text, said)
			}
			if m := o.message(key); m.State != models.MessageSent {
				t.Errorf("%.20q: %+v", c.text, m)
			}
		}
	})
}

func TestTelegramsResponseDecidesMessageState(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		for name, c := range map[string]struct {
			answer reply
			state  models.MessageState
			tries  int
			next   time.Duration // until the next try
			marks  bool          // the chat as blocked
		}{
			"yes":         {usual, models.MessageSent, 1, 0, false},
			"blocked":     {blocked, models.MessageDead, 1, 0, true},
			"bad request": {badRequest, models.MessageDead, 1, 0, false},
			"never met":   {neverMet, models.MessageDead, 1, 0, true},
			"too many":    {tooMany(7), models.MessageQueued, 0, 7 * time.Second, false},
			"never again": {tooMany(1 << 40), models.MessageQueued, 0, 24 * time.Hour, false},
			"html":        {badGateway, models.MessageQueued, 1, 2 * time.Second, false},
			"unavailable": {unavailable, models.MessageQueued, 1, 2 * time.Second, false},
			"wrong token": {wrongToken, models.MessageQueued, 1, 2 * time.Second, false},
			"nonsense":    {reply{200, "\x00 not json"}, models.MessageQueued, 1, 2 * time.Second, false},
		} {
			o.clock.Step(25 * time.Hour) // when no pause holds
			o.delivers()                 // what waits of the last case
			o.telegram.on("sendMessage", firstly(c.answer))
			audience := modelstest.Must(store.Outbox.BroadcastAudience(t.Context()))(t)
			key, chat := o.notice("text")
			o.delivers()
			m := o.message(key)
			if m.State != c.state || m.Tries != c.tries || strings.Contains(m.LastError, "\x00") {
				t.Errorf("%s: it is %+v", name, m)
			}
			if c.next > 0 && !m.NextTryAt.Equal(o.clock.Now().Add(c.next)) {
				t.Errorf("%s: the next try is %s later", name, m.NextTryAt.Sub(o.clock.Now()))
			}
			modelstest.SignIn(t, store, players.LaunchUser{TelegramID: chat}, modelstest.Noon)
			if n := modelstest.Must(store.Outbox.BroadcastAudience(t.Context()))(t); (n == audience) != c.marks {
				t.Errorf("%s: an audience of %d after %d", name, n, audience)
			}
		}
	})
}

func TestTelegramTimeoutIsAFailedAttempt(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store, func(s *bot.Settings) {
			s.HTTPClient = &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 100 * time.Millisecond}}
		})
		o.telegram.on("sendMessage", always(slow))
		key, _ := o.notice("text")
		o.delivers()
		if m := o.message(key); m.State != models.MessageQueued || m.Tries != 1 || !strings.Contains(m.LastError, "timeout") {
			t.Errorf("it is %+v", m)
		}
	})
}

func TestMessagesAreSentOneAtATime(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		f := newTelegram(t)
		var underWay, most atomic.Int32
		f.before("sendMessage", func() {
			if n := underWay.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(20 * time.Millisecond) // Telegram's latency
			underWay.Add(-1)
		})
		s := begin(t, f, store, hooked)
		const messages = 10
		for range messages {
			modelstest.NoError(t, store.Outbox.NoticeAdmins(t.Context(), "test", "text", models.UrgencyPersonal, []int64{modelstest.TelegramID()}, modelstest.Noon))
		}
		s.until("all are sent", func() bool {
			s.step(time.Second)
			n, err := store.Outbox.QueuedMessages(t.Context())
			return err == nil && n == 0
		})
		if said := f.made("sendMessage"); len(said) != messages || most.Load() != 1 {
			t.Errorf("%d were sent, %d at once", len(said), most.Load())
		}
	})
}

// Telegram may ask for it in answer to a message of the outbox, a reply or a membership check.
func TestTooManyRequestsPauseEverythingInAllProcesses(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	one, other := openOffice(t, modelstest.OpenStore(t, address)), openOffice(t, modelstest.OpenStore(t, address))
	update := int64(0)
	for name, asks := range map[string]func(){
		"a message": func() { one.bot.DeliverOnce(t.Context()) },
		"a reply":   func() { one.bot.WorkOnce(t.Context()) },
		"a check": func() {
			if in, err := one.bot.Subscribed(t.Context(), "@mcbk_news", 7); err == nil || in {
				t.Errorf("subscribed: %t, %v", in, err)
			}
		},
	} {
		key, _ := one.notice("text")
		update++
		post(one.bot.Webhook(), ann().writes(update, "/play"), secret)
		for _, method := range []string{"sendMessage", "getChatMember"} {
			one.telegram.on(method, firstly(tooMany(7)))
		}
		asks()
		if m, u := one.message(key), modelstest.Must(one.store.Outbox.BotUpdate(t.Context(), update))(t); m.Tries != 0 || u.Tries != 0 {
			t.Errorf("%s: the pause counts as a try: %+v, %+v", name, m, u)
		}
		said := len(other.telegram.said())
		for _, passed := range []time.Duration{0, 7*time.Second - time.Millisecond} {
			for _, o := range []*office{one, other} {
				o.clock.Step(passed)
				pause, worked := o.bot.DeliverOnce(t.Context()), o.bot.WorkOnce(t.Context())
				if _, err := o.bot.Subscribed(t.Context(), "@mcbk_news", 7); err == nil || worked || pause != 7*time.Second-passed {
					t.Errorf("%s, %s later: it works %t, checks with %v and waits %s", name, passed, worked, err, pause)
				}
			}
		}
		for _, o := range []*office{one, other} {
			o.clock.Step(time.Millisecond)
		}
		for range 2 {
			other.bot.WorkOnce(t.Context())
			other.delivers()
			one.clock.Step(time.Second)
		}
		if m := one.message(key); m.State != models.MessageSent || len(other.telegram.said()) != said+2 {
			t.Errorf("%s: afterwards it is %+v, the other said %+v", name, m, other.telegram.said()[said:])
		}
	}
}

// The machine's and the database's clocks were two days ahead when Telegram requested the pause.
func TestPauseOfWrongClockIsIgnored(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		o.clock.Step(48 * time.Hour)
		o.telegram.on("sendMessage", firstly(tooMany(7)))
		o.notice("text")
		o.bot.DeliverOnce(t.Context())
		o.clock.Step(-48 * time.Hour)
		for id, later := range []time.Duration{0, 25 * time.Hour} { // when it would be less than a day
			o.clock.Step(later)
			post(o.bot.Webhook(), ann().writes(int64(id+1), "/play"), secret)
			if !o.bot.WorkOnce(t.Context()) || len(o.telegram.made("sendMessage")) != id+2 {
				t.Errorf("%s later nothing is answered: %+v", later, o.telegram.said())
			}
			o.delivers()
		}
	})
}

type onWarning func()

func (onWarning) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }
func (warned onWarning) Handle(context.Context, slog.Record) error { warned(); return nil }
func (warned onWarning) WithAttrs([]slog.Attr) slog.Handler        { return warned }
func (warned onWarning) WithGroup(string) slog.Handler             { return warned }

// The outbox becomes unavailable during the call to Telegram, and recovers after the first attempt to mark the message.
func TestSentMessageIsMarkedAfterDatabaseRecovers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, database string) {
		address := modelstest.Address(t, database)
		store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
		f, clock, warnings := newTelegram(t), modelstest.NewClock(), 0
		rename := func(from, to string) {
			if _, err := raw.ExecContext(t.Context(), "ALTER TABLE "+from+" RENAME TO "+to); err != nil {
				t.Error(err)
			}
		}
		f.before("sendMessage", func() { rename("outbox", "outbox_away") })
		b := modelstest.Must(bot.New(hooked(f), store, clock.Now, slog.New(onWarning(func() {
			if warnings++; warnings == 1 {
				rename("outbox_away", "outbox")
			}
		}))))(t)
		o := &office{t, f, store, clock, b}
		key, _ := o.notice("text")
		o.delivers()
		if m := o.message(key); m.State != models.MessageSent || len(f.said()) != 1 || warnings != 1 {
			t.Errorf("it is %+v, said %+v, %d warnings", m, f.said(), warnings)
		}
	})
}

// someAddress makes the bot call Settings.ShownAddress while it renders a notice.
var someAddress = "0:" + strings.Repeat("9f", 32)

// Rendering outlasts the claim.
func TestExpiredClaimIsNotSent(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var o *office
		o = openOffice(t, store, func(s *bot.Settings) {
			s.ShownAddress = func(raw string) string {
				o.clock.Step(51 * time.Second)
				return raw
			}
		})
		key, _ := o.notice(someAddress)
		o.delivers()
		if m := o.message(key); m.State != models.MessageQueued || m.Tries != 1 || len(o.telegram.said()) != 0 {
			t.Errorf("it is %+v, said %+v", m, o.telegram.said())
		}
	})
}

func TestRenderingFailureIsAFailedAttempt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, database string) {
		address := modelstest.Address(t, database)
		store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
		o := openOffice(t, store, panickingAddress)
		fails := func(text, says, first string) {
			t.Helper()
			key, _ := o.notice(text)
			modelstest.MustExec(t, raw, first)
			o.delivers()
			if m := o.message(key); m.State != models.MessageQueued || m.Tries != 1 || !strings.Contains(m.LastError, says) {
				t.Errorf("it is %+v", m)
			}
		}
		fails(someAddress, "what address?", "SELECT 1")
		fails("text", "no text", "UPDATE outbox SET kind = 'of_tomorrow' WHERE state = 'queued' AND tries = 0")
	})
}

func TestUpdatesSetReachability(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		s := begin(t, newTelegram(t), store, hooked)
		p := person{modelstest.Player(t, store).TelegramID, "Ann", "en"}
		becomes := func(audience int64, update func(id int64) string) {
			t.Helper()
			s.sends(update)
			if n, err := store.Outbox.BroadcastAudience(t.Context()); err != nil || n != audience {
				t.Errorf("%s: an audience of %d, %v", update(0), n, err)
			}
			s.clock.Step(time.Second)
		}
		for _, unblocks := range []func(id int64) string{
			func(id int64) string { return p.writes(id, "hello") },
			func(id int64) string { return p.presses(id, "lang:en") },
			func(id int64) string { return p.becomes(id, "member") },
			p.allowsWriting,
		} {
			becomes(0, func(id int64) string { return p.becomes(id, "kicked") })
			becomes(0, func(id int64) string { return p.writesIn(id, "group", -5, "/help") })
			becomes(1, unblocks)
		}
	})
}
