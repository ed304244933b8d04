package control

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk-sandbox/check"
	"mcbk-sandbox/people"
	"mcbk-sandbox/telegram"
)

// invoice makes a link by the Bot API.
func (c client) invoice(stars int) string {
	c.t.Helper()
	var made struct{ Result string }
	prices := url.QueryEscape(fmt.Sprintf(`[{"label":"coins","amount":%d}]`, stars))
	c.ok("GET", "/bot42:x/createInvoiceLink?title=Coins&description=Many&payload=order-1&currency=XTR&prices="+prices, "", &made)
	return made.Result
}

// consent answers the next pre-checkout query.
func (c client) consent(bot *sync.WaitGroup) {
	bot.Go(func() {
		for {
			var updates struct{ Result []telegram.Update }
			c.ok("GET", "/bot42:x/getUpdates?timeout=5", "", &updates)
			if n := len(updates.Result); n > 0 && updates.Result[n-1].PreCheckoutQuery != nil {
				c.ok("GET", "/bot42:x/answerPreCheckoutQuery?ok=true&pre_checkout_query_id="+updates.Result[n-1].PreCheckoutQuery.ID, "", nil)
				return
			}
		}
	})
}

func TestInvoiceIsPaidAndRefundedByControl(t *testing.T) {
	c := newClient(t)
	link := c.invoice(500)
	var invoice telegram.Invoice
	c.ok("GET", "/sandbox/stars/invoice?link="+url.QueryEscape(link), "", &invoice)
	if invoice.Title != "Coins" || invoice.Description != "Many" || invoice.Amount != 500 || invoice.Payload != "order-1" || !strings.HasSuffix(link, invoice.Slug) {
		t.Errorf("the invoice is %+v", invoice)
	}

	var bot sync.WaitGroup
	defer bot.Wait()
	c.consent(&bot)
	var paid telegram.PayResult
	c.ok("POST", "/sandbox/stars/pay", fmt.Sprintf(`{"player":%d,"link":%q}`, people.Marina, link), &paid)
	check.That(t, paid.Status == "paid" && paid.ChargeID != "" && paid.Stars == 9500, "paid: %+v", paid)
	var view telegram.View
	c.ok("GET", fmt.Sprintf("/sandbox/chat/%d", people.Marina), "", &view)
	if len(view.Messages) != 1 || view.Messages[0].SuccessfulPayment == nil {
		t.Errorf("the chat shows %+v", view.Messages)
	}

	var refunded telegram.PaymentView
	body := fmt.Sprintf(`{"charge":%q}`, paid.ChargeID)
	c.ok("POST", "/sandbox/stars/refund", body, &refunded)
	check.That(t, refunded.Refunded && refunded.Player == people.Marina && refunded.Amount == 500, "refunded: %+v", refunded)
	var again struct{ Message string }
	status := c.do("POST", "/sandbox/stars/refund", body, &again)
	check.That(t, status == http.StatusBadRequest && strings.HasSuffix(again.Message, "CHARGE_ALREADY_REFUNDED"), "refunded twice: %d %s", status, again.Message)
	var books telegram.Books
	c.ok("GET", "/sandbox/stars", "", &books)
	check.That(t, books.Bot == 0 && len(books.Players) == 5 && books.Players[0].Stars == 10000 && len(books.Payments) == 1 && books.Payments[0].Refunded, "the books are %+v", books)

	var cancelled telegram.PayResult
	c.ok("POST", "/sandbox/stars/pay", fmt.Sprintf(`{"player":%d,"link":%q,"how":"cancel"}`, people.Boris, link), &cancelled)
	check.That(t, cancelled.Status == "cancelled" && cancelled.Stars == 10000, "cancelled: %+v", cancelled)
}

func TestStarsAreGivenAndTaken(t *testing.T) {
	c := newClient(t)
	purse := fmt.Sprintf("/sandbox/stars/%d", people.Olga)
	events, stop := c.api.Feed.Listen()
	defer stop()
	for _, change := range []struct {
		body   string
		status int
		has    int64
	}{
		{`{"give":250}`, 200, 10250},
		{`{"take":10000}`, 200, 250},
		{`{"take":251}`, 409, 250},
		{`{"set":0}`, 200, 0},
		{`{"give":-1}`, 400, 0},
		{`{"give":1,"take":1}`, 400, 0},
		{`{}`, 400, 0},
	} {
		status := c.do("POST", purse, change.body, nil)
		check.That(t, status == change.status, "%s: %d", change.body, status)
		var now telegram.Balance
		c.ok("GET", purse, "", &now)
		check.That(t, now.Player == people.Olga && now.Stars == change.has, "after %s: %+v", change.body, now)
	}
	select {
	case e := <-events:
		check.That(t, e.Kind == "stars" && e.Player == people.Olga, "the page was told %+v", e)
	case <-time.After(time.Second):
		t.Error("the page was told nothing")
	}
}

func TestImpossiblePaymentsGetReason(t *testing.T) {
	c := newClient(t)
	link := c.invoice(500)
	c.ok("POST", fmt.Sprintf("/sandbox/stars/%d", people.Zoe), `{"set":499}`, nil)
	for _, q := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/sandbox/stars/1", "", 404},
		{"POST", "/sandbox/stars/1", `{"give":1}`, 404},
		{"GET", "/sandbox/stars/marina", "", 400},
		{"GET", "/sandbox/stars/invoice?link=https://t.me/$none", "", 404},
		{"POST", "/sandbox/stars/pay", fmt.Sprintf(`{"player":1,"link":%q}`, link), 404},
		{"POST", "/sandbox/stars/pay", fmt.Sprintf(`{"player":%d}`, people.Zoe), 404},
		{"POST", "/sandbox/stars/pay", fmt.Sprintf(`{"player":%d,"link":%q}`, people.Zoe, link), 409},
		{"POST", "/sandbox/stars/pay", fmt.Sprintf(`{"player":%d,"link":%q,"how":"steal"}`, people.Boris, link), 400},
		{"POST", "/sandbox/stars/refund", `{"charge":"stx1"}`, 400},
	} {
		var answer struct{ Message string }
		status := c.do(q.method, q.path, q.body, &answer)
		check.That(t, status == q.want && answer.Message != "", "%s %s %s: %d %q, want %d", q.method, q.path, q.body, status, answer.Message, q.want)
	}
}
