package jobs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"mcbk/models/given"
)

// shelf is a store that notes what it was asked to forget.
type shelf struct {
	forgot map[string]time.Time
	err    error
}

func (s *shelf) ForgetAnswers(_ context.Context, now time.Time) (int64, error) {
	s.forgot["answers"] = now
	return 3, s.err
}

func (s *shelf) ForgetUpdates(_ context.Context, now time.Time) (int64, error) {
	s.forgot["updates"] = now
	return 4, s.err
}

func TestEveryJobOfTheTimetableDoesItsWorkAtTheGivenTime(t *testing.T) {
	store := &shelf{forgot: map[string]time.Time{}}
	var told bytes.Buffer
	log := slog.New(slog.NewTextHandler(&told, nil))
	for _, j := range timetable(store) {
		j.run(t.Context(), given.Noon, log)
	}
	for _, what := range []string{"answers", "updates"} {
		if !store.forgot[what].Equal(given.Noon) {
			t.Errorf("%s forgotten at %s", what, store.forgot[what])
		}
	}
	if text := told.String(); !strings.Contains(text, "rows=3") || !strings.Contains(text, "rows=4") {
		t.Errorf("the log says %s", text)
	}
}

func TestAJobThatFailsIsTold(t *testing.T) {
	var told bytes.Buffer
	log := slog.New(slog.NewTextHandler(&told, nil))
	for _, j := range timetable(&shelf{forgot: map[string]time.Time{}, err: errors.New("disk full")}) {
		j.run(t.Context(), given.Noon, log)
	}
	if got := strings.Count(told.String(), "disk full"); got != 2 {
		t.Errorf("told %d times: %s", got, told.String())
	}
}

func TestRunEndsWithItsContextAndLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, &shelf{forgot: map[string]time.Time{}}, time.Now, slog.New(slog.DiscardHandler))
	}()
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the jobs do not end")
	}
}
