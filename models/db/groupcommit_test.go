package db

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"
)

const maxTestGroup = 256

type testCall struct{ Call[int] }

// heldCommits is a group commit whose transactions take as long as the test wants.
func heldCommits() (g *GroupCommit[*testCall], sizes *[]int, commit chan struct{}) {
	sizes, commit = new([]int), make(chan struct{})
	g = &GroupCommit[*testCall]{MaxBatch: maxTestGroup, Write: func(group []*testCall) {
		*sizes = append(*sizes, len(group))
		<-commit
		for _, w := range group {
			w.Finish(nil)
		}
	}}
	return g, sizes, commit
}

func TestGroupCommitBatchesCallsDuringACommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, sizes, commit := heldCommits()
		var last *testCall
		for range 3*maxTestGroup + 1 {
			last = &testCall{NewCall[int](t.Context())}
			g.Join(last)
			synctest.Wait() // the first is on its way alone
		}
		close(commit)
		<-last.Done
		g.Wait()
		if want := []int{1, maxTestGroup, maxTestGroup, maxTestGroup}; !reflect.DeepEqual(*sizes, want) {
			t.Errorf("groups of %v, want %v", *sizes, want)
		}
	})
}

func TestIdleGroupCommitHoldsNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it fails when a goroutine is left
		g, sizes, commit := heldCommits()
		close(commit)
		for range 3 {
			g.Join(&testCall{NewCall[int](t.Context())})
			g.Wait()
		}
		if want := []int{1, 1, 1}; !reflect.DeepEqual(*sizes, want) {
			t.Errorf("groups of %v, want %v", *sizes, want)
		}
	})
}

// Those who were answered together come back a moment later, one after the other.
func TestBusyGroupCommitWaitsForReturningCallers(t *testing.T) {
	for name, c := range map[string]struct {
		maxDelay time.Duration
		want     []int
	}{
		"with a delay":    {10 * time.Millisecond, []int{1, 4, 4}},
		"without":         {0, []int{1, 4, 1, 1, 1, 1}},
		"not long enough": {2500 * time.Microsecond, []int{1, 4, 2, 2}},
	} {
		synctest.Test(t, func(t *testing.T) {
			g, sizes, commit := heldCommits()
			g.MaxDelay = c.maxDelay
			come := func(n int, apart time.Duration) {
				for range n {
					g.Join(&testCall{NewCall[int](t.Context())})
					synctest.Wait()
					time.Sleep(apart)
				}
			}
			come(1, 0) // goes at once, whatever the maxDelay
			come(4, 0)
			close(commit)
			synctest.Wait()
			time.Sleep(time.Millisecond)
			come(4, time.Millisecond)
			g.Wait()
			if !reflect.DeepEqual(*sizes, c.want) {
				t.Errorf("%s: groups of %v, want %v", name, *sizes, c.want)
			}
		})
	}
}

// Two halves that take turns become one: the second waits for the first, which has just been answered.
func TestAlternatingCallersAreBatched(t *testing.T) {
	for name, c := range map[string]struct {
		half int
		want []int
	}{
		"few":  {3, []int{1, 3, 6}},
		"many": {fullGroup, []int{1, fullGroup, fullGroup, fullGroup}},
	} {
		synctest.Test(t, func(t *testing.T) {
			g, sizes, commit := heldCommits()
			g.MaxDelay = 10 * time.Millisecond
			come := func(n int) {
				for range n {
					g.Join(&testCall{NewCall[int](t.Context())})
				}
				synctest.Wait()
			}
			come(1)
			come(c.half)
			commit <- struct{}{}
			synctest.Wait() // the first half is on its way
			come(c.half)
			close(commit)
			synctest.Wait()
			come(c.half) // again
			g.Wait()
			if !reflect.DeepEqual(*sizes, c.want) {
				t.Errorf("%s: groups of %v, want %v", name, *sizes, c.want)
			}
		})
	}
}
