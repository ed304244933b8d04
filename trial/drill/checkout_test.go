package drill

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/trial"
)

// Telegram takes nothing unless it is answered within ten seconds.
const (
	checkoutFast     = 500 * time.Millisecond // 99 of 100
	checkoutAtMost   = 10 * time.Second
	callsOfPlayers   = 440 // a second: a tenth of what one machine carries (docs/scale.md)
	checkoutsASec    = 8
	waitingUpdates   = 2000
	ordersOfOne      = 4 // at most five may be open
	callsInFlight    = 200
	longCheckouts    = 40 * time.Second
	shortCheckouts   = 5 * time.Second
	loadPlayers      = 120
	chatsWithBacklog = 40
)

// A checkout does not wait for the inbox, nor for the players who play. It runs before all parallel drills, so alone, and prints
// what it measures.
func TestCheckoutIsAnsweredInTimeUnderLoad(t *testing.T) { //nolint:paralleltest // it measures
	for _, c := range []struct {
		name string
		open func(t *testing.T) trial.Database
	}{
		{"sqlite", func(t *testing.T) trial.Database { t.Helper(); return trial.NewSQLite(t.TempDir()) }},
		{"postgres", postgres},
	} {
		t.Run(c.name, func(t *testing.T) { measureCheckouts(t, c.open(t)) })
	}
}

func measureCheckouts(t *testing.T, db trial.Database) {
	t.Helper()
	m := newMarket(t, db)
	m.settings = append(m.settings, m.chain.Telegram()...)
	length := shortCheckouts
	if *long {
		length = longCheckouts
	}
	program := m.start()
	players := make([]customer, loadPlayers)
	for i := range players {
		id, player, err := m.chain.NewPlayer(t.Context())
		must(t, err)
		players[i] = customer{player, id}
	}
	eightAtOnce(t, len(players), func(client *trial.Client, i int) error { return players[i].SignIn(client) }, program.URL)

	payments := int(length.Seconds() * checkoutsASec)
	links := make([]string, payments)
	eightAtOnce(t, payments, func(client *trial.Client, i int) error {
		answer, err := client.Do(players[i/ordersOfOne].Request("POST", "/api/token/stars", `{"stars":5}`))
		if err == nil && answer.Status != http.StatusOK {
			err = fmt.Errorf("an order is answered %d: %s", answer.Status, answer.Body)
		}
		links[i] = answer.Text("invoice_link")
		return err
	}, program.URL)

	// A second each is what answers to the inbox take, so that it stays full.
	must(t, m.chain.FailCalls(t.Context(), map[string]any{"method": "sendMessage", "count": 1_000_000, "delay_ms": 1000}))
	var writing sync.WaitGroup
	for chat := range chatsWithBacklog {
		writing.Go(func() {
			for range waitingUpdates / chatsWithBacklog {
				if _, err := m.chain.Say(t.Context(), players[len(players)-1-chat].id, "hello"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	m.until("the inbox is full", time.Minute, func() bool { return m.waiting() > waitingUpdates/2 })

	l := &playersLoad{url: program.URL, players: players, end: time.Now().Add(length)}
	var playing sync.WaitGroup
	playing.Go(l.run)
	var (
		mu    sync.Mutex
		times []time.Duration
	)
	tick := time.NewTicker(time.Second / checkoutsASec)
	defer tick.Stop()
	for i, link := range links {
		<-tick.C
		playing.Go(func() {
			paid, err := m.chain.PayStars(t.Context(), players[i/ordersOfOne].id, link, "pay", 0)
			if err != nil || paid.Status != "paid" {
				t.Errorf("a payment: %v, %+v", err, paid)
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, time.Duration(paid.Took)*time.Millisecond)
		})
	}
	waits := m.waiting()
	playing.Wait()
	slices.Sort(times)
	p99, slowest := times[len(times)*99/100], times[len(times)-1]
	t.Logf("%d checkouts, half answered in %s, 99 of 100 in %s, all in %s, beside %d calls a second of players (%d failed) and %d updates that wait",
		len(times), times[len(times)/2], p99, slowest, int(float64(l.answered.Load())/length.Seconds()), l.failed.Load(), waits)
	if p99 > scaleTimeout(checkoutFast) || slowest > checkoutAtMost {
		t.Errorf("99 of 100 checkouts are answered in %s, all in %s", p99, slowest)
	}
	if waits < waitingUpdates/4 {
		t.Errorf("only %d updates wait: it shows nothing", waits)
	}
	program.Kill() // its inbox would take long
}

// waiting is the length of the inbox.
func (m *market) waiting() int64 {
	m.t.Helper()
	return m.count("SELECT COUNT(*) FROM bot_updates WHERE state = 'waiting'")
}

func eightAtOnce(t *testing.T, times int, do func(client *trial.Client, i int) error, url string) {
	t.Helper()
	const atOnce = 8
	var all sync.WaitGroup
	for part := range atOnce {
		all.Go(func() {
			client := trial.NewClient(url)
			defer client.Close()
			for i := part; i < times; i += atOnce {
				if err := do(client, i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// playersLoad is players who tap, spin and look at a fixed rate, whether or not earlier calls are answered.
type playersLoad struct {
	url              string
	players          []customer
	end              time.Time
	answered, failed atomic.Int64
}

func (l *playersLoad) run() {
	calls := make(chan int, callsInFlight)
	var all sync.WaitGroup
	for range callsInFlight / 4 {
		all.Go(func() {
			client := trial.NewClient(l.url)
			defer client.Close()
			for i := range calls {
				if answer, err := client.Do(l.call(i)); err != nil || answer.Status >= http.StatusInternalServerError {
					l.failed.Add(1)
					continue
				}
				l.answered.Add(1)
			}
		})
	}
	began := time.Now()
	for i := 0; time.Now().Before(l.end); i++ {
		time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / callsOfPlayers)))
		calls <- i
	}
	close(calls)
	all.Wait()
}

// call is one of a player's day: a third of them tap, a tenth turn the wheel.
func (l *playersLoad) call(i int) string {
	p := l.players[i%len(l.players)]
	switch i % 10 {
	case 0, 1, 2:
		return p.Tap(3, fmt.Sprintf("checkout-%08d", i))
	case 3:
		return p.Request("POST", "/api/roulette/spin", `{"is_golden_spin_requested":false}`, "Idempotency-Key", fmt.Sprintf("checkout-spin-%08d", i))
	}
	return p.Request("GET", []string{"/api/user/me", "/api/tap/energy-status", "/api/tasks", "/api/settings", "/api/roulette/status", "/api/leaderboard"}[i%10-4], "")
}
