package main

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"mcbk/models/ranks"
)

// ranked is a board's cost in this process, without database and network.
type ranked struct {
	built   time.Duration // one board, from scores in the order of ids
	bytes   float64       // of heap, a player
	places  []time.Duration
	changes []time.Duration
}

const (
	rankedPlayers = 10_000_000
	rankReads     = 300_000
)

// rank builds a board of random players, most with few coins, then looks up ranks and moves players.
func rank(players int) ranked {
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // made up
	score := func() int64 { return int64(dice.ExpFloat64() * 1e9) }
	someone := func() ranks.Entry { return ranks.Entry{Score: score(), ID: 1 + dice.Int64N(int64(players))} }
	everybody := func() []ranks.Entry {
		entries := make([]ranks.Entry, players)
		for i := range entries {
			entries[i] = ranks.Entry{Score: score(), ID: int64(i + 1)}
		}
		return entries
	}
	var r ranked
	before := heapBytes()
	entries := everybody()
	began := time.Now()
	board := ranks.NewBoard(entries)
	r.built = time.Since(began)
	r.bytes = (heapBytes() - before) / float64(players)
	timed := func(call func(e ranks.Entry)) []time.Duration {
		times := make([]time.Duration, rankReads)
		for i := range times {
			e := someone()
			began := time.Now()
			call(e)
			times[i] = time.Since(began)
		}
		slices.Sort(times)
		return times
	}
	r.changes = timed(board.Set)
	r.places = timed(func(e ranks.Entry) { board.Place(e) })
	return r
}

func heapBytes() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

func (r ranked) lines() []line {
	p99 := func(times []time.Duration) float64 {
		return float64(times[len(times)*99/100].Nanoseconds()) / 1000
	}
	return []line{
		{What: "exact rank among 10 million players, p99", Value: p99(r.places), Unit: "µs", Must: 10, Aim: 2, Less: true},
		{What: "a change of a rank, p99", Value: p99(r.changes), Unit: "µs"},
		{What: "rank memory, a player and board", Value: r.bytes, Unit: "B", Must: 48, Aim: 32, Less: true},
		{What: "three boards of 10 million, once read", Value: 3 * r.built.Seconds(), Unit: "s", Must: 30, Aim: 10, Less: true},
	}
}
