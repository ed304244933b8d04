package models

import (
	"context"
	"errors"
	"sync"
	"time"

	"gorm.io/gorm"
)

const (
	// maxTapGroup is how many batches share a transaction at most.
	maxTapGroup = 256
	// tapGroupTime is how long a group may take in all. (decision 0004: limits)
	tapGroupTime = 5 * time.Second
)

// waitingTap is a batch on its way through the line.
type waitingTap struct {
	batchInLine
	waiting[Tapped]
}

// asideWriters is how many players the side line waits for at once. Each wait holds a connection, which reads and everybody else's
// taps need too.
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

// openTapLines makes the lines of taps write to this store.
func (s *Store) openTapLines() {
	s.taps.write, s.taps.most, s.taps.patience = s.answerTaps, maxTapGroup, usualPatience
	s.heldTaps.write, s.heldTaps.ended, s.heldTaps.waiting = s.answerTap, &s.taps.ended, map[int64][]*waitingTap{}
}

// answerTaps writes a group and answers each of its batches. Nobody's request may end it,
// since others wait for the same commit.
func (s *Store) answerTaps(group []*waitingTap) {
	ctx, cancel := context.WithTimeout(context.Background(), s.patience.with(tapGroupTime))
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
	if w.abandoned() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.patience.with(tapGroupTime))
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
