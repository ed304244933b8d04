package db

import (
	"errors"
	"fmt"

	"mcbk/models"
)

const (
	// MaxConsecutiveFailures is how many players may fail in a row before a round is given up: by then the cause is not one player.
	MaxConsecutiveFailures = 20
	// maxConsecutiveUnavailable is the same for ErrUnavailable, whose cause may be one locked row or a database that is away.
	maxConsecutiveUnavailable = 3
)

// BatchRunner works through many players one by one, so that an error or a lock of one does not stop the work for the others.
type BatchRunner struct {
	failed                 []error // the first MaxConsecutiveFailures
	unavailable            error   // the last error that is ErrUnavailable
	consecutive            int     // failures since the last success
	consecutiveUnavailable int     // of these, the latest in a row with ErrUnavailable
	GaveUp                 bool    // the round is given up
	failures               int
}

// Each does something for every player until the round is over.
func (a *BatchRunner) Each(ids []models.PlayerID, do func(id models.PlayerID) error) {
	for _, id := range ids {
		if a.GaveUp {
			return
		}
		a.note(id, do(id))
	}
}

// AtOnce does something for many players at once or, if that fails, for one after the other. It returns how many rows were
// changed; do returns 0 with an error.
func (a *BatchRunner) AtOnce(ids []models.PlayerID, do func(ids []models.PlayerID) (int64, error)) (done int64) {
	if len(ids) > 1 {
		if done, err := do(ids); err == nil {
			a.consecutive, a.consecutiveUnavailable = 0, 0
			return done
		}
	}
	a.Each(ids, func(id models.PlayerID) error {
		of, err := do([]models.PlayerID{id})
		done += of
		return err
	})
	return done
}

func (a *BatchRunner) note(id models.PlayerID, err error) {
	if err == nil {
		a.consecutive, a.consecutiveUnavailable = 0, 0
		return
	}
	a.consecutive++
	err = fmt.Errorf("player %d: %w", id, err)
	if errors.Is(err, ErrUnavailable) {
		a.consecutiveUnavailable++
		a.unavailable = err
	} else {
		a.consecutiveUnavailable = 0
		if a.failures++; a.failures <= MaxConsecutiveFailures {
			a.failed = append(a.failed, err)
		}
	}
	a.GaveUp = a.consecutive == MaxConsecutiveFailures || a.consecutiveUnavailable == maxConsecutiveUnavailable
}

// Err names the first players who failed. It is ErrUnavailable only if all who failed may succeed the next time.
func (a *BatchRunner) Err() error {
	if a.failures == 0 {
		return a.unavailable
	}
	if more := a.failures - len(a.failed); more > 0 {
		return fmt.Errorf("%w\nand %d more", errors.Join(a.failed...), more)
	}
	return errors.Join(a.failed...)
}
