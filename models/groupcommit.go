package models

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"gorm.io/gorm"
)

// groupCommit is a queue for group commit. Writes that arrive while a transaction is being committed are written together in the
// next one, by one goroutine: the busier the game, the more writes share a commit. A write that finds the queue idle does not wait.
type groupCommit[W any] struct {
	write func(group []W)
	most  int // writes that share a transaction
	// maxDelay is how long a queue that has just written a group of several waits for as many again, to join those who came
	// meanwhile. Without it, clients that call again at once would split into two groups that alternate for ever, each commit
	// carrying only half.
	maxDelay time.Duration

	mu      sync.Mutex
	waiting []W
	running bool
	wanted  int           // the number of writes that is waited for
	full    chan struct{} // closed when they are there
	ended   sync.WaitGroup
}

const (
	// groupCommitDelay is the maxDelay of queues that write. A player on a phone, who calls every half minute, does not notice it;
	// it is many times what a client beside the server takes to call again.
	groupCommitDelay = 3 * time.Millisecond
	// fullGroup is the size from which a group waits for no more writes: shared by so many, the fixed cost of a transaction is small
	// for each.
	fullGroup = 32
)

// join queues a write; write answers its caller.
func (g *groupCommit[W]) join(w W) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, w)
	if g.full != nil && len(g.waiting) >= g.wanted {
		close(g.full)
		g.full = nil
	}
	if !g.running {
		g.running = true
		g.ended.Go(g.run)
	}
}

// run writes groups until the queue is empty.
func (g *groupCommit[W]) run() {
	for last := 0; ; {
		g.linger(last)
		group := g.next()
		if len(group) == 0 {
			return
		}
		g.write(group)
		last = len(group)
	}
}

// linger waits, for at most maxDelay, until as many more writes have arrived as were in the last group. After a group of one it
// does not wait.
func (g *groupCommit[W]) linger(last int) {
	if g.maxDelay == 0 || last < 2 {
		return
	}
	g.mu.Lock()
	if len(g.waiting) >= fullGroup {
		g.mu.Unlock()
		return
	}
	full := make(chan struct{})
	g.wanted, g.full = min(len(g.waiting)+last, fullGroup), full
	g.mu.Unlock()
	select {
	case <-full:
	case <-time.After(g.maxDelay):
	}
}

func (g *groupCommit[W]) next() []W {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.full = nil
	size := min(len(g.waiting), g.most)
	group := g.waiting[:size:size]
	g.waiting = g.waiting[size:]
	g.running = size > 0
	return group
}

// wait returns when the last group is written; nothing may join any more.
func (g *groupCommit[W]) wait() { g.ended.Wait() }

// waiting is a call that waits for its answer from a group commit.
type waiting[A any] struct {
	gone <-chan struct{} // closed when the caller no longer waits for the answer

	answer A
	err    error         // a refusal, or why nothing was written
	ownTx  bool          // the call is left to a transaction of its own
	done   chan struct{} // closed when these are set
}

func newWaiting[A any](ctx context.Context) waiting[A] {
	return waiting[A]{gone: ctx.Done(), done: make(chan struct{})}
}

// finish answers the caller; err means that nothing was written.
func (w *waiting[A]) finish(err error) {
	if err != nil {
		var none A
		w.answer, w.err = none, err
	}
	close(w.done)
}

// abandoned ends a call whose caller no longer waits, and reports whether it did.
func (w *waiting[A]) abandoned() bool {
	select {
	case <-w.gone:
		w.finish(fmt.Errorf("%w: nobody waits for the answer", ErrTryAgain))
		return true
	default:
		return false
	}
}

// leave leaves a call to a transaction of its own.
func (w *waiting[A]) leave() { w.ownTx = true }

// answerRound writes a round in one transaction and answers each call of it. No client that goes away cancels it, since others wait
// for the same commit. Calls that write returns undecided are left to transactions of their own. So is the whole round if the
// database refuses it: only one of the calls may be at fault.
func answerRound[W interface {
	leave()
	finish(err error)
}](d *DB, round []W, write func(tx *gorm.DB, round []W, skipLocked bool) (left []W, err error)) {
	if len(round) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), d.patience.with(transactionTime))
	defer cancel()
	var left []W
	err := recovered(func() error {
		return d.inGroupTx(ctx, func(tx *gorm.DB) (err error) {
			left, err = write(tx, round, true)
			return err
		})
	})
	if err != nil && !errors.Is(err, ErrTryAgain) {
		left = round
	}
	for _, w := range left {
		w.leave()
	}
	for _, w := range round {
		w.finish(err)
	}
}

// recovered turns a panic into an error. A group commit runs outside of any request, where nothing else recovers: one write that
// triggers a bug would end the program for everybody.
func recovered(write func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a group commit: %v\n%s", p, debug.Stack())
		}
	}()
	return write()
}
