package telegram

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"mcbk-sandbox/people"
)

const (
	starsCurrency   = "XTR"
	initialStars    = 10_000  // a player's balance at first
	maxInvoiceStars = 100_000 // Telegram refuses 150,000
	linkPrefix      = "https://t.me/$"
)

// ErrNoInvoice means an unknown invoice link.
var ErrNoInvoice = errors.New("no such invoice")

// ErrTooFewStars means a balance below the price, or below what is taken.
var ErrTooFewStars = errors.New("the player has too few Stars")

// stars are the players' balances, the bot's invoices and its books.
type stars struct {
	Balances     map[int64]int64    `json:"balances"` // by player; a missing one is initialStars
	Invoices     map[string]Invoice `json:"invoices"` // by slug
	Transactions []StarTransaction  `json:"transactions"`
	Deferred     []deferred         `json:"deferred"`
}

// Invoice is what a link of createInvoiceLink asks. Anybody may pay it, and more than once.
type Invoice struct {
	Slug        string `json:"slug"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Payload     string `json:"payload"`
	Amount      int64  `json:"amount"` // in Stars
}

// Balance is a player's Stars.
type Balance struct {
	Player int64 `json:"player"`
	Stars  int64 `json:"stars"`
}

// Books are the bot's and the players' Stars with the latest payments, the newest first.
type Books struct {
	Bot      int64         `json:"bot"`
	Players  []Balance     `json:"players"`
	Payments []PaymentView `json:"payments"`
}

// PaymentView is a payment in Books.
type PaymentView struct {
	ChargeID string `json:"telegram_payment_charge_id"`
	Player   int64  `json:"player"`
	Amount   int64  `json:"amount"`
	Payload  string `json:"invoice_payload"`
	Date     int64  `json:"date"`
	Refunded bool   `json:"refunded"`
}

const paymentsShown = 50

func (s *Server) createInvoiceLink(p params) (any, error) {
	for _, name := range []string{"title", "description", "payload", "currency"} {
		if p.text(name) == "" {
			return nil, badRequest("parameter %q is required", name)
		}
	}
	amount, err := price(p)
	if err != nil {
		return nil, err
	}
	invoice := Invoice{
		Slug: randomID(12), Title: p.text("title"), Description: p.text("description"), Payload: p.text("payload"), Amount: amount,
	}
	switch {
	case p.text("currency") != starsCurrency: // others need a payment provider
		return nil, badRequest("PAYMENT_PROVIDER_INVALID")
	case len(invoice.Payload) > 128:
		return nil, badRequest("INVOICE_PAYLOAD_INVALID")
	case utf16Len(invoice.Title) > 32, utf16Len(invoice.Description) > 255, !plainInvoice(p):
		return nil, badRequest("STARS_INVOICE_INVALID")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Stars.Invoices[invoice.Slug] = invoice
	s.dirty = true
	return linkPrefix + invoice.Slug, nil
}

// price is the invoice's only price.
func price(p params) (int64, error) {
	var prices []struct {
		Amount json.Number `json:"amount"`
	}
	if err := p.object("prices", &prices); err != nil {
		return 0, err
	}
	if len(prices) == 0 {
		return 0, badRequest("there must be at least one price")
	}
	var total int64
	for _, one := range prices {
		amount, err := one.Amount.Int64()
		if err != nil {
			return 0, badRequest("can't parse LabeledPrice: Field \"amount\" must be a valid Number")
		}
		total += amount
	}
	switch {
	case total <= 0:
		return 0, badRequest("total price must be positive")
	case len(prices) > 1:
		return 0, badRequest("STARS_INVOICE_INVALID")
	case total > maxInvoiceStars:
		return 0, badRequest("CURRENCY_TOTAL_AMOUNT_INVALID")
	}
	return total, nil
}

// plainInvoice reports that the invoice asks for nothing that Stars exclude or the sandbox lacks, like a subscription.
func plainInvoice(p params) bool {
	for _, name := range []string{
		"need_name", "need_phone_number", "need_email", "need_shipping_address", "send_phone_number_to_provider", "send_email_to_provider", "is_flexible",
	} {
		if p.flag(name) {
			return false
		}
	}
	return p.text("provider_token") == "" && p.number("max_tip_amount") == 0 && p.number("subscription_period") == 0
}

// randomID has the letters of invoice links and charge ids.
func randomID(bytes int) string {
	raw := make([]byte, bytes)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

// Invoice finds an invoice by its link or slug.
func (s *Server) Invoice(link string) (Invoice, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.invoice(link)
}

func (s *Server) invoice(link string) (Invoice, error) {
	slug := strings.TrimPrefix(link[strings.LastIndex(link, "/")+1:], "$")
	invoice, ok := s.state.Stars.Invoices[slug]
	if !ok {
		return Invoice{}, ErrNoInvoice
	}
	return invoice, nil
}

func (s *Server) getStarTransactions(p params) (any, error) {
	limit := 100
	if p.text("limit") != "" {
		limit = min(max(int(p.number("limit")), 1), 100)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.state.Stars.Transactions
	from := min(max(int(p.number("offset")), 0), len(all))
	list := append([]StarTransaction{}, all[from:min(from+limit, len(all))]...)
	return map[string]any{"transactions": list}, nil
}

func (s *Server) getMyStarBalance(params) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return map[string]int64{"amount": s.botStars()}, nil
}

func (s *Server) botStars() int64 {
	var sum int64
	for _, t := range s.state.Stars.Transactions {
		if t.Source != nil {
			sum += t.Amount
		} else {
			sum -= t.Amount
		}
	}
	return sum
}

func (s *Server) refundStarPayment(p params) (any, error) {
	player := p.number("user_id")
	if player <= 0 {
		return nil, badRequest("invalid user_id specified")
	}
	charge := p.text("telegram_payment_charge_id")
	if charge == "" {
		return nil, badRequest("parameter %q is required", "telegram_payment_charge_id")
	}
	if _, err := s.refund(charge, player); err != nil {
		return nil, err
	}
	return true, nil
}

// Refund is a refund by Telegram itself, of which the bot only hears.
func (s *Server) Refund(charge string) (PaymentView, error) { return s.refund(charge, 0) }

// refund returns the Stars to the payer: the player, or whoever paid if that is 0.
func (s *Server) refund(charge string, player int64) (PaymentView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	payment := s.payment(charge)
	if payment.ChargeID == "" || player != 0 && player != payment.Player {
		return PaymentView{}, badRequest("CHARGE_NOT_FOUND")
	}
	if payment.Refunded {
		return PaymentView{}, badRequest("CHARGE_ALREADY_REFUNDED")
	}
	person, ok := s.cfg.People.Find(payment.Player)
	if !ok {
		return PaymentView{}, people.ErrNoPlayer
	}
	s.setStars(person.ID, s.starsOf(person.ID)+payment.Amount)
	t := s.transaction(charge, payment.Amount)
	t.Receiver = partner(person, payment.Payload)
	s.state.Stars.Transactions = append(s.state.Stars.Transactions, t)
	m := s.serviceMessage(person, &Message{RefundedPayment: &StarPayment{
		Currency: starsCurrency, Amount: payment.Amount, Payload: payment.Payload, ChargeID: charge,
	}})
	payment.Refunded = true
	return payment, s.announce(m)
}

// payment finds a payment; an unknown one is empty.
func (s *Server) payment(charge string) PaymentView {
	var found PaymentView
	for _, t := range s.state.Stars.Transactions {
		switch {
		case t.ID != charge:
		case t.Source != nil:
			found = viewPayment(t)
		default:
			found.Refunded = true
		}
	}
	return found
}

func viewPayment(t StarTransaction) PaymentView {
	return PaymentView{ChargeID: t.ID, Player: t.Source.User.ID, Amount: t.Amount, Payload: t.Source.Payload, Date: t.Date}
}

func (s *Server) transaction(charge string, amount int64) StarTransaction {
	return StarTransaction{ID: charge, Amount: amount, Date: s.cfg.Clock.Now().Unix()}
}

func partner(person people.Person, payload string) *Partner {
	who := user(person)
	who.LanguageCode = "" // only in updates
	return &Partner{Type: "user", TransactionType: "invoice_payment", User: who, Payload: payload}
}

// serviceMessage adds a message of Telegram to the player's chat. The caller holds the lock.
func (s *Server) serviceMessage(person people.Person, m *Message) *Message {
	m.From, m.Chat, m.Date = user(person), privateChat(person), s.cfg.Clock.Now().Unix()
	s.chat(person.ID).add(m)
	s.changed("chat", person.ID)
	return m
}

// Stars returns a player's balance.
func (s *Server) Stars(player int64) (Balance, error) {
	if _, ok := s.cfg.People.Find(player); !ok {
		return Balance{}, people.ErrNoPlayer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Balance{player, s.starsOf(player)}, nil
}

// ChangeStars sets a player's balance to what next makes of it.
func (s *Server) ChangeStars(player int64, next func(now int64) int64) (Balance, error) {
	if _, ok := s.cfg.People.Find(player); !ok {
		return Balance{}, people.ErrNoPlayer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	to := next(s.starsOf(player))
	if to < 0 {
		return Balance{}, ErrTooFewStars
	}
	s.setStars(player, to)
	return Balance{player, to}, nil
}

// starsOf is the player's balance. The caller holds the lock.
func (s *Server) starsOf(player int64) int64 {
	if have, ok := s.state.Stars.Balances[player]; ok {
		return have
	}
	return initialStars
}

func (s *Server) setStars(player, to int64) {
	s.state.Stars.Balances[player] = to
	s.changed("stars", player)
}

// Books returns everyone's Stars and the latest payments.
func (s *Server) Books() Books {
	everyone := s.cfg.People.All()
	s.mu.Lock()
	defer s.mu.Unlock()
	b := Books{Bot: s.botStars(), Players: make([]Balance, 0, len(everyone)), Payments: []PaymentView{}}
	for _, person := range everyone {
		b.Players = append(b.Players, Balance{person.ID, s.starsOf(person.ID)})
	}
	refunded := map[string]bool{}
	for _, t := range slices.Backward(s.state.Stars.Transactions) {
		switch {
		case t.Receiver != nil:
			refunded[t.ID] = true
		case len(b.Payments) < paymentsShown:
			payment := viewPayment(t)
			payment.Refunded = refunded[t.ID]
			b.Payments = append(b.Payments, payment)
		}
	}
	return b
}
