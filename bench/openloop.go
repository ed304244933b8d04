package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// mostAtOnce ends a step: the program has fallen behind.
const mostAtOnce = 3000

// arrivals is a Poisson process: independent players.
type arrivals struct {
	dice *rand.Rand
	rate float64 // a second
	at   time.Duration
}

// next returns the time of the next arrival since the start.
func (a *arrivals) next() time.Duration {
	a.at += time.Duration(a.dice.ExpFloat64() / a.rate * float64(time.Second))
	return a.at
}

// sample is one call.
type sample struct {
	what string
	took time.Duration // since it was due
}

// tally collects a step's samples; earlier ones are warm-up.
type tally struct {
	mu       sync.Mutex
	counts   bool
	samples  []sample
	failures int
	first    error
}

func (t *tally) hear(what string, took time.Duration, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil { // no call may fail, not even in the warm-up
		t.failures++
		if t.first == nil {
			t.first = fmt.Errorf("%s: %w", what, err)
		}
		return
	}
	if t.counts {
		t.samples = append(t.samples, sample{what, took})
	}
}

func (t *tally) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts = true
}

// openLoop starts actions on schedule, whether or not earlier ones have ended: after a stall all times count from the due time.
type openLoop struct {
	warmUp, length time.Duration
	begin          func() // after the warm-up
	next           func(due time.Time) (do func())
}

// run returns after the last action; it stops early when too many are in flight or ctx ends.
func (l openLoop) run(ctx context.Context, moments *arrivals) (started int, fellBehind bool) {
	var (
		underWay atomic.Int64
		all      sync.WaitGroup
	)
	defer all.Wait()
	start := time.Now()
	warm := false
	for {
		at := moments.next()
		if !warm && at >= l.warmUp {
			warm = true
			sleepUntil(ctx, start.Add(l.warmUp))
			l.begin()
		}
		if at >= l.warmUp+l.length {
			return started, false
		}
		due := start.Add(at)
		sleepUntil(ctx, due)
		if ctx.Err() != nil {
			return started, false
		}
		if underWay.Load() >= mostAtOnce {
			return started, true
		}
		underWay.Add(1)
		started++
		do := l.next(due)
		all.Go(func() {
			defer underWay.Add(-1)
			do()
		})
	}
}

func sleepUntil(ctx context.Context, at time.Time) {
	wait := time.Until(at)
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// percentile takes unsorted times; 0 without any.
func percentile(times []time.Duration, share float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return load{times: sorted}.percentile(share)
}
