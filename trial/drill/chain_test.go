package drill

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/trial"
)

const (
	readsAgain = 45 * time.Second // maximum backoff is half a minute
	readsOften = 20 * time.Second // every four seconds without failures; twice, for one failure
	creditsAll = 2 * time.Minute  // a slow database's backlog
	alarmAfter = 2 * time.Minute  // of a lagging history
)

// The program is killed while it credits payments, or at any time: each payment is recorded and credited once.
func TestKilledProgramLosesNoPayment(t *testing.T) {
	eachMarket(t, func(m *market) {
		var before, after int // kills before all was recorded, and after
		for round := range size().crashes {
			program := m.start()
			m.recovered(program.URL, startsAgain)
			if round == 0 {
				m.arrives(program)
				m.slowCredits()
			}
			b := m.arrives(program)
			for range 1 + m.chance.IntN(3) {
				m.paysSomehow(m.orders(b, 1))
			}
			if m.midway(round) || m.recorded() < len(m.paid) {
				before++
			} else {
				after++
			}
			program.Kill()
			m.pays(1_000_000, order{}) // while nobody looks
		}
		m.t.Logf("%d payments; killed %d times before all of them were recorded, %d times after", len(m.paid), before, after)
		if before == 0 {
			m.t.Error("it was never killed in time: the drill shows nothing")
		}
		program := m.start()
		m.credits(creditsAll)
		m.sound()
		terminate(m.t, program)
		m.sound()
	})
}

// slowCredits slows down crediting in PostgreSQL.
func (m *market) slowCredits() {
	m.t.Helper()
	if !m.onFile() {
		m.slowly("BEFORE INSERT ON payments", 0.1)
	}
}

// midway waits until payments are being credited, or for any time; it reports whether they are, if known.
func (m *market) midway(round int) (credits bool) {
	m.t.Helper()
	switch {
	case round%2 == 1:
		m.wait(6 * time.Second)
	case m.onFile(): // SQLite writes are invisible; most likely none
		m.wait(time.Second)
	default:
		m.until("payments are being credited", readsOften, func() bool {
			credits = m.count(`SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
				AND query LIKE 'INSERT INTO payments%' AND pid <> pg_backend_pid()`) > 0
			return credits || m.recorded() >= len(m.paid) // they were, between two checks
		})
	}
	return credits
}

// One of three lite servers has each fault in turn: the majority counts.
func TestBrokenLiteServerIsSkipped(t *testing.T) {
	eachMarket(t, func(m *market) {
		program := m.start()
		m.arrives(program)
		b := m.arrives(program)
		m.pays(1_000_000, m.orders(b, 1))
		m.credits(readsOften)
		for i, fault := range []string{"silent", "lying", "differing", "lagging", "forgetful"} {
			faults := []string{"", "", ""}
			faults[i%len(faults)] = fault
			must(m.t, m.chain.Break(m.t.Context(), faults...))
			if fault == "lagging" { // by more than may be
				must(m.t, m.chain.Advance(m.t.Context(), 2*time.Minute))
			}
			b := m.arrives(program)
			m.pays(1_000_000, m.orders(b, 1))
			m.pays(70_000_000, m.orders(b, 70)) // the other two agree
			m.credits(readsOften)
		}
		m.sound() // despite the fault
		terminate(m.t, program)
	})
}

// Without a price of TON nothing is sold, and earlier orders are paid at their price.
func TestMissingPriceKeepsOrdersPayable(t *testing.T) {
	eachMarket(t, func(m *market) {
		program := m.start()
		m.arrives(program)
		b := m.arrives(program)
		ordered := m.orders(b, 1)
		must(m.t, m.chain.SetPrice(m.t.Context(), false))
		must(m.t, m.chain.Advance(m.t.Context(), 11*time.Minute))
		time.Sleep(time.Second) // the clock's file is read ten times a second, and an order more would count as one
		m.until("nothing is sold", readsOften, func() bool {
			answer, err := b.client.Do(b.Request("POST", purchase, `{"ton_amount":1}`))
			must(m.t, err)
			return answer.Status == http.StatusServiceUnavailable && strings.Contains(string(answer.Body), "price_unavailable")
		})
		m.pays(1_000_000, ordered)
		m.credits(readsOften)
		m.stillPlays(program)
		must(m.t, m.chain.SetPrice(m.t.Context(), true))
		must(m.t, m.chain.Advance(m.t.Context(), 2*time.Minute))
		m.pays(1_000_000, m.orders(m.arrives(program), 1))
		m.credits(readsOften)
		m.sound()
		terminate(m.t, program)
	})
}

// Without a majority nothing is credited, the admins are notified, and nothing is lost.
func TestUntrustedLiteServersCreditNothing(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		name   string
		faults []string
	}{
		{"all are silent", []string{"silent", "silent", "silent"}},
		{"one differs and one is silent", []string{"differing", "silent", ""}},
		{"one shows a payment tenfold and is alone", []string{"differing", "lagging", "silent"}},
		{"all alter what they show", []string{"lying", "lying", "lying"}},
		{"one shows a large payment and is alone", []string{"silent", "silent", ""}},
	} {
		if i >= size().doubts {
			break
		}
		faults := c.faults
		t.Run(c.name, func(t *testing.T) {
			eachMarket(t, func(m *market) {
				program := m.start()
				m.arrives(program)
				b := m.arrives(program)
				first, second := m.orders(b, 1), m.orders(b, 60)
				m.pays(1_000_000, first)
				m.credits(readsOften)

				must(m.t, m.chain.Break(m.t.Context(), faults...))
				m.pays(60_000_000, second)
				must(m.t, m.chain.Advance(m.t.Context(), alarmAfter+time.Minute))
				m.until("the admins are told", alarmTold, func() bool { return m.alarms("raised") == 1 })
				if n := m.recorded(); n != 1 {
					m.t.Errorf("%d payments are recorded, and one can be believed", n)
				}
				if lag, err := program.Metric(m.t.Context(), "mcbk_chain_lag_seconds"); err != nil || lag < alarmAfter.Seconds() {
					m.t.Errorf("the chain is known until %.0f seconds ago by the metrics: %v", lag, err)
				}
				m.stillPlays(program)

				must(m.t, m.chain.Break(m.t.Context(), "", "", ""))
				m.credits(readsAgain)
				m.until("the admins are told that it is over", alarmTold, func() bool { return m.alarms("ended") == 1 })
				m.sound()
				terminate(m.t, program)
			})
		})
	}
}

// alarms counts the admins' alarms about the chain.
func (m *market) alarms(event string) int64 {
	m.t.Helper()
	return m.count("SELECT COUNT(*) FROM outbox WHERE kind = 'alarm' AND params LIKE '%chain_behind%' AND params LIKE $1", `%"`+event+`"%`)
}

// stillPlays checks that the game goes on.
func (m *market) stillPlays(program *trial.Program) {
	m.t.Helper()
	m.recovered(program.URL, startsAgain)
	b := m.arrives(program)
	m.call(b, "POST", "/api/tap/perform-batch-tap", `{"total_taps":1,"batch_id":"chain-0001"}`)
}

// A game that never reached its chain plays and sells. Payments are credited once the chain is reachable, except those before the first
// order; later outages don't stop sales.
func TestGameStartedWithoutChainCatchesUp(t *testing.T) {
	eachMarket(t, func(m *market) {
		servers, err := os.ReadFile(m.chain.Exported["TON_CONFIG"])
		must(m.t, err)
		var there atomic.Bool
		list := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if !there.Load() {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write(servers)
		}))
		m.t.Cleanup(list.Close)
		m.settings = append(m.settings, "TON_CONFIG="+list.URL)
		must(m.t, m.chain.Pay(m.t.Context(), 1_000_000_000, "before anything was sold"))
		must(m.t, m.chain.Advance(m.t.Context(), 3*time.Minute)) // by more than clocks may differ
		program := m.start()
		m.stillPlays(program)
		b := m.arrives(program)
		late := m.orders(b, 1)
		m.pays(1_000_000, m.orders(b, 1))
		for range 20 { // more than a page
			m.pays(1_000_000, order{})
		}
		terminate(m.t, program)
		program = m.start()
		b = m.arrives(program)
		m.pays(1_000_000, late)
		if m.count("SELECT COUNT(*) FROM treasury") != 0 {
			m.t.Error("the chain was read: the drill shows nothing")
		}

		there.Store(true)
		m.credits(readsAgain)
		m.pays(1_000_000, m.orders(b, 1))
		m.credits(readsOften)
		terminate(m.t, program)

		must(m.t, m.chain.Break(m.t.Context(), "silent", "silent", "silent"))
		program = m.start()
		m.stillPlays(program)
		b = m.arrives(program)
		m.pays(1_000_000, m.orders(b, 1))
		m.pays(1_000_000, order{})
		must(m.t, m.chain.Break(m.t.Context(), "", "", ""))
		m.credits(readsAgain)
		m.sound()
		terminate(m.t, program)
	})
}

// A consistent change of both ledgers in the database is found by comparison with the chain.
func TestVerifyComparesWithChain(t *testing.T) {
	t.Parallel()
	m := newMarket(t, postgres(t))
	program := m.start()
	m.arrives(program)
	o := m.orders(m.arrives(program), 1)
	for range 20 { // more than a page
		m.pays(1_000_000, order{})
	}
	m.pays(1_000_000, o)
	m.credits(readsOften)
	m.sound()
	_, err := m.books().ExecContext(t.Context(), `ALTER TABLE treasury_transactions DISABLE TRIGGER USER;
		UPDATE treasury_transactions SET source = '0:somebody' WHERE lt = (SELECT MIN(lt) FROM treasury_transactions);
		ALTER TABLE treasury_transactions ENABLE TRIGGER USER`)
	must(t, err)
	must(t, trial.Verify(t.Context(), *binary, m.settings))
	tells := func(exit int, lines ...string) {
		t.Helper()
		err := trial.VerifyChain(t.Context(), *binary, m.settings)
		told := fmt.Sprint(err)
		if !strings.Contains(told, fmt.Sprintf("exit status %d", exit)) {
			t.Errorf("not exit %d: %s", exit, told)
		}
		for _, line := range lines {
			if strings.Count(told, line) != 1 {
				t.Errorf("%q is not told once: %s", line, told)
			}
		}
	}
	tells(1, "\nbroken: ", `and recorded as "0:somebody"`, "20 transactions are recorded as ") // however many lite servers respond in time
	must(t, m.chain.Break(t.Context(), "silent", "silent", "silent"))
	tells(2, "no lite server answers")
	terminate(t, program)
}
