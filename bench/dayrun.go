package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"time"

	"mcbk/trial"
)

// A step is carried if no call fails and 99 of 100 calls end within this time.
const dayLimit = 100 * time.Millisecond

const (
	firstShare = 0.005 // of all players
	lastShare  = 0.64  // more than any suitable machine carries
	bisections = 3     // between the last carried share and the first failed one
	rest       = 2 * time.Second
)

// step is a share of all players, held for a while.
type step struct {
	Share     float64 `json:"share"` // of six million a day, at the peak
	Actions   int     `json:"actions"`
	Calls     float64 `json:"calls_per_s"` // answered
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Failures  int     `json:"failures"`
	Failure   string  `json:"first_failure,omitempty"`
	Behind    bool    `json:"fell_behind,omitempty"` // the step was ended early
	Carried   bool    `json:"carried"`
	Program   float64 `json:"program_percent"` // of all processors' time
	Postgres  float64 `json:"postgres_percent"`
	Generator float64 `json:"generator_percent"`
	Others    float64 `json:"others_percent"`
	Idle      float64 `json:"idle_percent"`
	Kinds     []kind  `json:"kinds"`
}

// kind is a kind of call in a step, with its times.
type kind struct {
	Call  string  `json:"call"`
	Share float64 `json:"share"` // of all calls
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
}

// measureDay offers growing shares of the model's day until the program carries no more.
func measureDay() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db, err := newDatabase(ctx, *postgres)
	if err != nil {
		return err
	}
	defer db.drop()
	settings := trial.Settings(db.address)
	program, err := trial.Start(ctx, *binary, settings)
	if err != nil {
		return err
	}
	defer program.Kill()
	stage, err := newStage(program.URL)
	if err != nil {
		return fmt.Errorf("make the players: %w", err)
	}
	defer stage.lines.close()
	r := dayReport{At: time.Now().UTC(), Machine: fmt.Sprintf("%d cores, %s", runtime.NumCPU(), runtime.Version()), StepSeconds: dayLength.Seconds()}
	try := func(share float64) (bool, error) {
		s := stage.hold(ctx, share, program.PID())
		fmt.Printf("%5.2f %%  %6.0f calls/s  p50 %6.1f ms  p99 %7.1f ms  %d failed %s  program %.0f %%, PostgreSQL %.0f %%, generator %.0f %%, others %.0f %%, idle %.0f %%\n",
			share*100, s.Calls, s.P50, s.P99, s.Failures, s.Failure, s.Program, s.Postgres, s.Generator, s.Others, s.Idle)
		r.Steps = append(r.Steps, s)
		if s.Failure != "" && stage.usedUpNow() {
			return false, errUsedUp
		}
		time.Sleep(rest)
		return s.Carried, ctx.Err()
	}
	if err := search(try); err != nil {
		return err
	}
	slices.SortStableFunc(r.Steps, func(a, b step) int { return int((a.Share - b.Share) * 1e6) })
	if err := program.Term(30 * time.Second); err != nil {
		return err
	}
	if err := trial.Verify(ctx, *binary, settings); err != nil {
		return err
	}
	return r.write()
}

// search doubles the share until a failure, then bisects.
func search(try func(share float64) (carried bool, err error)) error {
	good, bad := 0.0, 0.0
	for share := firstShare; share <= lastShare; share *= 2 {
		carried, err := try(share)
		if err != nil {
			return err
		}
		if !carried {
			bad = share
			break
		}
		good = share
	}
	if good == 0 {
		return errors.New("not even the first step is carried")
	}
	if bad == 0 {
		return nil
	}
	for range bisections {
		share := (good + bad) / 2
		carried, err := try(share)
		if err != nil {
			return err
		}
		if carried {
			good = share
		} else {
			bad = share
		}
	}
	return nil
}

// hold offers a share of the day's peak for a while.
func (s *stage) hold(ctx context.Context, share float64, program int) step {
	const anySeed = 7                                         // the same moments for everyone
	dice := rand.New(rand.NewPCG(anySeed, uint64(share*1e6))) //nolint:gosec // a schedule
	heard := &tally{}
	var spent usage
	began := time.Time{}
	loop := openLoop{
		warmUp: *dayWarmUp, length: *dayLength,
		begin: func() { heard.begin(); spent, began = readUsage(program), time.Now() },
	}
	loop.next = func(due time.Time) func() {
		d := actions[chosen(dice.Float64())] // random by the schedule alone
		return func() { s.act(d, due, heard) }
	}
	moments := &arrivals{dice: dice, rate: playersASecond(share) * actionsADay()}
	started, behind := loop.run(ctx, moments)
	result := step{Share: share, Actions: started, Behind: behind, Failures: heard.failures}
	if heard.first != nil {
		result.Failure = heard.first.Error()
	}
	if !began.IsZero() {
		readUsage(program).since(spent, &result)
		result.sum(heard.samples, time.Since(began))
	}
	result.Carried = !behind && heard.failures == 0 && len(heard.samples) > 0 && result.P99 <= milliseconds(dayLimit)
	return result
}

// usedUpNow reports whether an action has no players left.
func (s *stage) usedUpNow() bool {
	return int(s.visits.Load()) > len(s.fresh) || int(s.advices.Load()) > len(s.fresh) || int(s.claims.Load()) > len(s.others)*tasksOfOther
}

func (s *step) sum(samples []sample, took time.Duration) {
	all := make([]time.Duration, len(samples))
	kinds := map[string][]time.Duration{}
	for i, one := range samples {
		all[i] = one.took
		kinds[one.what] = append(kinds[one.what], one.took)
	}
	s.Calls = float64(len(all)) / took.Seconds()
	s.P50, s.P99 = milliseconds(percentile(all, 0.5)), milliseconds(percentile(all, 0.99))
	for call, times := range kinds {
		s.Kinds = append(s.Kinds, kind{call, float64(len(times)) / float64(len(all)), milliseconds(percentile(times, 0.5)), milliseconds(percentile(times, 0.99))})
	}
	slices.SortFunc(s.Kinds, func(a, b kind) int {
		if a.Share != b.Share {
			return int((b.Share - a.Share) * 1e9)
		}
		return 0
	})
}
