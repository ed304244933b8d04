package drill

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"mcbk/trial"
)

const (
	miners   = 8
	window   = 12 * time.Hour // of a mine's energy
	contest  = 15 * 24 * time.Hour
	mineCost = 1_000_000_000 // nanoton
)

// rush is a tournament whose program is killed.
type rush struct {
	*market
	passed time.Duration // clock steps
	digs   map[int][]dig // by miner
}

// dig is an acknowledged batch.
type dig struct{ body, answer string }

// A tournament from the first entry to the last prize, with a kill in each step: each entry opens its mine once, each batch counts once,
// ore and prizes are paid once, and the ledger is valid after every kill.
func TestKilledProgramPaysTournamentOnce(t *testing.T) {
	eachMarket(t, func(m *market) {
		r := &rush{market: m, digs: map[int][]dig{}}
		program := m.start()
		m.recovered(program.URL, startsAgain)
		r.slowSteps()
		for range miners {
			m.arrives(program)
		}
		for miner := 1; miner <= miners; miner++ {
			r.enters(program, miner)
		}
		program = r.killedUntil(program, "every mine is open", "SELECT COUNT(*) FROM mine_levels", miners)
		for round := range 5 { // some 24 ore each, 120 in all
			r.moves(window)
			for miner := 1; miner <= miners; miner++ {
				r.digs[miner] = append(r.digs[miner], r.dig(program, miner, fmt.Sprintf(`{"taps":%d,"batch_id":"batch-%d-%d"}`, 100-miner, miner, round)))
				if m.chance.IntN(6) == 0 {
					program.Kill()
					program = r.again()
				}
			}
		}
		for miner, all := range r.digs {
			for _, d := range all {
				if again := r.dig(program, miner, d.body); again.answer != d.answer {
					m.t.Errorf("miner %d: %s was answered %s, and now %s", miner, d.body, d.answer, again.answer)
				}
			}
		}
		r.moves(contest - r.passed + time.Minute)
		program = r.killedUntil(program, "the tournament is final", "SELECT COUNT(*) FROM tournaments WHERE state = 'final'", 1)
		for miner := 1; miner <= miners; miner++ {
			if ore := m.count("SELECT balance_game FROM players WHERE telegram_id = $1", 8_000_000+miner); ore != int64(5*(100-miner))*250_000 {
				m.t.Errorf("miner %d is paid %d", miner, ore)
			}
		}
		// The admin's confirmation; the leader pays the prizes.
		program.Kill()
		r.write("UPDATE tournaments SET state = 'awarded', awarded_at = final_at")
		r.write(`INSERT INTO admin_actions (admin_id, chat_id, action, args, state, nonce_hash, asked_at, expires_at, decided_at, outcome)
			SELECT 1, 1, 'tournament award', '["' || id || '"]', 'executed', 'a nonce', final_at, final_at, final_at, 'awarded' FROM tournaments`)
		program = r.again()
		program = r.killedUntil(program, "all prizes are given", "SELECT COUNT(*) FROM miners WHERE prized_at IS NOT NULL", miners)
		if owed := m.count("SELECT COALESCE(SUM(amount), 0) FROM payables"); owed != 60*mineCost || m.count("SELECT COUNT(*) FROM payables") != 3 {
			m.t.Errorf("%d nanoton are owed", owed)
		}
		if given := m.count("SELECT COALESCE(SUM(amount), 0) FROM postings WHERE reference LIKE 'prize:%'"); given != (100+50+25+5*10)*1_000_000_000 {
			m.t.Errorf("%d micro-MCBK were given", given)
		}
		terminate(m.t, program)
		m.sound()
	})
}

// write changes the database while no program runs.
func (r *rush) write(statement string) {
	r.t.Helper()
	books := r.books()
	if path, onFile := strings.CutPrefix(r.db.Address, "sqlite:"); onFile {
		writable, err := sql.Open("sqlite", path)
		must(r.t, err)
		defer writable.Close() //nolint:errcheck // what is written is read afterwards
		books = writable
	}
	_, err := books.ExecContext(r.t.Context(), statement)
	must(r.t, err)
}

// slowSteps slows down a tournament's steps in PostgreSQL.
func (r *rush) slowSteps() {
	r.t.Helper()
	if !r.onFile() {
		r.slowly("BEFORE INSERT OR UPDATE ON miners", 0.1)
		r.slowly("BEFORE UPDATE ON tournaments", 0.1)
	}
}

// killedUntil kills and restarts the program until a count is reached, and verifies the ledger each time.
func (r *rush) killedUntil(program *trial.Program, what, query string, want int64) *trial.Program {
	r.t.Helper()
	for kills := 0; ; kills++ {
		r.wait(1500 * time.Millisecond)
		program.Kill()
		r.sound()
		reached := r.count(query) >= want
		if kills > 20 && !reached {
			r.t.Logf("%s: killed %d times", what, kills)
			program = r.again()
			r.until(what, creditsAll, func() bool { return r.count(query) >= want })
			return program
		}
		program = r.again()
		if reached {
			return program
		}
	}
}

func (r *rush) again() *trial.Program {
	r.t.Helper()
	program := r.start()
	r.until("calls are answered", startsAgain, func() bool {
		return r.asks(program, 1, "GET", "/api/mines/status", "").Status == http.StatusOK
	})
	return program
}

// enters orders a miner's first mine, twice, and pays it.
func (r *rush) enters(program *trial.Program, miner int) {
	r.t.Helper()
	var order struct {
		Order order `json:"order"`
	}
	for range 2 {
		var answer trial.Answer
		r.until("mines are sold", recovers, func() bool {
			answer = r.asks(program, miner, "POST", "/api/mines/create-payment", `{"level":1}`)
			return answer.Status != http.StatusServiceUnavailable
		})
		id := order.Order.ID
		if err := json.Unmarshal(answer.Body, &order); err != nil || answer.Status != http.StatusOK || id != 0 && id != order.Order.ID {
			r.t.Fatalf("an order is answered %d: %s", answer.Status, answer.Body)
		}
	}
	must(r.t, r.chain.Pay(r.t.Context(), mineCost, order.Order.Comment))
}

func (r *rush) dig(program *trial.Program, miner int, body string) dig {
	r.t.Helper()
	answer := r.asks(program, miner, "POST", "/api/mines/mine", body)
	if answer.Status != http.StatusOK {
		r.t.Fatalf("%s is answered %d: %s", body, answer.Status, answer.Body)
	}
	return dig{body, string(answer.Body)}
}

// asks is a miner's call, at the clock's time.
func (r *rush) asks(program *trial.Program, miner int, method, path, body string) trial.Answer {
	r.t.Helper()
	client := trial.NewClient(program.URL)
	defer client.Close()
	answer, err := client.Do(trial.NewPlayer(int64(8_000_000+miner), r.now().Add(r.passed)).Request(method, path, body))
	must(r.t, err)
	return answer
}

// moves the clock of chain and program.
func (r *rush) moves(by time.Duration) {
	r.t.Helper()
	must(r.t, r.chain.Advance(r.t.Context(), by))
	r.passed += by
	r.wait(2 * time.Second)
	time.Sleep(1100 * time.Millisecond) // until the program reloads it
}
