package drill

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/trial"
)

const (
	microOfStar = 6_500_000        // the coins for a Star on the first day: 1.3 cents at 0.2 cents a coin
	asksAgain   = time.Minute      // so long an update of a killed program stays claimed
	listIsRead  = 10 * time.Minute // at the beginning of every ten minutes Telegram's list is read, whether or not an order is open
	mostStars   = 200              // of an order
)

// courses are what Telegram does with a payment, see sandbox/README.md. After those that take nothing the player pays once more.
var courses = []string{"pay", "pay", "twice", "late", "lost", "out_of_order", "pending", "fail", "cancel"}

// shop is a game that sells coins for Stars, and what is bought there.
type shop struct {
	*market
	url     atomic.Pointer[string] // of the program
	buyers  []customer
	refunds chan string // charges that the admin refunds

	mu       sync.Mutex
	comments []string // of the orders
	charges  []string // Telegram took the money, or will
	refused  int      // payments of others, or of what is paid
}

// customer is a player of the sandbox.
type customer struct {
	trial.Player
	id int64
}

// Coins are ordered, paid and refunded while the program is killed, and Telegram's updates are doubled, late, lost and out of order:
// what Telegram took and did not give back is credited once.
func TestKilledProgramCreditsStarsOnce(t *testing.T) {
	eachMarket(t, func(m *market) {
		s := &shop{market: m, refunds: make(chan string, size().purchases)}
		m.settings = append(m.settings, m.chain.Telegram()...)
		program := s.again()
		m.books() // before others use it
		s.open(program)
		terminate(m.t, program)
		s.slowCharges()

		var buying, refunding sync.WaitGroup
		refunding.Go(s.refund)
		midway, bought := 0, 0
		for round := range size().kills {
			program = s.again()
			for ; bought < size().purchases*(round+1)/size().kills; bought++ {
				s.comesToBuy(&buying, bought)
			}
			if m.chance.IntN(2) == 0 { // the refund is made, and nobody hears of it
				must(m.t, m.chain.FailCalls(m.t.Context(), map[string]any{"method": "refundStarPayment", "status": http.StatusBadGateway, "after": true}))
			}
			m.wait(3 * time.Second)
			for end := time.Now().Add(3 * time.Second); round%2 == 0 && m.waiting() == 0 && time.Now().Before(end); { // most likely one is being credited
				time.Sleep(10 * time.Millisecond)
			}
			program.Kill()
			if m.waiting() > 0 {
				midway++
			}
			if m.chance.IntN(2) == 0 { // the next program reads Telegram's list at once
				must(m.t, m.chain.Advance(m.t.Context(), time.Minute))
			}
		}
		if midway == 0 {
			m.t.Error("it was never killed while an update waited: the drill shows nothing")
		}
		must(m.t, m.chain.Advance(m.t.Context(), asksAgain)) // the claims of killed programs end
		program = s.again()
		buying.Wait()
		close(s.refunds)
		refunding.Wait()
		program = s.settled(program)
		for _, charge := range s.held() { // paid twice: Telegram gives it back
			must(m.t, m.chain.RefundStars(m.t.Context(), charge))
		}
		program = s.settled(program)
		s.creditedOnce()
		terminate(m.t, program)
		s.normalCharges()
		must(m.t, trial.Verify(m.t.Context(), *binary, m.settings))
		must(m.t, trial.VerifyStars(m.t.Context(), *binary, m.settings))
		if !m.onFile() {
			if n := m.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"); n > 0 {
				m.t.Errorf("%d deadlocks: an update waits, or the list is not read for a minute", n)
			}
		}
		m.t.Logf("%d orders, %d charges, %d payments refused; killed %d times, %d of them while updates waited", len(s.comments), len(s.charges), s.refused, size().kills, midway)
	})
}

// again starts a program, which the customers use from now on.
func (s *shop) again() *trial.Program {
	s.t.Helper()
	program := s.start()
	s.url.Store(&program.URL)
	return program
}

// open has everybody sign in; the first invites the others and buys nothing.
func (s *shop) open(program *trial.Program) {
	s.t.Helper()
	for range 1 + size().purchases/3 {
		id, player, err := s.chain.NewPlayer(s.t.Context())
		must(s.t, err)
		s.buyers = append(s.buyers, customer{player, id})
		b := buyer{Player: player, client: trial.NewClient(program.URL)}
		me := s.call(b, "GET", "/api/user/me?referral_code="+s.host.code, "")
		s.call(b, "PUT", "/api/user/update", `{"age_consent_accepted":true}`)
		if s.host.code == "" {
			s.host.code = me.Text("referral_code")
		}
		b.client.Close()
	}
}

// slowCharges slows down crediting, so that a program is killed meanwhile.
func (s *shop) slowCharges() {
	s.t.Helper()
	if s.onFile() {
		s.do(`PRAGMA query_only = OFF; CREATE TRIGGER slowly AFTER INSERT ON star_charges BEGIN
			SELECT COUNT(*) FROM (WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200000) SELECT n FROM c); END`)
		return
	}
	s.slowly("BEFORE INSERT ON star_charges", 0.1)
}

func (s *shop) normalCharges() {
	s.t.Helper()
	if s.onFile() {
		s.do("PRAGMA query_only = OFF; DROP TRIGGER slowly")
		return
	}
	s.normally()
}

// comesToBuy has the next customer buy.
func (s *shop) comesToBuy(buying *sync.WaitGroup, number int) {
	who, other := s.buyers[1+number%(len(s.buyers)-1)], s.buyers[0]
	p := purchases{
		shop: s, who: who, other: other, key: fmt.Sprintf("purchase-of-stars-%d", number), stars: 1 + s.chance.IntN(mostStars),
		how: courses[s.chance.IntN(len(courses))], delay: time.Duration(1+s.chance.IntN(4000)) * time.Millisecond,
		lets: s.chance.IntN(6) == 0, again: s.chance.IntN(6) == 0,
	}
	switch s.chance.IntN(6) {
	case 0:
		p.refundBy = "telegram"
	case 1:
		p.refundBy = "admin"
	}
	pause := time.Duration(s.chance.Int64N(int64(2 * time.Second)))
	buying.Go(func() {
		time.Sleep(pause)
		if err := p.make(s.t.Context()); err != nil {
			s.t.Errorf("purchase %d, %s: %v", number, p.how, err)
		}
	})
}

// purchases are an order of a customer, and the payments for it.
type purchases struct {
	*shop
	who, other customer
	key        string
	stars      int
	how        string
	delay      time.Duration // of what comes later
	lets       bool          // another pays first
	again      bool          // the customer pays once more
	refundBy   string
}

func (p *purchases) make(ctx context.Context) error {
	comment, link, err := p.order(ctx)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.comments = append(p.comments, comment)
	p.mu.Unlock()
	if p.lets {
		switch paid, err := p.chain.PayStars(ctx, p.other.id, link, "pay", 0); {
		case err != nil:
			return err
		case paid.Charge != "":
			return errors.New("another player may pay for it")
		}
		p.refuse()
	}
	if p.how == "fail" || p.how == "cancel" {
		if _, err := p.chain.PayStars(ctx, p.who.id, link, p.how, 0); err != nil {
			return err
		}
		p.how = "pay"
	}
	paid, err := p.pay(ctx, link)
	if err != nil {
		return err
	}
	if p.again {
		second, err := p.chain.PayStars(ctx, p.who.id, link, "pay", 0)
		if err != nil {
			return err
		}
		p.take(second)
		return nil
	}
	switch {
	case paid.Status != "paid":
		return nil
	case p.refundBy == "telegram":
		return p.chain.RefundStars(ctx, paid.Charge)
	case p.refundBy == "admin":
		p.refunds <- paid.Charge
	}
	return nil
}

// order orders coins, under one key until it is answered.
func (p *purchases) order(ctx context.Context) (comment, link string, err error) {
	request := p.who.Request("POST", "/api/token/stars", fmt.Sprintf(`{"stars":%d}`, p.stars), "Idempotency-Key", p.key)
	var last trial.Answer
	for deadline := time.Now().Add(scaleTimeout(asksAgain)); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		client := trial.NewClient(*p.url.Load())
		last, err = client.Do(request)
		client.Close()
		switch {
		case err != nil, last.Status == http.StatusServiceUnavailable, last.Status == http.StatusBadGateway, strings.Contains(string(last.Body), "request_in_progress"):
		case last.Status != http.StatusOK:
			return "", "", fmt.Errorf("an order is answered %d: %s", last.Status, last.Body)
		default:
			return last.Order().Comment, last.Text("invoice_link"), nil
		}
	}
	return "", "", fmt.Errorf("an order is not answered: %w, last %s", err, last.Body)
}

// pay pays until Telegram takes the money: while no program answers, it takes nothing.
func (p *purchases) pay(ctx context.Context, link string) (paid trial.StarPayment, err error) {
	for deadline := time.Now().Add(scaleTimeout(asksAgain)); time.Now().Before(deadline); {
		if paid, err = p.chain.PayStars(ctx, p.who.id, link, p.how, p.delay); err != nil || paid.Charge != "" {
			p.take(paid)
			return paid, err
		}
	}
	return paid, fmt.Errorf("it cannot be paid: %s %s", paid.Error, paid.Message)
}

// take notes what Telegram took, or that it did not.
func (p *purchases) take(paid trial.StarPayment) {
	if paid.Charge == "" {
		p.refuse()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.charges = append(p.charges, paid.Charge)
}

func (p *purchases) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused++
}

// refund is the admin, who has each charge refunded by the bot: what no update has told of, only after Telegram's list was read.
func (s *shop) refund() {
	for charge := range s.refunds {
		deadline := time.Now().Add(scaleTimeout(5 * asksAgain))
		for asked := false; !asked; {
			var err error
			if asked, err = s.asksRefund(charge); err != nil || time.Now().After(deadline) {
				s.t.Errorf("the admin cannot refund %s: %v", charge, err)
				break
			}
		}
	}
}

// asksRefund sends the command and confirms it; asked is whether the program has taken note.
func (s *shop) asksRefund(charge string) (asked bool, err error) {
	ctx := s.t.Context()
	said, err := s.chain.Say(ctx, trial.Admin, "/stars refund "+charge)
	if err != nil {
		return false, err
	}
	pressed := false
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if !pressed {
			if pressed, err = s.chain.Press(ctx, trial.Admin, said); err != nil {
				return false, err
			}
		}
		row := s.raw.QueryRowContext(ctx, "SELECT COUNT(*) FROM star_charges WHERE charge_id = $1 AND (refund_requested_at IS NOT NULL OR refunded_at IS NOT NULL)", charge)
		var n int
		if err := row.Scan(&n); err != nil || n > 0 {
			return n > 0, err
		}
	}
	return false, nil
}

// settled waits until all that Telegram lists is recorded: a program that starts at the beginning of ten minutes reads it.
func (s *shop) settled(program *trial.Program) *trial.Program {
	s.t.Helper()
	s.until("Telegram lists every payment", asksAgain, func() bool {
		var listed []string
		for _, t := range s.list() {
			listed = append(listed, t.ID)
		}
		return !slices.ContainsFunc(s.charges, func(charge string) bool { return !slices.Contains(listed, charge) })
	})
	for round := 0; ; round++ { // a refund may be listed only after the list was read
		program.Kill()
		now, err := s.chain.Now(s.t.Context())
		must(s.t, err)
		period := now.Truncate(listIsRead).Add(listIsRead)
		must(s.t, s.chain.Advance(s.t.Context(), period.Sub(now)+2*time.Second))
		program = s.again()
		s.until("updates and refunds are handled, and the list is read", asksAgain, func() bool {
			return s.waiting() == 0 &&
				s.count("SELECT COUNT(*) FROM star_charges WHERE refund_requested_at IS NOT NULL AND refunded_at IS NULL") == 0 &&
				s.count("SELECT COUNT(*) FROM job_runs WHERE job = 'read_stars' AND period >= $1", period.UTC()) == 1
		})
		switch read, lines := s.count("SELECT transactions FROM star_books"), int64(len(s.list())); {
		case read == lines:
			return program
		case round == 5:
			s.t.Fatalf("%d of %d lines of the list are recorded", read, lines)
		}
	}
}

func (s *shop) list() []trial.StarTransaction {
	s.t.Helper()
	all, err := s.chain.StarTransactions(s.t.Context())
	must(s.t, err)
	return all
}

// held returns the charges that wait for an admin.
func (s *shop) held() (charges []string) {
	s.t.Helper()
	rows, err := s.books().QueryContext(s.t.Context(), "SELECT charge_id FROM payments WHERE state = 'held'")
	must(s.t, err)
	defer rows.Close() //nolint:errcheck // read only
	for rows.Next() {
		var charge string
		must(s.t, rows.Scan(&charge))
		charges = append(charges, charge)
	}
	must(s.t, rows.Err())
	return charges
}

// creditedOnce compares with Telegram's list what is credited, and what the ledger holds.
func (s *shop) creditedOnce() {
	s.t.Helper()
	kept := map[string]int64{} // what Telegram has not given back, by charge
	var charges, refunds, stars int64
	for _, t := range s.list() {
		if t.Source == nil {
			refunds++
			stars -= t.Amount
			delete(kept, t.ID)
			continue
		}
		charges++
		stars += t.Amount
		kept[t.ID] = t.Amount
	}
	var coins, share int64
	for charge, amount := range kept {
		coins, share = coins+amount*microOfStar, share+amount*microOfStar/100
		if n := s.count("SELECT COUNT(*) FROM payments WHERE charge_id = $1 AND state = 'credited' AND amount = $2 AND coins = $3", charge, amount, amount*microOfStar); n != 1 {
			s.t.Errorf("%s of %d Stars is not credited once, but %d times", charge, amount, n)
		}
	}
	for _, comment := range s.comments {
		if n := s.count("SELECT COUNT(*) FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.comment = $1 AND p.state = 'credited'", comment); n != 1 {
			s.t.Errorf("the order %s is credited %d times", comment, n)
		}
	}
	const inAccount = "SELECT CAST(COALESCE(SUM(CASE WHEN destination = $1 THEN amount WHEN source = $1 THEN -amount END), 0) AS BIGINT) FROM postings"
	for _, c := range []struct {
		what      string
		has, want int64
	}{
		{"charges", s.count("SELECT COUNT(*) FROM star_charges"), charges},
		{"refunds", s.count("SELECT COUNT(*) FROM star_charges WHERE refunded_at IS NOT NULL"), refunds},
		{"Stars in the books", s.count("SELECT stars FROM star_books"), stars},
		{"orders", s.count("SELECT COUNT(*) FROM orders"), int64(len(s.comments))},
		{"purchases", int64(len(s.comments)), int64(size().purchases)},
		{"bought coins of players", s.count("SELECT CAST(SUM(balance_purchased) AS BIGINT) FROM players"), coins},
		{"bought coins in the ledger", s.count(inAccount, "purchased"), coins},
		{"coins of the inviter", s.count("SELECT CAST(SUM(balance_referral) AS BIGINT) FROM players"), share},
		{"coins of the inviter in the ledger", s.count(inAccount, "referral"), share},
	} {
		if c.has != c.want {
			s.t.Errorf("%s: %d, not %d", c.what, c.has, c.want)
		}
	}
	s.t.Logf("%d charges, %d refunds, %d Stars kept", charges, refunds, stars)
}
