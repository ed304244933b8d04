package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// maxDigGroup is how many batches of the mines share a transaction at most.
const maxDigGroup = 128

// waitingDig is a batch on its way through the line of the mines.
type waitingDig struct {
	batch     DigBatch
	reference string
	season    game.Season
	pace      game.TapRules
	now       time.Time
	gone      <-chan struct{} // closed when nobody waits for the answer any more

	answer Dug
	err    error         // a refusal, or why nothing was written
	apart  bool          // it is left to a transaction of its own
	done   chan struct{} // closed when these are there
}

func (w *waitingDig) look() look {
	l := look{telegramID: w.batch.TelegramID, reference: w.reference}
	if w.batch.Keyed {
		l.key = w.batch.Key
	}
	return l
}

// answerDigs writes a group and answers each of its batches. Nobody's request may end it, since others wait for the same
// commit; a batch that nobody waits for any more is not written: it comes again, with its id.
func (s *Store) answerDigs(group []*waitingDig) {
	var here []*waitingDig
	for _, w := range group {
		select {
		case <-w.gone:
			w.err = fmt.Errorf("%w: nobody waits for the batch", ErrTryAgain)
			close(w.done)
		default:
			here = append(here, w)
		}
	}
	if len(here) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.patience.with(transactionTime))
	defer cancel()
	var left []*waitingDig
	err := recovered(func() error {
		return s.inLine(ctx, func(tx *gorm.DB) (err error) {
			left, err = s.writeDigs(tx, here, true)
			return err
		})
	})
	if err != nil && !errors.Is(err, ErrTryAgain) { // what the database refuses of one must not be the others' fault
		left = here
	}
	for _, w := range left {
		w.apart = true
	}
	for _, w := range here {
		if err != nil {
			w.answer, w.err = Dug{}, err
		}
		close(w.done)
	}
}
