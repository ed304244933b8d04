package db

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// GroupCommit is a queue for group commit. Writes that arrive while a transaction is being committed are written together in the
// next one, by one goroutine: the busier the game, the more writes share a commit. A write that finds the queue idle does not wait.
type GroupCommit[W any] struct {
	Write    func(group []W)
	MaxBatch int // writes that share a transaction
	// MaxDelay is how long a queue that has just written a group of several waits for as many again, to join those who came
	// meanwhile. Without it, clients that call again at once would split into two groups that alternate for ever, each commit
	// carrying only half.
	MaxDelay time.Duration

	mu      sync.Mutex
	waiting []W
	running bool
	target  int           // the number of writes that is waited for
	full    chan struct{} // closed when they are there
	ended   sync.WaitGroup
}

const (
	// GroupCommitDelay is the MaxDelay of queues that write. A player on a phone, who calls every half minute, does not notice it;
	// it is many times what a client beside the server takes to call again.
	GroupCommitDelay = 3 * time.Millisecond
	// fullGroup is the size from which a group waits for no more writes: shared by so many, the fixed cost of a transaction is small
	// for each.
	fullGroup = 32
)

// Join queues a write; write answers its caller.
func (g *GroupCommit[W]) Join(w W) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, w)
	if g.full != nil && len(g.waiting) >= g.target {
		close(g.full)
		g.full = nil
	}
	if !g.running {
		g.running = true
		g.ended.Go(g.run)
	}
}

// run writes groups until the queue is empty.
func (g *GroupCommit[W]) run() {
	for last := 0; ; {
		g.waitForBatch(last)
		group := g.next()
		if len(group) == 0 {
			return
		}
		g.Write(group)
		last = len(group)
	}
}

// waitForBatch waits, for at most MaxDelay, until as many more writes have arrived as were in the last group. After a group of one it
// does not wait.
func (g *GroupCommit[W]) waitForBatch(last int) {
	if g.MaxDelay == 0 || last < 2 {
		return
	}
	g.mu.Lock()
	if len(g.waiting) >= fullGroup {
		g.mu.Unlock()
		return
	}
	full := make(chan struct{})
	g.target, g.full = min(len(g.waiting)+last, fullGroup), full
	g.mu.Unlock()
	select {
	case <-full:
	case <-time.After(g.MaxDelay):
	}
}

func (g *GroupCommit[W]) next() []W {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.full = nil
	size := min(len(g.waiting), g.MaxBatch)
	group := g.waiting[:size:size]
	g.waiting = g.waiting[size:]
	g.running = size > 0
	return group
}

// Wait returns when the last group is written; nothing may join any more.
func (g *GroupCommit[W]) Wait() { g.ended.Wait() }

// Call is a call that waits for its answer from a group commit.
type Call[A any] struct {
	canceled <-chan struct{} // closed when the caller no longer waits for the answer

	Answer A
	Err    error         // a refusal or a failure, see Finish
	OwnTx  bool          // the call is left to a transaction of its own
	Done   chan struct{} // closed when these are set
}

// NewCall returns a call that is abandoned when ctx ends.
func NewCall[A any](ctx context.Context) Call[A] {
	return Call[A]{canceled: ctx.Done(), Done: make(chan struct{})}
}

// Finish answers the caller. After ErrUnavailable it is unknown whether the call was written; after any other err it was not.
func (w *Call[A]) Finish(err error) {
	if err != nil {
		var none A
		w.Answer, w.Err = none, err
	}
	close(w.Done)
}

// Abandoned ends a call whose caller no longer waits, and reports whether it did.
func (w *Call[A]) Abandoned() bool {
	select {
	case <-w.canceled:
		w.Finish(fmt.Errorf("%w: nobody waits for the answer", ErrUnavailable))
		return true
	default:
		return false
	}
}

// Recover turns a panic into an error. A group commit runs outside of any request, where nothing else recovers: one write that
// triggers a bug would end the program for everybody.
func Recover(write func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a group commit: %v\n%s", p, debug.Stack())
		}
	}()
	return write()
}
