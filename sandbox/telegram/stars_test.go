package telegram

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	"mcbk-sandbox/check"
	"mcbk-sandbox/people"
)

func invoiceOf(stars int) *bot.CreateInvoiceLinkParams {
	return &bot.CreateInvoiceLinkParams{
		Title: "1,000 coins", Description: "Coins of the game", Payload: "order-1", Currency: "XTR",
		Prices: []models.LabeledPrice{{Label: "coins", Amount: stars}},
	}
}

func (w *world) invoice(t *testing.T, b *bot.Bot, stars int) string {
	t.Helper()
	return check.Must(b.CreateInvoiceLink(t.Context(), invoiceOf(stars)))(t)
}

// shop is a bot that consents to payments and notes what it hears of them.
type shop struct {
	*bot.Bot
	mu    sync.Mutex
	asked []*models.PreCheckoutQuery
	heard []string // "paid CHARGE" or "refunded CHARGE"
}

func (s *shop) said() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.heard)
}

// openShop starts a bot; refusal refuses payments.
func (w *world) openShop(t *testing.T, refusal string) *shop {
	t.Helper()
	s := &shop{}
	s.Bot = w.client(t, bot.WithDefaultHandler(func(ctx context.Context, b *bot.Bot, u *models.Update) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case u.PreCheckoutQuery != nil:
			s.asked = append(s.asked, u.PreCheckoutQuery)
			if _, err := b.AnswerPreCheckoutQuery(ctx, &bot.AnswerPreCheckoutQueryParams{
				PreCheckoutQueryID: u.PreCheckoutQuery.ID, OK: refusal == "", ErrorMessage: refusal,
			}); err != nil && ctx.Err() == nil && !errors.Is(err, bot.ErrorBadRequest) { // a query from before a restart is late
				t.Error(err)
			}
		case u.Message != nil && u.Message.SuccessfulPayment != nil:
			s.heard = append(s.heard, "paid "+u.Message.SuccessfulPayment.TelegramPaymentChargeID)
		case u.Message != nil && u.Message.RefundedPayment != nil:
			s.heard = append(s.heard, "refunded "+u.Message.RefundedPayment.TelegramPaymentChargeID)
		}
	}))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.Start(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	return s
}

func (w *world) pay(t *testing.T, r PayRequest) PayResult {
	t.Helper()
	return check.Must(w.Pay(r))(t)
}

func (w *world) stars(t *testing.T, player int64) int64 {
	t.Helper()
	b := check.Must(w.Stars(player))(t)
	return b.Stars
}

// endDelays completes what is to come later.
func (w *world) endDelays(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	for i := range w.state.Stars.Deferred {
		w.state.Stars.Deferred[i].At = 0
	}
	w.mu.Unlock()
	within(t, "the delays are over", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return len(w.state.Stars.Deferred) == 0 })
}

func transactions(t *testing.T, b *bot.Bot, offset, limit int) []models.StarTransaction {
	t.Helper()
	list := check.Must(b.GetStarTransactions(t.Context(), &bot.GetStarTransactionsParams{Offset: offset, Limit: limit}))(t)
	return list.Transactions
}

func TestInvoiceLinkIsCheckedLikeTelegrams(t *testing.T) {
	w := newWorld(t, t.TempDir())
	b := w.client(t)
	for _, c := range []struct {
		name, says string
		change     func(*bot.CreateInvoiceLinkParams)
	}{
		{"no title", `parameter "title" is required`, func(p *bot.CreateInvoiceLinkParams) { p.Title = "" }},
		{"long title", "STARS_INVOICE_INVALID", func(p *bot.CreateInvoiceLinkParams) { p.Title = strings.Repeat("x", 33) }},
		{"no description", `parameter "description" is required`, func(p *bot.CreateInvoiceLinkParams) { p.Description = "" }},
		{"long description", "STARS_INVOICE_INVALID", func(p *bot.CreateInvoiceLinkParams) { p.Description = strings.Repeat("x", 256) }},
		{"no payload", `parameter "payload" is required`, func(p *bot.CreateInvoiceLinkParams) { p.Payload = "" }},
		{"long payload", "INVOICE_PAYLOAD_INVALID", func(p *bot.CreateInvoiceLinkParams) { p.Payload = strings.Repeat("ж", 65) }},
		{"no currency", `parameter "currency" is required`, func(p *bot.CreateInvoiceLinkParams) { p.Currency = "" }},
		{"other currency", "PAYMENT_PROVIDER_INVALID", func(p *bot.CreateInvoiceLinkParams) { p.Currency = "USD" }},
		{"no price", "there must be at least one price", func(p *bot.CreateInvoiceLinkParams) { p.Prices = nil }},
		{"two prices", "STARS_INVOICE_INVALID", func(p *bot.CreateInvoiceLinkParams) { p.Prices = append(p.Prices, p.Prices[0]) }},
		{"nothing to pay", "total price must be positive", func(p *bot.CreateInvoiceLinkParams) { p.Prices[0].Amount = 0 }},
		{"too much", "CURRENCY_TOTAL_AMOUNT_INVALID", func(p *bot.CreateInvoiceLinkParams) { p.Prices[0].Amount = 100_001 }},
		{"needs an email", "STARS_INVOICE_INVALID", func(p *bot.CreateInvoiceLinkParams) { p.NeedEmail = true }},
		{"subscription", "STARS_INVOICE_INVALID", func(p *bot.CreateInvoiceLinkParams) { p.SubscriptionPeriod = 2_592_000 }},
	} {
		params := invoiceOf(5)
		c.change(params)
		_, err := b.CreateInvoiceLink(t.Context(), params)
		check.That(t, errors.Is(err, bot.ErrorBadRequest) && strings.HasSuffix(err.Error(), "Bad Request: "+c.says), "%s: %v", c.name, err)
	}
	resp := check.Must(http.PostForm(w.url+"/bot"+token+"/createInvoiceLink", map[string][]string{
		"title": {"x"}, "description": {"x"}, "payload": {"x"}, "currency": {"XTR"}, "prices": {`[{"label":"x","amount":1.5}]`},
	}))(t)
	_ = resp.Body.Close()
	check.Equal(t, resp.StatusCode, http.StatusBadRequest, "half a Star")

	longest := invoiceOf(100_000)
	longest.Title, longest.Description, longest.Payload = strings.Repeat("ж", 32), strings.Repeat("ж", 255), strings.Repeat("ж", 64)
	link := check.Must(b.CreateInvoiceLink(t.Context(), longest))(t)
	check.That(t, strings.HasPrefix(link, "https://t.me/$"), "the link is %s", link)
	slug := strings.TrimPrefix(link, "https://t.me/$")
	for _, named := range []string{link, "$" + slug, slug, "https://t.me/invoice/" + slug} {
		got, err := w.Invoice(named)
		check.That(t, err == nil && got.Amount == 100_000 && got.Slug == slug, "%s: %+v %v", named, got, err)
	}
	check.Fails(w.Invoice("https://t.me/$other"))(t, ErrNoInvoice, "an unknown link")
}

func TestPaymentMovesStarsAndIsAnnounced(t *testing.T) {
	w := newWorld(t, t.TempDir())
	s := w.openShop(t, "")
	link := w.invoice(t, s.Bot, 500)
	r := w.pay(t, PayRequest{Player: people.Olga, Link: link})
	check.That(t, r.Status == StatusPaid && r.Stars == 9_500 && w.stars(t, people.Olga) == 9_500 && w.stars(t, people.Marina) == 10_000, "paid: %+v", r)
	within(t, "the bot hears of the payment", func() bool { return len(s.said()) == 1 })
	check.Equal(t, s.said()[0], "paid "+r.ChargeID, "the bot heard")
	if q := s.asked[0]; q.ID != r.QueryID || q.From.ID != people.Olga || q.From.LanguageCode != "ru" || q.Currency != "XTR" || q.TotalAmount != 500 || q.InvoicePayload != "order-1" {
		t.Errorf("the bot was asked %+v", q)
	}
	want := StarPayment{Currency: "XTR", Amount: 500, Payload: "order-1", ChargeID: r.ChargeID}
	m := w.last(t, people.Olga)
	check.That(t, m.SuccessfulPayment != nil && *m.SuccessfulPayment == want && m.From.ID == people.Olga, "the chat shows %+v", m)
	list := transactions(t, s.Bot, 0, 0)
	if len(list) != 1 || list[0].ID != r.ChargeID || list[0].Amount != 500 || list[0].Date == 0 || list[0].Receiver != nil {
		t.Fatalf("transactions %+v", list)
	}
	if from := list[0].Source.User; from.TransactionType != "invoice_payment" || from.User.ID != people.Olga || from.User.LanguageCode != "" || from.InvoicePayload != "order-1" {
		t.Errorf("the source is %+v", from)
	}
	balance := check.Must(s.GetMyStarBalance(t.Context()))(t)
	check.Equal(t, balance.Amount, 500, "the bot has")
	// The link works for anybody and again.
	other := w.pay(t, PayRequest{Player: people.Boris, Link: link})
	check.That(t, other.Status == StatusPaid && other.ChargeID != r.ChargeID, "somebody else paid %+v", other)
}

func TestRefusalSilenceAndEmptyPurseMoveNothing(t *testing.T) {
	w := newWorld(t, t.TempDir())
	s := w.openShop(t, "The offer is over.")
	link := w.invoice(t, s.Bot, 500)
	r := w.pay(t, PayRequest{Player: people.Marina, Link: link})
	check.That(t, r.Status == StatusFailed && r.Error == "BOT_PRECHECKOUT_FAILED" && r.Message == "The offer is over." && r.ChargeID == "" && r.Stars == 10_000, "refused: %+v", r)
	if r := w.pay(t, PayRequest{Player: people.Marina, Link: link, How: Cancel}); r.Status != StatusCancelled || len(s.asked) != 1 {
		t.Errorf("closed: %+v, the bot was asked %d times", r, len(s.asked))
	}
	check.Must(w.ChangeStars(people.Marina, func(int64) int64 { return 499 }))(t)
	if _, err := w.Pay(PayRequest{Player: people.Marina, Link: link}); !errors.Is(err, ErrTooFewStars) || len(s.asked) != 1 {
		t.Errorf("too poor: %v, the bot was asked %d times", err, len(s.asked))
	}
	for name, r := range map[string]PayRequest{
		"unknown player":  {Player: 1, Link: link},
		"unknown invoice": {Player: people.Boris, Link: "https://t.me/$none"},
		"unknown course":  {Player: people.Boris, Link: link, How: "steal"},
	} {
		_, err := w.Pay(r)
		check.That(t, err != nil, "%s was taken", name)
	}
	list := transactions(t, s.Bot, 0, 0)
	check.That(t, len(list) == 0 && len(w.view(t, people.Marina).Messages) == 0, "transactions %+v", list)
}

func TestUnansweredOrLateCheckoutFails(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.checkoutTimeout = 50 * time.Millisecond
	b := w.client(t)
	link := w.invoice(t, b, 500)
	r := w.pay(t, PayRequest{Player: people.Marina, Link: link})
	check.That(t, r.Status == StatusFailed && r.Error == "BOT_PRECHECKOUT_TIMEOUT" && w.stars(t, people.Marina) == 10_000, "unanswered: %+v", r)
	answer := func(id string, ok bool, says string) error {
		_, err := b.AnswerPreCheckoutQuery(t.Context(), &bot.AnswerPreCheckoutQueryParams{PreCheckoutQueryID: id, OK: ok, ErrorMessage: says})
		return err
	}
	for _, id := range []string{r.QueryID, "1", ""} {
		if err := answer(id, true, ""); !errors.Is(err, bot.ErrorBadRequest) || !strings.Contains(err.Error(), "query is too old") {
			t.Errorf("the late answer to %q: %v", id, err)
		}
	}

	w.checkoutTimeout = 5 * time.Second
	done := make(chan PayResult)
	go func() {
		r, err := w.Pay(PayRequest{Player: people.Marina, Link: link})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	var id string
	within(t, "the bot is asked", func() bool {
		list := updates(t, w, "")
		id = list[len(list)-1].PreCheckoutQuery.ID
		return len(list) == 2
	})
	err := answer(id, false, "")
	check.That(t, err != nil && strings.Contains(err.Error(), `parameter "error_message" is required`), "a refusal without a sentence: %v", err)
	check.NoError(t, answer(id, true, ""))
	r = <-done
	check.That(t, r.Status == StatusPaid, "answered: %+v", r)
}

func TestCheckoutIsAnsweredOnce(t *testing.T) {
	w := newWorld(t, t.TempDir())
	b := w.client(t)
	w.mu.Lock()
	w.checkouts["7"] = &checkout{done: make(chan struct{})}
	w.mu.Unlock()
	answer := func() error {
		_, err := b.AnswerPreCheckoutQuery(t.Context(), &bot.AnswerPreCheckoutQueryParams{PreCheckoutQueryID: "7", OK: true})
		return err
	}
	check.NoError(t, answer())
	check.WantError(t, answer(), bot.ErrorBadRequest, "the second answer")
}

func TestCheckoutMustBeAmongAllowedUpdates(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.checkoutTimeout = 20 * time.Millisecond
	b := w.client(t)
	updates(t, w, "allowed_updates=%5B%22message%22%5D")
	r := w.pay(t, PayRequest{Player: people.Marina, Link: w.invoice(t, b, 5)})
	check.That(t, r.Error == "BOT_PRECHECKOUT_TIMEOUT" && len(updates(t, w, "")) == 0, "%+v", r)
	updates(t, w, "allowed_updates=%5B%22message%22%2C%22pre_checkout_query%22%5D")
	w.pay(t, PayRequest{Player: people.Marina, Link: w.invoice(t, b, 5)})
	list := updates(t, w, "")
	check.That(t, len(list) == 1 && list[0].PreCheckoutQuery != nil, "the bot was told %+v", list)
}

// Every course of a payment: what the mini-app hears, and what the bot hears at once and later.
func TestPaymentTakesEveryCourse(t *testing.T) {
	for _, c := range []struct {
		how          How
		status       Status
		err          string
		at, inTheEnd int  // updates of successful_payment
		paid         bool // at once
	}{
		{Fail, StatusFailed, "PAYMENT_FAILED", 0, 0, false},
		{Pending, StatusPending, "", 0, 1, false},
		{Twice, StatusPaid, "", 2, 2, true},
		{Late, StatusPaid, "", 0, 1, true},
		{Lost, StatusPaid, "", 0, 0, true},
		{OutOfOrder, StatusPaid, "", 0, 1, true},
	} {
		t.Run(string(c.how), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, t.TempDir())
			s := w.openShop(t, "")
			link := w.invoice(t, s.Bot, 100)
			r := w.pay(t, PayRequest{Player: people.Zoe, Link: link, How: c.how, DelayMS: 60_000})
			check.That(t, r.Status == c.status && r.Error == c.err && (r.ChargeID != "") == (c.how != Fail), "%+v", r)
			has := w.stars(t, people.Zoe)
			check.That(t, (has == 9_900) == c.paid && has == r.Stars, "the player has %d at once, and the answer says %d", has, r.Stars)
			check.Equal(t, len(transactions(t, s.Bot, 0, 0)) == 1, c.paid, "a transaction at once")
			within(t, "the updates at once", func() bool { return len(s.said()) >= c.at })
			got := s.said()
			check.That(t, len(got) == c.at, "the bot heard at once: %v", got)
			w.endDelays(t)
			within(t, "all updates", func() bool { return len(s.said()) >= c.inTheEnd })
			check.That(t, slices.Equal(s.said(), slices.Repeat([]string{"paid " + r.ChargeID}, c.inTheEnd)), "the bot heard %v of %s", s.said(), r.ChargeID)
			messages, in := len(w.view(t, people.Zoe).Messages), len(transactions(t, s.Bot, 0, 0))
			if want := map[bool]int{true: 1}[c.how != Fail]; messages != want || in != want || w.stars(t, people.Zoe) != 10_000-100*int64(want) {
				t.Errorf("%d messages, %d transactions, %d Stars in the end", messages, in, w.stars(t, people.Zoe))
			}
		})
	}
}

func TestUpdateOutOfOrderFollowsThePlayersNext(t *testing.T) {
	w := newWorld(t, t.TempDir())
	s := w.openShop(t, "")
	link := w.invoice(t, s.Bot, 100)
	first := w.pay(t, PayRequest{Player: people.Zoe, Link: link, How: OutOfOrder})
	w.pay(t, PayRequest{Player: people.Zoe, Link: link, How: Late, DelayMS: 60_000})
	others := w.pay(t, PayRequest{Player: people.Adam, Link: link})
	second := w.pay(t, PayRequest{Player: people.Zoe, Link: link})
	third := w.pay(t, PayRequest{Player: people.Zoe, Link: link, How: OutOfOrder})
	check.Must(w.Refund(third.ChargeID))(t)
	want := []string{"paid " + others.ChargeID, "paid " + second.ChargeID, "paid " + first.ChargeID, "refunded " + third.ChargeID, "paid " + third.ChargeID}
	within(t, "all updates", func() bool { return len(s.said()) == len(want) })
	got := s.said()
	check.That(t, slices.Equal(got, want), "the bot heard %v, want %v", got, want)
}

func TestDelayIsTheGivenOrTheUsual(t *testing.T) {
	w := newWorld(t, t.TempDir())
	s := w.openShop(t, "")
	link := w.invoice(t, s.Bot, 1)
	w.pay(t, PayRequest{Player: people.Zoe, Link: link, How: Late, DelayMS: 1})
	within(t, "the delay is over", func() bool { return len(s.said()) == 1 })
	for _, c := range []struct {
		how   How
		given int64
		want  time.Duration
	}{
		{Late, 0, 3 * time.Second}, {Pending, 0, 3 * time.Second}, {OutOfOrder, 0, time.Minute}, {Late, 90_000, 90 * time.Second}, {OutOfOrder, 5_000, 5 * time.Second},
	} {
		before := time.Now()
		w.pay(t, PayRequest{Player: people.Zoe, Link: link, How: c.how, DelayMS: c.given})
		w.mu.Lock()
		last := w.state.Stars.Deferred[len(w.state.Stars.Deferred)-1]
		w.mu.Unlock()
		at := time.UnixMilli(last.At)
		check.That(t, !at.Before(before.Add(c.want-time.Millisecond)) && !at.After(time.Now().Add(c.want)), "%s after %d ms comes in %v", c.how, c.given, at.Sub(before))
	}
}

func TestPendingPaymentNeedsStarsInTheEnd(t *testing.T) {
	w := newWorld(t, t.TempDir())
	s := w.openShop(t, "")
	w.pay(t, PayRequest{Player: people.Zoe, Link: w.invoice(t, s.Bot, 100), How: Pending, DelayMS: 60_000})
	check.Must(w.ChangeStars(people.Zoe, func(int64) int64 { return 99 }))(t)
	w.endDelays(t)
	list := transactions(t, s.Bot, 0, 0)
	check.That(t, len(list) == 0 && w.stars(t, people.Zoe) == 99, "transactions %+v", list)
}

func TestRefundIsMadeOnce(t *testing.T) {
	w := newWorld(t, t.TempDir())
	s := w.openShop(t, "")
	link := w.invoice(t, s.Bot, 500)
	one := w.pay(t, PayRequest{Player: people.Marina, Link: link})
	two := w.pay(t, PayRequest{Player: people.Boris, Link: link})
	refund := func(player int64, charge string) error {
		_, err := s.RefundStarPayment(t.Context(), &bot.RefundStarPaymentParams{UserID: player, TelegramPaymentChargeID: charge})
		return err
	}
	for name, c := range map[string]struct {
		err  error
		says string
	}{
		"no player":    {refund(0, one.ChargeID), "invalid user_id specified"},
		"no charge":    {refund(people.Marina, ""), `parameter "telegram_payment_charge_id" is required`},
		"unknown":      {refund(people.Marina, "stx1"), "CHARGE_NOT_FOUND"},
		"other player": {refund(people.Boris, one.ChargeID), "CHARGE_NOT_FOUND"},
	} {
		check.That(t, errors.Is(c.err, bot.ErrorBadRequest) && strings.HasSuffix(c.err.Error(), "Bad Request: "+c.says), "%s: %v", name, c.err)
	}
	check.NoError(t, refund(people.Marina, one.ChargeID))
	if err := refund(people.Marina, one.ChargeID); !errors.Is(err, bot.ErrorBadRequest) || !strings.HasSuffix(err.Error(), "Bad Request: CHARGE_ALREADY_REFUNDED") {
		t.Errorf("again: %v", err)
	}
	view, err := w.Refund(two.ChargeID) // by Telegram
	check.NoError(t, err)
	check.That(t, view.Refunded && view.Player == people.Boris && view.Amount == 500, "refunded %+v", view)
	_, err = w.Refund(two.ChargeID)
	check.That(t, err != nil, "Telegram refunded twice")
	if a, b := w.stars(t, people.Marina), w.stars(t, people.Boris); a != 10_000 || b != 10_000 {
		t.Errorf("they have %d and %d", a, b)
	}
	within(t, "the bot hears of both refunds", func() bool { return len(s.said()) == 4 })
	got := s.said()
	check.That(t, got[2] == "refunded "+one.ChargeID && got[3] == "refunded "+two.ChargeID, "the bot heard %v", got)
	want := StarPayment{Currency: "XTR", Amount: 500, Payload: "order-1", ChargeID: one.ChargeID}
	m := w.last(t, people.Marina)
	check.That(t, m.RefundedPayment != nil && *m.RefundedPayment == want, "the chat shows %+v", m)
	list := transactions(t, s.Bot, 0, 0)
	if len(list) != 4 || list[2].ID != one.ChargeID || list[2].Source != nil || list[2].Receiver.User.User.ID != people.Marina || list[2].Amount != 500 {
		t.Errorf("transactions %+v", list)
	}
	books := w.Books()
	check.That(t, books.Bot == 0 && len(books.Payments) == 2 && books.Payments[0].Refunded && books.Payments[0].ChargeID == two.ChargeID, "books %+v", books)
}

func TestTransactionsArePagedFromTheOldest(t *testing.T) {
	w := newWorld(t, t.TempDir())
	b := w.client(t)
	w.mu.Lock()
	for i := range 120 {
		w.state.Stars.Transactions = append(w.state.Stars.Transactions, StarTransaction{ID: fmt.Sprint(i), Amount: 1, Source: &Partner{Type: "user"}})
	}
	w.mu.Unlock()
	for _, c := range []struct{ offset, limit, length, first int }{
		{0, 0, 100, 0}, {0, 500, 100, 0}, {0, 7, 7, 0}, {100, 100, 20, 100}, {119, 1, 1, 119}, {120, 0, 0, 0}, {999, 0, 0, 0},
	} {
		list := transactions(t, b, c.offset, c.limit)
		if len(list) != c.length || c.length > 0 && list[0].ID != fmt.Sprint(c.first) {
			t.Errorf("offset %d, limit %d: %d transactions", c.offset, c.limit, len(list))
		}
	}
}

func TestFaultsAffectPaymentCalls(t *testing.T) {
	w := newWorld(t, t.TempDir())
	s := w.openShop(t, "")
	link := w.invoice(t, s.Bot, 500)
	r := w.pay(t, PayRequest{Player: people.Marina, Link: link})
	refund := func() error {
		_, err := s.RefundStarPayment(t.Context(), &bot.RefundStarPaymentParams{UserID: people.Marina, TelegramPaymentChargeID: r.ChargeID})
		return err
	}
	for method, call := range map[string]func() error{
		"createInvoiceLink": func() error { _, err := s.CreateInvoiceLink(t.Context(), invoiceOf(1)); return err },
		"answerPreCheckoutQuery": func() error {
			_, err := s.AnswerPreCheckoutQuery(t.Context(), &bot.AnswerPreCheckoutQueryParams{PreCheckoutQueryID: "1", OK: true})
			return err
		},
		"refundStarPayment": refund,
		"getStarTransactions": func() error {
			_, err := s.GetStarTransactions(t.Context(), &bot.GetStarTransactionsParams{})
			return err
		},
		"getMyStarBalance": func() error { _, err := s.GetMyStarBalance(t.Context()); return err },
	} {
		w.SetFaults([]Fault{{Method: method, Status: 429, RetryAfter: 3}})
		var slow *bot.TooManyRequestsError
		err := call()
		check.That(t, errors.As(err, &slow) && slow.RetryAfter == 3, "%s: %v", method, err)
	}
	// The answer is lost, the refund is made.
	w.SetFaults([]Fault{{Method: "refundStarPayment", Status: 500, After: true}})
	check.That(t, refund() != nil, "the fault was not used")
	err := refund()
	check.That(t, err != nil && strings.Contains(err.Error(), "CHARGE_ALREADY_REFUNDED"), "the repeated refund: %v", err)
}

// An answer that Telegram loses leaves the payment without the bot's consent.
func TestLostCheckoutAnswerFailsThePayment(t *testing.T) {
	w := newWorld(t, t.TempDir())
	w.checkoutTimeout = 200 * time.Millisecond
	b := w.client(t)
	w.SetFaults([]Fault{{Method: "answerPreCheckoutQuery", Status: 502, HTML: true}})
	answered := make(chan error)
	go func() {
		id := ""
		for end := time.Now().Add(time.Second); id == "" && time.Now().Before(end); time.Sleep(time.Millisecond) {
			w.mu.Lock()
			for open := range w.checkouts {
				id = open
			}
			w.mu.Unlock()
		}
		_, err := b.AnswerPreCheckoutQuery(context.Background(), &bot.AnswerPreCheckoutQueryParams{PreCheckoutQueryID: id, OK: true})
		answered <- err
	}()
	r := w.pay(t, PayRequest{Player: people.Marina, Link: w.invoice(t, b, 5)})
	check.That(t, r.Error == "BOT_PRECHECKOUT_TIMEOUT", "%+v", r)
	check.That(t, <-answered != nil, "the fault was not used")
}

func TestStarsSurviveRestart(t *testing.T) {
	dir := t.TempDir()
	var link string
	var late PayResult
	t.Run("before", func(t *testing.T) { // ends with the server stopped
		w := newWorld(t, dir)
		s := w.openShop(t, "")
		link = w.invoice(t, s.Bot, 500)
		w.pay(t, PayRequest{Player: people.Marina, Link: link})
		late = w.pay(t, PayRequest{Player: people.Boris, Link: link, How: Late, DelayMS: 60_000})
		within(t, "the first update", func() bool { return len(s.said()) == 1 })
	})
	w := newWorld(t, dir)
	s := w.openShop(t, "")
	if w.stars(t, people.Marina) != 9_500 || len(transactions(t, s.Bot, 0, 0)) != 2 {
		t.Errorf("%d Stars", w.stars(t, people.Marina))
	}
	r := w.pay(t, PayRequest{Player: people.Zoe, Link: link})
	check.That(t, r.Status == StatusPaid, "the old link: %+v", r)
	w.endDelays(t)
	within(t, "the late update", func() bool { return slices.Contains(s.said(), "paid "+late.ChargeID) })
}

// A drill pays at some fifty a second, with many players.
func TestManyPayAtOnce(t *testing.T) {
	w := newWorld(t, t.TempDir())
	s := w.openShop(t, "")
	const players = 200
	links := make([]string, players)
	ids := make([]int64, players)
	for i := range players {
		p := check.Must(w.cfg.People.Add(people.Person{}))(t)
		ids[i], links[i] = p.ID, w.invoice(t, s.Bot, 10)
	}
	began := time.Now()
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() {
			r, err := w.Pay(PayRequest{Player: id, Link: links[i]})
			check.That(t, err == nil && r.Status == StatusPaid && r.Stars == 9_990, "%+v %v", r, err)
		})
	}
	all.Wait()
	t.Logf("%d payments in %v", players, time.Since(began))
	within(t, "the bot hears of all", func() bool { return len(s.said()) == players })
	check.Equal(t, w.Books().Bot, 10*players, "the bot has")
}
