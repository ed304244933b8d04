package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	initdata "github.com/telegram-mini-apps/init-data-golang"
	"mcbk-sandbox/check"
	"mcbk-sandbox/clock"
	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

const token = "42:sandbox-token-not-a-secret-00000000"

type world struct {
	*Server
	url string
	dir string
}

func newWorld(t *testing.T, dir string) *world {
	t.Helper()
	c := check.Must(clock.Open(dir))(t)
	book := check.Must(people.Open(dir))(t)
	s := check.Must(New(Config{Token: token, Dir: dir, Clock: c, People: book, Feed: feed.New(), Address: "http://localhost:8090"}))(t)
	srv := httptest.NewServer(s)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		stop()
		<-done
		srv.CloseClientConnections()
		srv.Close()
	})
	return &world{s, srv.URL, dir}
}

func (w *world) client(t *testing.T, options ...bot.Option) *bot.Bot {
	t.Helper()
	options = append([]bot.Option{
		bot.WithServerURL(w.url), bot.WithSkipGetMe(), bot.WithNotAsyncHandlers(),
		bot.WithErrorsHandler(func(error) {}),
		bot.WithHTTPClient(2*time.Second, &http.Client{Timeout: 5 * time.Second}),
	}, options...)
	return check.Must(bot.New(token, options...))(t)
}

func (w *world) say(t *testing.T, player int64, text string) {
	t.Helper()
	check.Must(w.Say(player, text, 0))(t)
}

func (w *world) view(t *testing.T, player int64) View {
	t.Helper()
	return check.Must(w.View(player))(t)
}

func (w *world) last(t *testing.T, player int64) *Message {
	t.Helper()
	v := w.view(t, player)
	if len(v.Messages) == 0 {
		t.Fatal("the chat is empty")
	}
	return v.Messages[len(v.Messages)-1]
}

func within(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal("never happened: " + what)
}

func TestPollingBotReceivesAndReplies(t *testing.T) {
	w := newWorld(t, t.TempDir())
	answered := make(chan error, 2)
	b := w.client(t, bot.WithDefaultHandler(func(ctx context.Context, b *bot.Bot, u *models.Update) {
		switch {
		case u.Message != nil:
			_, err := b.SendMessage(ctx, &bot.SendMessageParams{
				ChatID: u.Message.Chat.ID, Text: "<b>Hi</b> 🪙 <i>" + u.Message.Text + "</i>", ParseMode: models.ParseModeHTML,
				ReplyMarkup: models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{
					{{Text: "Play", WebApp: &models.WebAppInfo{URL: "http://localhost:8080/?start=x"}}},
					{{Text: "Yes", CallbackData: "confirm:1"}},
				}},
			})
			answered <- err
		case u.CallbackQuery != nil:
			_, err := b.AnswerCallbackQuery(ctx, &bot.AnswerCallbackQueryParams{
				CallbackQueryID: u.CallbackQuery.ID, Text: "done " + u.CallbackQuery.Data, ShowAlert: true,
			})
			answered <- err
		}
	}))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); b.Start(ctx) }()
	defer func() { stop(); <-ended }()

	w.say(t, people.Marina, "/start abc")
	check.NoError(t, <-answered)
	m := w.last(t, people.Marina)
	check.That(t, m.Text == "Hi 🪙 /start abc" && m.From.IsBot, "the player sees %q", m.Text)
	// The coin counts as two UTF-16 units.
	want := []Entity{{Type: "bold", Offset: 0, Length: 2}, {Type: "italic", Offset: 6, Length: 10}}
	if len(m.Entities) < 2 || m.Entities[0] != want[0] || m.Entities[1] != want[1] {
		t.Errorf("entities %+v", m.Entities)
	}

	query := check.Must(w.Press(people.Marina, m.ID, "confirm:1"))(t)
	check.NoError(t, <-answered)
	a := w.view(t, people.Marina).Answers[0]
	check.That(t, a.QueryID == query && a.Text == "done confirm:1" && a.Alert, "answer %+v", a)
	check.Fails(w.Press(people.Marina, m.ID, "confirm:2"))(t, ErrNoButton, "pressing what is not there")
}

func TestWebhookIsRetriedInOrder(t *testing.T) {
	w := newWorld(t, t.TempDir())
	var mu sync.Mutex
	var got []string
	refusals := 2
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var u models.Update
		if err := json.NewDecoder(r.Body).Decode(&u); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		check.Equal(t, r.Header.Get("X-Telegram-Bot-Api-Secret-Token"), "s-1", "the secret is missing")
		got = append(got, u.Message.Text)
		if refusals--; refusals >= 0 {
			rw.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer hook.Close()
	b := w.client(t)
	w.say(t, people.Boris, "one")
	check.Must(b.SetWebhook(t.Context(), &bot.SetWebhookParams{URL: hook.URL, SecretToken: "s-1"}))(t)
	w.say(t, people.Boris, "two")
	within(t, "both updates delivered", func() bool { mu.Lock(); defer mu.Unlock(); return len(got) == 4 })
	mu.Lock()
	check.Equal(t, strings.Join(got, " "), "one one one two", "delivered")
	mu.Unlock()
	within(t, "nothing pending", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return len(w.state.Pending) == 0 })

	resp := check.Must(http.Get(w.url + "/bot" + token + "/getUpdates"))(t)
	_ = resp.Body.Close()
	check.Equal(t, resp.StatusCode, http.StatusConflict, "getUpdates beside a webhook")
	check.Must(b.DeleteWebhook(t.Context(), &bot.DeleteWebhookParams{}))(t)
}

func updates(t *testing.T, w *world, query string) []Update {
	t.Helper()
	resp := check.Must(http.Get(w.url + "/bot" + token + "/getUpdates?" + query))(t)
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		OK     bool
		Result []Update
	}
	check.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	if !answer.OK || answer.Result == nil {
		t.Fatalf("getUpdates: %+v", answer)
	}
	return answer.Result
}

func TestUpdateStaysUntilConfirmed(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.say(t, people.Olga, "a")
	w.say(t, people.Olga, "b")
	first := updates(t, w, "")
	again := updates(t, w, "limit=1")
	if len(first) != 2 || len(again) != 1 || again[0].ID != first[0].ID {
		t.Fatalf("first %v, again %v", first, again)
	}
	q := url.Values{"offset": {jsonOf(t, first[0].ID+1)}}
	rest := updates(t, w, q.Encode())
	check.That(t, len(rest) == 1 && rest[0].Message.Text == "b", "after confirming one: %+v", rest)
	left := updates(t, w, "offset="+jsonOf(t, first[1].ID+1)+"&allowed_updates=%5B%22callback_query%22%5D")
	check.That(t, len(left) == 0, "after confirming all: %+v", left)
	w.say(t, people.Olga, "unwanted")
	left = updates(t, w, "")
	check.That(t, len(left) == 0, "not in allowed_updates: %+v", left)
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b := check.Must(json.Marshal(v))(t)
	return string(b)
}

func TestUpdateIDsNeverRepeatAfterRestart(t *testing.T) {
	dir := t.TempDir()
	seen := map[int64]bool{}
	for range 3 {
		w := newWorld(t, dir)
		for range 3 {
			w.mu.Lock()
			id, err := w.nextUpdateID()
			w.mu.Unlock()
			check.NoError(t, err)
			if seen[id] || id < time.Now().Add(-time.Hour).Unix() {
				t.Fatalf("id %d", id)
			}
			seen[id] = true
		}
	}
}

func TestChatsSurviveRestart(t *testing.T) {
	dir := t.TempDir()
	t.Run("before", func(t *testing.T) { // ends with the server stopped
		w := newWorld(t, dir)
		w.say(t, people.Adam, "/stats")
	})
	w := newWorld(t, dir)
	check.Equal(t, w.last(t, people.Adam).Text, "/stats", "the chat says")
	check.Equal(t, len(updates(t, w, "")), 1, "the unread update was lost")
}

func TestPictureIsStoredAndShown(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.say(t, people.Marina, "/start")
	var picture bytes.Buffer
	check.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 12, 7))))
	b := w.client(t)
	m := check.Must(b.SendPhoto(t.Context(), &bot.SendPhotoParams{
		ChatID: people.Marina, Photo: &models.InputFileUpload{Filename: "stats.png", Data: bytes.NewReader(picture.Bytes())},
		Caption: "<code>42</code>", ParseMode: models.ParseModeHTML,
	}))(t)
	p := m.Photo[0]
	check.That(t, p.Width == 12 && p.Height == 7 && m.Caption == "42", "sent %+v", m)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /file/{id}", w.ServeFile)
	rec := httptest.NewRecorder()
	mux.ServeHTTP(rec, httptest.NewRequest("GET", "/file/"+m.Photo[0].FileID, nil))
	if rec.Code != 200 || rec.Header().Get("Content-Type") != "image/png" || !bytes.Equal(rec.Body.Bytes(), picture.Bytes()) {
		t.Errorf("shown: %d %s", rec.Code, rec.Header().Get("Content-Type"))
	}
	check.Fails(b.SendPhoto(t.Context(), &bot.SendPhotoParams{ChatID: people.Marina, Photo: &models.InputFileUpload{Filename: "x", Data: strings.NewReader("no picture")}}))(t, bot.ErrorBadRequest, "no picture")
}

func TestEditChangesMessage(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.say(t, people.Marina, "/start")
	b := w.client(t)
	m := check.Must(b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: people.Marina, Text: "sure?", ReplyMarkup: models.InlineKeyboardMarkup{
		InlineKeyboard: [][]models.InlineKeyboardButton{{{Text: "Yes", CallbackData: "y"}}},
	}}))(t)
	check.Must(b.EditMessageText(t.Context(), &bot.EditMessageTextParams{ChatID: people.Marina, MessageID: m.ID, Text: "done"}))(t)
	got := w.last(t, people.Marina)
	check.That(t, got.Text == "done" && got.ReplyMarkup == nil && got.EditDate != 0, "after the edit: %+v", got)
	_, err := b.EditMessageText(t.Context(), &bot.EditMessageTextParams{ChatID: people.Marina, MessageID: m.ID, Text: "done"})
	check.That(t, err != nil && strings.Contains(err.Error(), "message is not modified"), "the same text again: %v", err)
	check.Fails(b.EditMessageText(t.Context(), &bot.EditMessageTextParams{ChatID: people.Marina, MessageID: 999, Text: "done"}))(t, bot.ErrorBadRequest, "an unknown message")
	copied := check.Must(b.CopyMessage(t.Context(), &bot.CopyMessageParams{ChatID: people.Marina, FromChatID: people.Marina, MessageID: m.ID}))(t)
	got = w.last(t, people.Marina)
	check.That(t, int64(copied.ID) == got.ID && got.Text == "done", "the copy: %+v", got)
}

func TestMostSpecificMenuAndCommandsWin(t *testing.T) {
	w := newWorld(t, t.TempDir())
	b := w.client(t)
	set := func(description, language string, scope models.BotCommandScope) {
		t.Helper()
		check.Must(b.SetMyCommands(t.Context(), &bot.SetMyCommandsParams{
			Commands: []models.BotCommand{{Command: "start", Description: description}}, LanguageCode: language, Scope: scope,
		}))(t)
	}
	set("everyone", "", nil)
	set("по-русски", "ru", nil)
	set("keeper", "", &models.BotCommandScopeChat{ChatID: people.Adam})
	for player, want := range map[int64]string{people.Marina: "everyone", people.Olga: "по-русски", people.Adam: "keeper"} {
		got := w.view(t, player).Commands
		check.That(t, len(got) == 1 && got[0].Description == want, "player %d sees %v, want %s", player, got, want)
	}
	check.Must(b.SetChatMenuButton(t.Context(), &bot.SetChatMenuButtonParams{MenuButton: &models.MenuButtonWebApp{
		Type: models.MenuButtonTypeWebApp, Text: "Play", WebApp: models.WebAppInfo{URL: "http://localhost:8080"},
	}}))(t)
	check.Must(b.SetChatMenuButton(t.Context(), &bot.SetChatMenuButtonParams{ChatID: people.Olga, MenuButton: &models.MenuButtonWebApp{
		Type: models.MenuButtonTypeWebApp, Text: "Играть", WebApp: models.WebAppInfo{URL: "http://localhost:8080"},
	}}))(t)
	if a, o := w.view(t, people.Adam).Menu.Text, w.view(t, people.Olga).Menu.Text; a != "Play" || o != "Играть" {
		t.Errorf("menu buttons %q and %q", a, o)
	}
}

func TestMembershipIsSet(t *testing.T) {
	w := newWorld(t, t.TempDir())
	b := w.client(t)
	ask := func() (*models.ChatMember, error) {
		return b.GetChatMember(t.Context(), &bot.GetChatMemberParams{ChatID: "@MCBK_news", UserID: people.Marina})
	}
	check.Fails(ask())(t, bot.ErrorBadRequest, "an unknown channel")
	for status, want := range map[string]models.ChatMemberType{
		"member": models.ChatMemberTypeMember, "left": models.ChatMemberTypeLeft, "kicked": models.ChatMemberTypeBanned,
		"restricted": models.ChatMemberTypeRestricted, "restricted_away": models.ChatMemberTypeRestricted, "creator": models.ChatMemberTypeOwner,
	} {
		check.NoError(t, w.SetMember("mcbk_news", people.Marina, status))
		m := check.Must(ask())(t)
		check.Equal(t, m.Type, want, status, "became")
		if m.Restricted != nil && m.Restricted.IsMember != (status == "restricted") {
			t.Errorf("%s is a member: %t", status, m.Restricted.IsMember)
		}
	}
	check.NoError(t, w.SetMember("@mcbk_news", people.Boris, "member"))
	check.That(t, w.SetMember("@mcbk_news", people.Boris, "friend") != nil, "a status nobody knows was taken")
}

func TestErrorsMatchTelegrams(t *testing.T) {
	w := newWorld(t, t.TempDir())
	b := w.client(t)
	send := func(to int64, text string) error {
		_, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: to, Text: text, ParseMode: models.ParseModeHTML})
		return err
	}
	w.say(t, people.Marina, "/start")
	check.NoError(t, w.Block(people.Adam, true))
	for _, c := range []struct {
		name string
		err  error
		kind error
		says string
	}{
		{"unknown chat", send(1, "x"), bot.ErrorBadRequest, "chat not found"},
		{"never started", send(people.Boris, "x"), bot.ErrorForbidden, "can't initiate conversation"},
		{"blocked", send(people.Adam, "x"), bot.ErrorForbidden, "blocked by the user"},
		{"unclosed tag", send(people.Marina, "<b>x"), bot.ErrorBadRequest, "can't parse entities"},
		{"crossed tags", send(people.Marina, "<b><i>x</b></i>"), bot.ErrorBadRequest, "can't parse entities"},
		{"unknown tag", send(people.Marina, "<div>x</div>"), bot.ErrorBadRequest, "Unsupported start tag"},
		{"empty", send(people.Marina, "<b> </b>"), bot.ErrorBadRequest, "text is empty"},
		{"too long", send(people.Marina, strings.Repeat("x", 4097)), bot.ErrorBadRequest, "too long"},
	} {
		check.That(t, errors.Is(c.err, c.kind) && strings.Contains(c.err.Error(), c.says), "%s: %v", c.name, c.err)
	}
	check.NoError(t, send(people.Marina, "5 &lt; 6 &amp; 7"))
	check.Equal(t, w.last(t, people.Marina).Text, "5 < 6 & 7", "entities became")

	other := check.Must(bot.New("42:wrong", bot.WithServerURL(w.url), bot.WithSkipGetMe()))(t)
	check.Fails(other.GetMe(t.Context()))(t, bot.ErrorUnauthorized, "a wrong token")
	check.Fails(b.GetStickerSet(t.Context(), &bot.GetStickerSetParams{Name: "x"}))(t, bot.ErrorNotFound, "an unknown method")
	check.Fails(b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: people.Marina, Text: "x", ReplyMarkup: models.InlineKeyboardMarkup{
		InlineKeyboard: [][]models.InlineKeyboardButton{{{Text: "Play", WebApp: &models.WebAppInfo{URL: "http://example.com"}}}},
	}}))(t, bot.ErrorBadRequest, "a mini-app over plain http")
}

func TestFaultAffectsNextCallsOnly(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.say(t, people.Marina, "/start")
	b := w.client(t)
	send := func() error {
		_, err := b.SendMessage(t.Context(), &bot.SendMessageParams{ChatID: people.Marina, Text: "x"})
		return err
	}
	w.SetFaults([]Fault{
		{Method: "sendMessage", Status: 429, RetryAfter: 7},
		{Method: "sendMessage", Status: 502, HTML: true},
		{Method: "*", Status: 403},
		{Method: "sendMessage", Status: 500, After: true},
	})
	var slow *bot.TooManyRequestsError
	err := send()
	check.That(t, errors.As(err, &slow) && slow.RetryAfter == 7, "first: %v", err)
	err = send()
	check.That(t, err != nil && strings.Contains(err.Error(), "<html>"), "second: %v", err)
	check.WantError(t, send(), bot.ErrorForbidden, "third")
	err = send()
	check.That(t, err != nil && len(w.view(t, people.Marina).Messages) == 2, "fourth was to be sent and then fail: %v", err)
	check.NoError(t, send())
	left := w.Faults()
	check.That(t, len(left) == 0, "left: %v", left)
}

func TestLaunchDataIsSignedLikeTelegrams(t *testing.T) {
	w := newWorld(t, t.TempDir())
	check.NoError(t, w.cfg.Clock.Add(48*time.Hour))
	opened := check.Must(w.Open(Launch{Player: people.Boris, URL: "http://localhost:8080/?start=ABC", StartParam: "ref-1"}))(t)
	check.NoError(t, initdata.Validate(opened.InitData, token, time.Hour))
	d := check.Must(initdata.Parse(opened.InitData))(t)
	check.That(t, d.User.ID == people.Boris && d.User.IsPremium && d.StartParam == "ref-1" && d.User.PhotoURL != "" && d.QueryID == "", "launch data %+v", d)
	ahead := time.Until(d.AuthDate())
	check.That(t, ahead >= 47*time.Hour && ahead <= 49*time.Hour, "auth_date is %v ahead, want the sandbox's clock", ahead)
	u := check.Must(url.Parse(opened.URL))(t)
	fragment := check.Must(url.ParseQuery(u.EscapedFragment()))(t)
	if u.Query().Get("start") != "ABC" || fragment.Get("tgWebAppData") != opened.InitData || fragment.Get("tgWebAppVersion") != "8.0" || fragment.Get("tgWebAppPlatform") != "android" || fragment.Get("tgWebAppThemeParams") == "" {
		t.Errorf("address %s", opened.URL)
	}

	check.NoError(t, w.cfg.Clock.Set(0))
	opened = check.Must(w.Open(Launch{Player: people.Zoe, URL: "http://localhost:8080", Shift: -25 * time.Hour}))(t)
	check.WantError(t, initdata.Validate(opened.InitData, token, 24*time.Hour), initdata.ErrExpired, "a launch of yesterday")
	check.NoError(t, initdata.Validate(opened.InitData, token, 26*time.Hour))
	d = check.Must(initdata.Parse(opened.InitData))(t)
	check.That(t, d.User.FirstName == "Zoë <b>&amp;</b>" && d.User.PhotoURL == "" && d.QueryID != "", "launch data %+v", d)
	check.Fails(w.Open(Launch{Player: 1, URL: "http://localhost:8080"}))(t, people.ErrNoPlayer, "a stranger")
}

func TestDirectLinkNeedsWritePermission(t *testing.T) {
	w := newWorld(t, t.TempDir())
	launch := func(l Launch) bool {
		t.Helper()
		l.Player, l.URL = people.Marina, "http://localhost:8080"
		opened := check.Must(w.Open(l))(t)
		d := check.Must(initdata.Parse(opened.InitData))(t)
		return d.User.AllowsWriteToPm
	}
	writes := func() bool {
		t.Helper()
		_, err := w.send(params{values: map[string]string{"chat_id": strconv.FormatInt(people.Marina, 10)}}, &Message{Text: "hi"})
		if err != nil && !errors.Is(err, errNotStarted) {
			t.Fatal(err)
		}
		return err == nil
	}
	for _, l := range []Launch{{Direct: true}, {StartParam: "ref-1"}} {
		check.That(t, !launch(l) && !writes(), "%+v: the bot may write", l)
	}
	check.NoError(t, w.AllowWriting(people.Marina))
	check.That(t, writes() && launch(Launch{Direct: true}), "the player allowed it, and the bot may not write")
	heard := w.state.Pending
	check.That(t, len(heard) == 1 && heard[0].Message != nil && heard[0].Message.WriteAccess != nil && heard[0].Message.WriteAccess.FromRequest, "the bot heard %+v", heard)
	check.NoError(t, w.Block(people.Marina, true))
	check.That(t, !launch(Launch{Direct: true}), "the launch data allow a blocked bot to write")
	check.NoError(t, w.Clear(people.Marina))
	check.That(t, launch(Launch{}), "who opens by a button has not allowed the bot to write")
}
