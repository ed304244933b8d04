package drill

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/trial"
)

var sandbox = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(scratch, "sandbox")
	return binary, trial.BuildSandbox(context.Background(), "../../sandbox", binary)
})

// market is a game with sales on a chain, and the payments there.
type market struct {
	*scene
	chain  *trial.Chain
	buyers int
	host   buyer // the inviter of all others, who buys nothing
	paid   []payment
}

// payment is a payment on the chain; amounts are unique.
type payment struct {
	nanotons int64
	order    int64 // 0 without one
}

// buyer is a player with a wallet.
type buyer struct {
	trial.Player
	client *trial.Client
	code   string // referral code
}

type order struct {
	ID      int64  `json:"id"`
	Comment string `json:"comment"`
}

// The coins for a payment of four nanotons at the sandbox's price on the first day, in micro-MCBK.
const coinsOfFour = 5

func newMarket(t *testing.T, db trial.Database) *market {
	t.Helper()
	binary, err := sandbox()
	must(t, err)
	chain, err := trial.StartChain(t.Context(), binary, t.TempDir())
	must(t, err)
	t.Cleanup(chain.Stop)
	m := &market{scene: newScene(t, db), chain: chain}
	// The treasury was deployed long before the first order, which may precede the first read of the chain.
	must(t, chain.Advance(t.Context(), m.ahead+3*time.Minute))
	// Paid players and miners are notified.
	telegram := trial.NewBotAPI(trial.Faults{}, *seed)
	t.Cleanup(telegram.Close)
	m.settings = trial.Settings(db.Address, append(chain.Settings(), "ADMIN_IDS=11", "TELEGRAM_API_URL="+telegram.URL)...)
	return m
}

// eachMarket runs a drill on both databases.
func eachMarket(t *testing.T, drill func(m *market)) {
	eachDatabase(t, func(s *scene) { drill(newMarket(s.t, s.db)) })
}

// arrives signs a buyer in and connects a wallet.
func (m *market) arrives(program *trial.Program) buyer {
	m.t.Helper()
	m.buyers++
	b := buyer{Player: trial.NewPlayer(int64(8_000_000+m.buyers), m.now()), client: trial.NewClient(program.URL)}
	m.t.Cleanup(b.client.Close)
	me := m.call(b, "GET", "/api/user/me?referral_code="+m.host.code, "")
	must(m.t, json.Unmarshal(me.Body, &struct {
		Code *string `json:"referral_code"`
	}{&b.code}))
	m.call(b, "PUT", "/api/user/update", `{"age_consent_accepted":true}`)
	m.call(b, "PUT", "/api/user/wallet", fmt.Sprintf(`{"wallet_address":"0:%064x"}`, m.buyers))
	if m.host.code == "" {
		m.host = b
	}
	return b
}

func (m *market) call(b buyer, method, path, body string) trial.Answer {
	m.t.Helper()
	answer, err := b.client.Do(b.Request(method, path, body))
	must(m.t, err)
	if answer.Status != http.StatusOK {
		m.t.Fatalf("%s answers %d: %s", path, answer.Status, answer.Body)
	}
	return answer
}

const purchase = "/api/token/purchase"

// orders an amount of TON, once sales are open.
func (m *market) orders(b buyer, ton int) (o order) {
	m.t.Helper()
	var answer trial.Answer
	m.until("coins are sold", recovers, func() bool {
		var err error
		answer, err = b.client.Do(b.Request("POST", purchase, fmt.Sprintf(`{"ton_amount":%d}`, ton)))
		must(m.t, err)
		return answer.Status != http.StatusServiceUnavailable
	})
	told := struct {
		Order *order `json:"order"`
	}{&o}
	if err := json.Unmarshal(answer.Body, &told); err != nil || answer.Status != http.StatusOK || o.ID == 0 {
		m.t.Fatalf("an order is answered %d: %s", answer.Status, answer.Body)
	}
	return o
}

// pays about so many millionths of a TON for an order.
func (m *market) pays(micro int64, o order) {
	m.t.Helper()
	p := payment{nanotons: micro*1000 + 4*int64(len(m.paid)), order: o.ID}
	must(m.t, m.chain.Pay(m.t.Context(), p.nanotons, o.Comment))
	m.paid = append(m.paid, p)
}

// paysSomehow pays an order of 1 TON in a typical or mistaken way.
func (m *market) paysSomehow(o order) {
	m.t.Helper()
	const ton = 1_000_000
	switch m.chance.IntN(6) {
	case 0: // twice
		m.pays(ton, o)
		m.pays(ton, o)
	case 1: // half, and the rest later
		m.pays(ton/2, o)
		m.pays(ton/2, o)
	case 2: // for an unknown order
		m.pays(3*ton, o)
	case 3: // for an order that nobody made
		m.pays(ton, order{Comment: "MC-NOSUCHONE1"})
	case 4: // without a comment
		m.pays(ton, order{})
	default:
		m.pays(ton, order{o.ID, " " + strings.ToLower(o.Comment)})
	}
}

// recorded is the number of recorded payments.
func (m *market) recorded() int {
	m.t.Helper()
	return int(m.count("SELECT COUNT(*) FROM treasury_transactions WHERE kind = 'incoming' AND amount >= 1000"))
}

// credits waits until all payments are recorded, and finds each one once.
func (m *market) credits(within time.Duration) {
	m.t.Helper()
	m.until(fmt.Sprintf("%d payments are recorded", len(m.paid)), within, func() bool { return m.recorded() >= len(m.paid) })
	var coins, share int64
	for _, p := range m.paid {
		state, brings := "held", int64(0)
		if p.order != 0 {
			state, brings = "credited", p.nanotons/4*coinsOfFour
		}
		coins, share = coins+brings, share+brings/100
		if n := m.count("SELECT COUNT(*) FROM treasury_transactions WHERE amount = $1", p.nanotons); n != 1 {
			m.t.Errorf("the payment of %d is recorded %d times", p.nanotons, n)
		}
		if n := m.count(`SELECT COUNT(*) FROM payments p JOIN treasury_transactions t ON t.lt = p.lt
			WHERE t.amount = $1 AND p.amount = t.amount AND p.state = $2 AND p.coins = $3 AND COALESCE(p.order_id, 0) = $4`, p.nanotons, state, brings, p.order); n != 1 {
			m.t.Errorf("the payment of %d for order %d is not %s once with %d coins, but %d times", p.nanotons, p.order, state, brings, n)
		}
	}
	if all := m.recorded(); all != len(m.paid) {
		m.t.Errorf("%d payments are recorded, %d were made", all, len(m.paid))
	}
	if has := m.count("SELECT COALESCE(SUM(balance_purchased), 0) FROM players"); has != coins {
		m.t.Errorf("players bought %d micro-MCBK and have %d", coins, has)
	}
	if has := m.count("SELECT COALESCE(SUM(balance_referral), 0) FROM players"); has != share {
		m.t.Errorf("a hundredth for the inviter is %d micro-MCBK, and they have %d", share, has)
	}
}

// sound runs verify with the chain.
func (m *market) sound() {
	m.t.Helper()
	if !m.onFile() {
		m.normally()
	}
	must(m.t, trial.VerifyChain(m.t.Context(), *binary, m.settings))
}
