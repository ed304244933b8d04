package drill

import (
	"testing"
	"time"
)

func TestKillNineLosesNothingThatWasAcknowledged(t *testing.T) {
	eachDatabase(t, func(s *scene) {
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
			s.doors.Open(program.URL)
			s.during(func() {
				s.wait(time.Second)
				program.Kill()
			})
			s.crowd.Leave()
		}
		if slowest > startsAgain {
			s.t.Errorf("starting again took %s", slowest)
		}
		s.t.Logf("%d kills, started again within %s", size().kills, slowest.Round(time.Millisecond))
		s.prove()
	})
}

func TestTermDrainsAndLosesNothing(t *testing.T) {
	eachDatabase(t, func(s *scene) {
		var slowest time.Duration
		for round := range size().terms {
			program := s.start()
			if round == 0 {
				s.arrive(program.URL)
			}
			s.doors.Open(program.URL)
			s.during(func() {
				s.wait(2 * time.Second)
				began := time.Now()
				if err := program.Term(drains); err != nil {
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
			s.doors.Open(other.URL)
			began := time.Now()
			one, other = other, s.start()
			s.recovered(other.URL, startsAgain-time.Since(began))
			s.doors.Open(one.URL, other.URL)
		}
		s.wait(time.Second)
	})
	for _, program := range []interface{ Term(time.Duration) error }{one, other} {
		must(t, program.Term(drains))
	}
	s.prove()
}
