package models

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

const (
	// maxTapGroup is how many batches share a transaction at most.
	maxTapGroup = 256
	// tapGroupTime is how long a group may take in all. (decision 0004: limits)
	tapGroupTime = 5 * time.Second
)

// waitingTap is a batch on its way through the line.
type waitingTap struct {
	batch     TapBatch
	reference string
	season    game.Season
	rules     game.TapRules
	now       time.Time
	gone      <-chan struct{} // closed when nobody waits for the answer any more

	answer Tapped
	err    error
	done   chan struct{} // closed when answer and err are there
}

// tapLine is where tap batches wait while others are being committed. One goroutine at a time
// takes all that has come meanwhile and writes it in one transaction: the busier the game, the
// more batches share one commit. There is no timer, so a batch that comes alone waits for
// nothing.
type tapLine struct {
	write func(group []*waitingTap)

	mu      sync.Mutex
	waiting []*waitingTap
	running bool
	ended   sync.WaitGroup
}

// join puts a batch in line; its done is closed when it has been answered.
func (l *tapLine) join(w *waitingTap) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, w)
	if !l.running {
		l.running = true
		l.ended.Go(l.run)
	}
}

// run writes groups until nobody waits.
func (l *tapLine) run() {
	for {
		group := l.next()
		if len(group) == 0 {
			return
		}
		l.write(group)
	}
}

func (l *tapLine) next() []*waitingTap {
	l.mu.Lock()
	defer l.mu.Unlock()
	size := min(len(l.waiting), maxTapGroup)
	group := l.waiting[:size:size]
	l.waiting = l.waiting[size:]
	l.running = size > 0
	return group
}

// wait returns when the last group is written; no batch may join any more.
func (l *tapLine) wait() { l.ended.Wait() }

// asideWriters is how many players the side line waits for at once. Each keeps a connection
// that reads and everybody else's taps need too.
const asideWriters = 3

// sideLine is where batches wait whose player another transaction holds, so that the others
// need not: those of a player one after the other, a few players at a time.
type sideLine struct {
	write func(w *waitingTap)
	ended *sync.WaitGroup

	mu      sync.Mutex
	players []int64                 // Telegram ids, in the order they came
	waiting map[int64][]*waitingTap // of each of them
	writers int
}

func (l *sideLine) join(w *waitingTap) {
	l.mu.Lock()
	defer l.mu.Unlock()
	who := w.batch.TelegramID
	_, here := l.waiting[who]
	l.waiting[who] = append(l.waiting[who], w)
	if here {
		return
	}
	l.players = append(l.players, who)
	if l.writers < asideWriters {
		l.writers++
		l.ended.Go(l.run)
	}
}

// run writes player after player until there are none.
func (l *sideLine) run() {
	for who, some := l.nextPlayer(); some; who, some = l.nextPlayer() {
		for w := l.nextOf(who); w != nil; w = l.nextOf(who) {
			l.write(w)
		}
	}
}

func (l *sideLine) nextPlayer() (who int64, some bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.players) == 0 {
		l.writers--
		return 0, false
	}
	who, l.players = l.players[0], l.players[1:]
	return who, true
}

// nextOf is a player's next batch; without one the player leaves the line.
func (l *sideLine) nextOf(who int64) *waitingTap {
	l.mu.Lock()
	defer l.mu.Unlock()
	batches := l.waiting[who]
	if len(batches) == 0 {
		delete(l.waiting, who)
		return nil
	}
	l.waiting[who] = batches[1:]
	return batches[0]
}

// openLines makes the lines write to this store.
func (s *Store) openLines() {
	s.taps.write = s.answerTaps
	s.heldTaps.write, s.heldTaps.ended, s.heldTaps.waiting = s.answerTap, &s.taps.ended, map[int64][]*waitingTap{}
}

// answerTaps writes a group and answers each of its batches. Nobody's request may end it,
// since others wait for the same commit.
func (s *Store) answerTaps(group []*waitingTap) {
	ctx, cancel := context.WithTimeout(context.Background(), tapGroupTime)
	defer cancel()
	if group = s.tryKnown(ctx, group); len(group) == 0 {
		return
	}
	var held []*waitingTap
	err := recovered(func() error {
		return s.inTx(ctx, func(tx *gorm.DB) (err error) {
			held, err = s.writeTaps(tx, group, true)
			return err
		})
	})
	if err != nil && !errors.Is(err, ErrTryAgain) {
		// One batch that the database refuses must not take the others with it.
		held = group
	}
	if written := len(group) - len(held); err == nil && written > 0 {
		s.meter.TapGroup(written)
	}
	apart := make(map[*waitingTap]bool, len(held))
	for _, w := range held {
		apart[w] = true
		s.heldTaps.join(w)
	}
	for _, w := range group {
		if !apart[w] {
			w.finish(err)
		}
	}
}

// answerTap writes a batch in a transaction of its own and waits for the player if it must,
// but not for a batch that nobody waits for: it comes again, with its id.
func (s *Store) answerTap(w *waitingTap) {
	select {
	case <-w.gone:
		w.finish(fmt.Errorf("%w: nobody waits for the batch", ErrTryAgain))
		return
	default:
	}
	ctx, cancel := context.WithTimeout(context.Background(), tapGroupTime)
	defer cancel()
	err := recovered(func() error {
		return s.inTx(ctx, func(tx *gorm.DB) error {
			_, err := s.writeTaps(tx, []*waitingTap{w}, false)
			return err
		})
	})
	if err == nil {
		s.meter.TapGroup(1)
	}
	w.finish(err)
}

// recovered makes an error of a panic. The line runs outside of any request, where nobody else
// would: one batch that meets a mistake of ours would end the program for everybody.
func recovered(write func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in the line of taps: %v\n%s", p, debug.Stack())
		}
	}()
	return write()
}

// finish tells the one who waits; err means that nothing was written.
func (w *waitingTap) finish(err error) {
	if err != nil {
		w.answer, w.err = Tapped{}, err
	}
	close(w.done)
}
