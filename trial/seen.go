package trial

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Seen are a crowd's recorded responses.
type Seen struct {
	mu         sync.Mutex
	answers    map[string]int // by status, and by code unless 200
	actions    map[string]int // acknowledged
	unsettled  []string       // comments of orders of mines
	unanswered int
	slowest    time.Duration // of the answers
	wrong      []string      // the first forbidden responses
}

func (s *Seen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("answers %v, unanswered %d, slowest %s", s.answers, s.unanswered, s.slowest.Round(time.Millisecond))
}

// Slowest returns the longest response time.
func (s *Seen) Slowest() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slowest
}

// Answers returns the number of responses with this prefix: "200", "503 try_again".
func (s *Seen) Answers(like string) (answers int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for status, n := range s.answers {
		if strings.HasPrefix(status, like) {
			answers += n
		}
	}
	return answers
}

// Unanswered returns the number of calls without a response.
func (s *Seen) Unanswered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unanswered
}

// Err returns forbidden responses as an error.
func (s *Seen) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.wrong) > 0 {
		return errors.New(strings.Join(s.wrong, "\n"))
	}
	return nil
}

const complaints = 10 // limit of recorded ones

func (s *Seen) complain(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.wrong) < complaints {
		s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
	}
}

func (s *Seen) hear(answer Answer, took time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.unanswered++
		return
	}
	s.answers[answer.kind()]++
	s.slowest = max(s.slowest, took)
}

func (s *Seen) done(action string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if action != "" {
		s.actions[action]++
	}
}

func (s *Seen) order(comment string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsettled = append(s.unsettled, comment)
}
