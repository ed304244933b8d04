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

// mostAtOnce ends a step: so many actions under way mean that the program fell behind long ago.
const mostAtOnce = 3000

// arrivals are the moments of a Poisson process of a given rate, like people who come independently.
type arrivals struct {
	dice *rand.Rand
	rate float64 // a second
	at   time.Duration
}

// next returns when the next one comes, since the beginning.
func (a *arrivals) next() time.Duration {
	a.at += time.Duration(a.dice.ExpFloat64() / a.rate * float64(time.Second))
	return a.at
}

// sample is one call.
type sample struct {
	what string
	took time.Duration // from the moment it was due
}

// tally collects what a step saw; calls before it counts are warm-up.
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
	if err != nil { // in the warm-up, too: no call may fail
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

// openLoop starts actions at the moments of a schedule, whether or not earlier ones were answered: if the program stalls, all who
// come meanwhile wait, and each of their times counts from the moment it was due.
type openLoop struct {
	warmUp, length time.Duration
	begin          func() // after the warm-up
	next           func(due time.Time) (do func())
}

// run returns early when too many are under way, or when ctx ends; it returns when the last has ended.
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

// percentile takes times in any order; it is zero of none.
func percentile(times []time.Duration, share float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return load{times: sorted}.percentile(share)
}
