package drill

import (
	"testing"
	"time"
)

// The players do everything: taps, spins, check-in, advice, tasks, ads, wallet, orders, and mines, some of them paid.
func TestSIGKILLLosesNothingAcknowledged(t *testing.T) {
	eachMarket(t, func(s *market) {
		s.crowd.Sell()
		var slowest time.Duration
		for round := range size().kills {
			began := time.Now()
			program := s.start()
			s.recovered(program.URL, startsAgain)
			if round == 0 {
				s.arrive(program.URL)
			} else {
				slowest = max(slowest, time.Since(began))
			}
			s.endpoints.Set(program.URL)
			s.during(func() {
				s.wait(time.Second)
				program.Kill()
			})
			s.crowd.Leave()
			s.paysMines()
		}
		if slowest > scaleTimeout(startsAgain) {
			s.t.Errorf("starting again took %s", slowest)
		}
		s.t.Logf("%d kills, started again within %s", size().kills, slowest.Round(time.Millisecond))
		s.untilAllIsDone()
		s.prove()
	})
}

// paidAtOnce is how many mines are paid at a time; the orders of the others expire.
const paidAtOnce = 5

func (m *market) paysMines() {
	m.t.Helper()
	owed := m.crowd.Unsettled()
	for _, comment := range owed[:min(len(owed), paidAtOnce)] {
		must(m.t, m.chain.Pay(m.t.Context(), mineCost, comment))
	}
}

// untilAllIsDone lets the crowd play until each action was acknowledged by a program without faults, which is then killed.
func (m *market) untilAllIsDone() {
	m.t.Helper()
	program := m.start()
	m.recovered(program.URL, startsAgain)
	m.endpoints.Set(program.URL)
	m.during(func() {
		m.until("somebody has done each action", creditsAll, func() bool {
			m.paysMines()
			for _, times := range m.crowd.Actions() {
				if times == 0 {
					return false
				}
			}
			return true
		})
		program.Kill()
	})
	m.t.Logf("actions acknowledged: %v", m.crowd.Actions())
}

func TestSIGTERMDrainsAndLosesNothing(t *testing.T) {
	eachDatabase(t, func(s *scene) {
		var slowest time.Duration
		for round := range size().terms {
			program := s.start()
			if round == 0 {
				s.arrive(program.URL)
			}
			s.endpoints.Set(program.URL)
			s.during(func() {
				s.wait(2 * time.Second)
				began := time.Now()
				if err := program.Term(scaleTimeout(drains)); err != nil {
					s.t.Error(err)
				}
				slowest = max(slowest, time.Since(began))
			})
			s.crowd.Leave()
		}
		s.t.Logf("%d times, drained within %s", size().terms, slowest.Round(time.Millisecond))
		if proof := s.prove(); proof.Unknown > 0 {
			s.t.Errorf("%d writes took effect and were not answered: what was begun was cut off", proof.Unknown)
		}
	})
}

func TestTwoProcessesKilledInTurnCountOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t, postgres(t))
	one, other := s.start(), s.start()
	s.arrive(one.URL, other.URL)
	s.during(func() {
		for range size().turns {
			s.wait(time.Second)
			one.Kill()
			s.endpoints.Set(other.URL)
			began := time.Now()
			one, other = other, s.start()
			s.recovered(other.URL, startsAgain)
			if took := time.Since(began); took > scaleTimeout(startsAgain) {
				t.Errorf("starting again took %s", took)
			}
			s.endpoints.Set(one.URL, other.URL)
		}
		s.wait(time.Second)
	})
	terminate(t, one)
	terminate(t, other)
	s.prove()
}
