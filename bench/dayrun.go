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

	stagePlayers = 24_000
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

	ProgramDay  float64 `json:"program_ms_per_player_day"` // of processor time
	PostgresDay float64 `json:"postgres_ms_per_player_day"`

	times []time.Duration // of all calls
}

// kind is a kind of call in a step, with its times.
type kind struct {
	Call  string  `json:"call"`
	Share float64 `json:"share"` // of all calls
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
}

// build is a program under load, with a database and players of its own.
type build struct {
	*stage
	binary   string
	settings []string
	db       *database
	program  *trial.Program
	meter    processors
}

func startBuild(ctx context.Context, binary, callsFile string, players int) (b *build, err error) {
	b = &build{binary: binary}
	recorded, err := readCalls(callsFile)
	if err != nil {
		return nil, err
	}
	if b.db, err = newDatabase(ctx, *postgres); err != nil {
		return nil, err
	}
	b.settings = trial.Settings(b.db.address)
	if b.program, err = trial.Start(ctx, binary, b.settings); err != nil {
		return b, err
	}
	b.meter = processors{b.program.PID(), b.db.pid}
	if b.stage, err = newStage(b.program.URL, recorded, players); err != nil {
		return b, fmt.Errorf("make the players: %w", err)
	}
	return b, nil
}

func (b *build) close() {
	if b == nil {
		return
	}
	if b.stage != nil {
		b.lines.close()
	}
	if b.program != nil {
		b.program.Kill()
	}
	b.db.drop()
}

// verify stops the program and checks its ledger.
func (b *build) verify(ctx context.Context) error {
	if err := b.program.Term(30 * time.Second); err != nil {
		return err
	}
	return trial.Verify(ctx, b.binary, b.settings)
}

// measureDay offers growing shares of the model's day until the program carries no more.
func measureDay() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := startBuild(ctx, *binary, *callsFile, stagePlayers)
	defer b.close()
	if err != nil {
		return err
	}
	r := dayReport{At: time.Now().UTC(), Machine: fmt.Sprintf("%d cores, %s", runtime.NumCPU(), runtime.Version()), StepSeconds: dayLength.Seconds(), calls: b.calls}
	if err := r.statement(ctx, b.db); err != nil {
		return err
	}
	try := func(share float64) (bool, error) {
		const anySeed = 7 // the same moments for everyone
		s := b.hold(ctx, share, anySeed)
		fmt.Printf("%5.2f %%  %6.0f calls/s  p50 %6.1f ms  p99 %7.1f ms  %d failed %s  program %.0f %%, PostgreSQL %.0f %%, generator %.0f %%, others %.0f %%, idle %.0f %%; a player's day %.1f + %.1f ms\n",
			share*100, s.Calls, s.P50, s.P99, s.Failures, s.Failure, s.Program, s.Postgres, s.Generator, s.Others, s.Idle, s.ProgramDay, s.PostgresDay)
		r.Steps = append(r.Steps, s)
		if b.usedUp.Load() {
			return false, errUsedUp
		}
		time.Sleep(rest)
		return s.Carried, ctx.Err()
	}
	if err := search(try); err != nil {
		return err
	}
	slices.SortStableFunc(r.Steps, func(a, b step) int { return int((a.Share - b.Share) * 1e6) })
	if err := errors.Join(b.verify(ctx), r.statement(ctx, b.db)); err != nil {
		return err
	}
	fmt.Println(r.figures())
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

// hold offers a share of the day's peak for a while; the seed decides what happens when.
func (b *build) hold(ctx context.Context, share float64, seed uint64) step {
	dice := rand.New(rand.NewPCG(seed, uint64(share*1e6))) //nolint:gosec // a schedule
	heard := &tally{}
	var before usage
	result := step{Share: share}
	began := time.Time{}
	loop := openLoop{
		warmUp: *dayWarmUp, length: *dayLength,
		begin: func() { heard.begin(); before, began = b.meter.read(), time.Now() },
	}
	loop.next = func(due time.Time) func() {
		d := chosen(dice.Float64()) // random by the schedule alone
		if !began.IsZero() {
			result.Actions++
		}
		return func() { b.act(d, due, heard) }
	}
	moments := &arrivals{dice: dice, rate: playersASecond(share) * actionsADay()}
	_, result.Behind = loop.run(ctx, moments)
	result.Failures = heard.failures
	if heard.first != nil {
		result.Failure = heard.first.Error()
	}
	if !began.IsZero() {
		result.add(b.meter.read().since(before))
		result.sum(heard.samples, time.Since(began))
	}
	result.Carried = !result.Behind && heard.failures == 0 && len(heard.samples) > 0 && result.P99 <= milliseconds(dayLimit)
	return result
}

// add notes the processor time spent in a step.
func (s *step) add(spent usage) {
	if spent.all > 0 {
		percent := func(seconds float64) float64 { return seconds / spent.all * 100 }
		s.Program, s.Postgres, s.Generator, s.Idle = percent(spent.program), percent(spent.postgres), percent(spent.generator), percent(spent.idle)
		s.Others = max(0, 100-s.Program-s.Postgres-s.Generator-s.Idle)
	}
	if s.Actions > 0 {
		days := float64(s.Actions) / actionsADay()
		s.ProgramDay, s.PostgresDay = spent.program/days*1000, spent.postgres/days*1000
	}
}

func (s *step) sum(samples []sample, took time.Duration) {
	s.times = make([]time.Duration, len(samples))
	kinds := map[string][]time.Duration{}
	for i, one := range samples {
		s.times[i] = one.took
		kinds[one.what] = append(kinds[one.what], one.took)
	}
	s.Calls = float64(len(s.times)) / took.Seconds()
	s.P50, s.P99 = milliseconds(percentile(s.times, 0.5)), milliseconds(percentile(s.times, 0.99))
	for call, times := range kinds {
		s.Kinds = append(s.Kinds, kind{call, float64(len(times)) / float64(len(s.times)), milliseconds(percentile(times, 0.5)), milliseconds(percentile(times, 0.99))})
	}
	slices.SortFunc(s.Kinds, func(a, b kind) int {
		if a.Share != b.Share {
			return int((b.Share - a.Share) * 1e9)
		}
		return 0
	})
}
