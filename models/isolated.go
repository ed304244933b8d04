package models

import (
	"errors"
	"fmt"
)

const (
	// maxFailedInARow is how many players may fail in a row before a round is given up: by then the cause is not one player.
	maxFailedInARow = 20
	// maxAway is the same for ErrTryAgain, whose cause may be one locked row or a database that is away.
	maxAway = 3
)

// isolated works through many players one by one, so that an error or a lock of one does not stop the work for the others.
type isolated struct {
	failed   []error // the first maxFailedInARow
	away     error   // the last error that is ErrTryAgain
	inARow   int     // failures since the last success
	awayRow  int     // of these, the latest in a row with ErrTryAgain
	over     bool    // the round is given up
	failures int
}

// each does something for every player until the round is over.
func (a *isolated) each(ids []PlayerID, do func(id PlayerID) error) {
	for _, id := range ids {
		if a.over {
			return
		}
		a.note(id, do(id))
	}
}

// together does something for many players at once or, if that fails, for one after the other. It returns how many rows were
// changed; do returns 0 with an error.
func (a *isolated) together(ids []PlayerID, do func(ids []PlayerID) (int64, error)) (done int64) {
	if len(ids) > 1 {
		if done, err := do(ids); err == nil {
			a.inARow, a.awayRow = 0, 0
			return done
		}
	}
	a.each(ids, func(id PlayerID) error {
		of, err := do([]PlayerID{id})
		done += of
		return err
	})
	return done
}

func (a *isolated) note(id PlayerID, err error) {
	if err == nil {
		a.inARow, a.awayRow = 0, 0
		return
	}
	a.inARow++
	err = fmt.Errorf("player %d: %w", id, err)
	if errors.Is(err, ErrTryAgain) {
		a.awayRow++
		a.away = err
	} else {
		a.awayRow = 0
		if a.failures++; a.failures <= maxFailedInARow {
			a.failed = append(a.failed, err)
		}
	}
	a.over = a.inARow == maxFailedInARow || a.awayRow == maxAway
}

// err names the first players who failed. It is ErrTryAgain only if all who failed may succeed the next time.
func (a *isolated) err() error {
	if a.failures == 0 {
		return a.away
	}
	if more := a.failures - len(a.failed); more > 0 {
		return fmt.Errorf("%w\nand %d more", errors.Join(a.failed...), more)
	}
	return errors.Join(a.failed...)
}
