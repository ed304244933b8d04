package taps

import (
	"context"
	"errors"
	"sync"

	"gorm.io/gorm"

	"mcbk/models/db"
)

// MaxTapGroup is the most batches that share a transaction.
const MaxTapGroup = 256

// WaitingTap is a batch that waits for its group commit.
type WaitingTap struct {
	QueuedBatch
	db.Call[Tapped]
}

// lockedWriters is how many locked players are waited for at once. Each wait holds a connection, which reads and everybody else's
// taps need too.
const lockedWriters = 3

// lockedQueue is the queue for batches whose player is locked by another transaction, so that other players' batches do not wait
// for it. Batches of one player are written in order; a few players at a time.
type lockedQueue struct {
	write func(w *WaitingTap)
	ended *sync.WaitGroup

	mu      sync.Mutex
	players []int64                 // Telegram ids, in the order they came
	waiting map[int64][]*WaitingTap // by player
	writers int
}

func (q *lockedQueue) join(w *WaitingTap) {
	q.mu.Lock()
	defer q.mu.Unlock()
	who := w.Batch.TelegramID
	_, here := q.waiting[who]
	q.waiting[who] = append(q.waiting[who], w)
	if here {
		return
	}
	q.players = append(q.players, who)
	if q.writers < lockedWriters {
		q.writers++
		q.ended.Go(q.run)
	}
}

// run writes player after player until there are none.
func (q *lockedQueue) run() {
	for who, some := q.nextPlayer(); some; who, some = q.nextPlayer() {
		for w := q.nextOf(who); w != nil; w = q.nextOf(who) {
			q.write(w)
		}
	}
}

func (q *lockedQueue) nextPlayer() (who int64, some bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.players) == 0 {
		q.writers--
		return 0, false
	}
	who, q.players = q.players[0], q.players[1:]
	return who, true
}

// nextOf returns a player's next batch; without one the player leaves the queue.
func (q *lockedQueue) nextOf(who int64) *WaitingTap {
	q.mu.Lock()
	defer q.mu.Unlock()
	batches := q.waiting[who]
	if len(batches) == 0 {
		delete(q.waiting, who)
		return nil
	}
	q.waiting[who] = batches[1:]
	return batches[0]
}

// openTapCommits makes the group commit of taps write to this store.
func (s *Store) openTapCommits() {
	s.taps.Write, s.taps.MaxBatch, s.taps.MaxDelay = s.answerTaps, MaxTapGroup, db.GroupCommitDelay
	s.lockedTaps.write, s.lockedTaps.ended, s.lockedTaps.waiting = s.answerTap, &s.taps.Ended, map[int64][]*WaitingTap{}
}

// answerTaps writes a group and answers each of its batches. No request that is cancelled ends it, since others wait for the same
// commit.
func (s *Store) answerTaps(group []*WaitingTap) {
	ctx, cancel := context.WithTimeout(context.Background(), s.db.Scale.Of(db.TransactionTime))
	defer cancel()
	if group = s.tryCached(ctx, group); len(group) == 0 {
		return
	}
	var left []*WaitingTap
	err := db.Recover(func() error {
		return s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
			left, err = s.writeTaps(tx, group, true)
			return err
		})
	})
	if err != nil && !errors.Is(err, db.ErrUnavailable) {
		// One batch that the database refuses must not take the others with it.
		left = group
	}
	if written := len(group) - len(left); err == nil && written > 0 {
		s.db.Meter.TapGroup(written)
	}
	locked := make(map[*WaitingTap]bool, len(left))
	for _, w := range left {
		locked[w] = true
		s.lockedTaps.join(w)
	}
	for _, w := range group {
		if !locked[w] {
			w.Finish(err)
		}
	}
}

// answerTap writes a batch in a transaction of its own and waits for the player if it must, but not for a batch that nobody waits
// for: it comes again, with its id.
func (s *Store) answerTap(w *WaitingTap) {
	if w.Abandoned() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.db.Scale.Of(db.TransactionTime))
	defer cancel()
	err := db.Recover(func() error {
		return s.db.InTx(ctx, func(tx *gorm.DB) error {
			_, err := s.writeTaps(tx, []*WaitingTap{w}, false)
			return err
		})
	})
	if err == nil {
		s.db.Meter.TapGroup(1)
	}
	w.Finish(err)
}
