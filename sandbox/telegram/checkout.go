package telegram

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"mcbk-sandbox/people"
)

// How is the course of a payment, beginning with the player's choice on the payment sheet.
type How string

// The courses of a payment. All but Cancel ask the bot first.
const (
	Pay        How = "pay"
	Cancel     How = "cancel"       // the player closes the sheet
	Fail       How = "fail"         // the bot agrees, then the payment fails
	Pending    How = "pending"      // paid after the delay
	Twice      How = "twice"        // two updates of one payment
	Late       How = "late"         // the update comes after the delay
	Lost       How = "lost"         // no update, only the transaction
	OutOfOrder How = "out_of_order" // the update comes after that of the player's next payment or refund, or after the delay
)

var hows = []How{Pay, Cancel, Fail, Pending, Twice, Late, Lost, OutOfOrder}

// Delays when none is given.
const (
	usualDelay    = 3 * time.Second
	reorderWindow = time.Minute
)

// checkoutTimeout is how long Telegram waits for the bot.
const checkoutTimeout = 10 * time.Second

// Status is what the mini-app hears by invoice_closed.
type Status string

// The ends of a payment sheet.
const (
	StatusPaid      Status = "paid"
	StatusCancelled Status = "cancelled"
	StatusFailed    Status = "failed"
	StatusPending   Status = "pending"
)

// PayRequest pays an invoice.
type PayRequest struct {
	Player int64  `json:"player"`
	Link   string `json:"link"` // or its slug
	How    How    `json:"how"`  // default Pay
	// DelayMS is the delay of Pending, Late and OutOfOrder in milliseconds; 0 is the default.
	DelayMS int64 `json:"delay_ms"`
}

// PayResult is what happened.
type PayResult struct {
	Slug   string `json:"slug"`
	Status Status `json:"status"`
	// Error is Telegram's word for a failure, Message the bot's sentence.
	Error    string `json:"error,omitempty"`
	Message  string `json:"message,omitempty"`
	QueryID  string `json:"pre_checkout_query_id,omitempty"`
	AnswerMS int64  `json:"answer_ms"` // how long the bot took
	ChargeID string `json:"telegram_payment_charge_id,omitempty"`
	Stars    int64  `json:"stars"` // the player's balance
}

// checkout is a pre-checkout query that waits for the bot. The Server's lock guards it.
type checkout struct {
	done     chan struct{} // closed when answered
	answered bool
	ok       bool
	message  string
}

// deferred is what of a payment comes later: all of a pending one, else its update.
type deferred struct {
	At       int64   `json:"at"` // Unix milliseconds of the real time
	Player   int64   `json:"player"`
	Slug     string  `json:"slug,omitempty"` // of a pending payment
	ChargeID string  `json:"charge_id,omitempty"`
	Update   *Update `json:"update,omitempty"`
	// AfterNext lets the update out after the player's next one of Stars.
	AfterNext bool `json:"after_next,omitempty"`
}

// Pay pays an invoice as the payment sheet does, and waits until the sheet would close.
func (s *Server) Pay(r PayRequest) (PayResult, error) {
	if r.How == "" {
		r.How = Pay
	}
	if !slices.Contains(hows, r.How) {
		return PayResult{}, badRequest("how must be one of %v", hows)
	}
	person, ok := s.cfg.People.Find(r.Player)
	if !ok {
		return PayResult{}, people.ErrNoPlayer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	invoice, err := s.invoice(r.Link)
	if err != nil {
		return PayResult{}, err
	}
	result := PayResult{Slug: invoice.Slug, Status: StatusCancelled}
	if r.How != Cancel {
		if s.starsOf(person.ID) < invoice.Amount {
			return PayResult{}, ErrTooFewStars
		}
		if err := s.askBot(person, invoice, &result); err != nil {
			return PayResult{}, err
		}
		if result.Error == "" {
			err = s.complete(person, invoice, r, &result)
		}
	}
	result.Stars = s.starsOf(person.ID)
	return result, err
}

// askBot sends the pre-checkout query and waits for its answer. The caller holds the lock, which is released meanwhile.
func (s *Server) askBot(person people.Person, invoice Invoice, result *PayResult) error {
	asked := time.Now()
	result.QueryID = fmt.Sprint(rand.Int64())
	c := &checkout{done: make(chan struct{})}
	s.checkouts[result.QueryID] = c
	defer delete(s.checkouts, result.QueryID)
	if err := s.enqueue(Update{PreCheckoutQuery: &PreCheckoutQuery{
		ID: result.QueryID, From: user(person), Currency: starsCurrency, Amount: invoice.Amount, Payload: invoice.Payload,
	}}); err != nil {
		return err
	}
	timeout := time.NewTimer(s.checkoutTimeout)
	defer timeout.Stop()
	s.mu.Unlock()
	select {
	case <-c.done:
	case <-timeout.C:
	}
	s.mu.Lock()
	result.AnswerMS = time.Since(asked).Milliseconds()
	switch {
	case !c.answered:
		result.Status, result.Error = StatusFailed, "BOT_PRECHECKOUT_TIMEOUT"
	case !c.ok:
		result.Status, result.Error, result.Message = StatusFailed, "BOT_PRECHECKOUT_FAILED", c.message
	}
	return nil
}

// answerPreCheckoutQuery is taken once, while the payment waits.
func (s *Server) answerPreCheckoutQuery(p params) (any, error) {
	ok, message := p.flag("ok"), p.text("error_message")
	if !ok && message == "" {
		return nil, badRequest("parameter %q is required", "error_message")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := strings.TrimSpace(p.text("pre_checkout_query_id"))
	c := s.checkouts[id]
	if c == nil {
		return nil, errOldQuery
	}
	delete(s.checkouts, id)
	c.answered, c.ok, c.message = true, ok, message
	close(c.done)
	return true, nil
}

// complete does what follows the bot's consent.
func (s *Server) complete(person people.Person, invoice Invoice, r PayRequest, result *PayResult) error {
	if r.How == Fail {
		result.Status, result.Error = StatusFailed, "PAYMENT_FAILED"
		return nil
	}
	result.ChargeID = "stx" + randomID(60)
	delay := time.Duration(r.DelayMS) * time.Millisecond
	if delay <= 0 {
		delay = usualDelay
		if r.How == OutOfOrder {
			delay = reorderWindow
		}
	}
	later := deferred{At: time.Now().Add(delay).UnixMilli(), Player: person.ID}
	if r.How == Pending {
		result.Status = StatusPending
		later.Slug, later.ChargeID = invoice.Slug, result.ChargeID
		s.deferIt(later)
		return nil
	}
	m := s.settle(person, invoice, result.ChargeID)
	if m == nil { // spent while the bot was asked
		result.Status, result.Error, result.ChargeID = StatusFailed, "BALANCE_TOO_LOW", ""
		return nil
	}
	result.Status = StatusPaid
	switch r.How {
	case Lost:
	case Late, OutOfOrder:
		sent := *m
		later.Update, later.AfterNext = &Update{Message: &sent}, r.How == OutOfOrder
		s.deferIt(later)
	case Twice:
		if err := s.announce(m); err != nil {
			return err
		}
		return s.announce(m)
	default:
		return s.announce(m)
	}
	return nil
}

// settle moves the Stars and returns the service message, or nil if the player has too few.
func (s *Server) settle(person people.Person, invoice Invoice, charge string) *Message {
	have := s.starsOf(person.ID)
	if have < invoice.Amount {
		return nil
	}
	s.setStars(person.ID, have-invoice.Amount)
	t := s.transaction(charge, invoice.Amount)
	t.Source = partner(person, invoice.Payload)
	s.state.Stars.Transactions = append(s.state.Stars.Transactions, t)
	return s.serviceMessage(person, &Message{SuccessfulPayment: &StarPayment{
		Currency: starsCurrency, Amount: invoice.Amount, Payload: invoice.Payload, ChargeID: charge,
	}})
}

// announce sends a service message to the bot, then the player's updates that are out of order.
func (s *Server) announce(m *Message) error {
	sent := *m
	if err := s.enqueue(Update{Message: &sent}); err != nil {
		return err
	}
	return s.release(func(d deferred) bool { return d.AfterNext && d.Player == m.Chat.ID })
}

func (s *Server) deferIt(d deferred) {
	s.state.Stars.Deferred = append(s.state.Stars.Deferred, d)
	s.dirty = true
}

// releaseDue completes the payments whose delay is over.
func (s *Server) releaseDue() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now().UnixMilli()
	return s.release(func(d deferred) bool { return d.At <= now })
}

func (s *Server) release(due func(deferred) bool) error {
	var out []deferred
	s.state.Stars.Deferred = slices.DeleteFunc(s.state.Stars.Deferred, func(d deferred) bool {
		if due(d) {
			out = append(out, d)
			return true
		}
		return false
	})
	for _, d := range out {
		s.dirty = true
		if d.Update != nil {
			if err := s.enqueue(*d.Update); err != nil {
				return err
			}
			continue
		}
		person, known := s.cfg.People.Find(d.Player)
		invoice, err := s.invoice(d.Slug)
		if !known || err != nil {
			continue
		}
		if m := s.settle(person, invoice, d.ChargeID); m != nil {
			if err := s.announce(m); err != nil {
				return err
			}
		}
	}
	return nil
}
