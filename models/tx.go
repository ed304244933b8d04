package models

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"mcbk/game"
)

// attempts is how often a transaction that lost a race is run in all.
const attempts = 4

type txKey struct{}

// inTx runs fn in a transaction: inside the one ctx already carries (see Once), else in its
// own, which is committed when fn returns nil and run again when it lost a race.
// A database that fails, or a COMMIT whose answer was lost, comes back as ErrTryAgain.
// Nothing outside the database may be called from fn.
func (s *Store) inTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	if tx, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		return fn(tx)
	}
	var err error
	for range attempts {
		if err = s.attempt(ctx, fn); err == nil || !repeatable(err) {
			break
		}
	}
	return explained(err)
}

func (s *Store) attempt(ctx context.Context, fn func(tx *gorm.DB) error) (err error) {
	tx := s.db.WithContext(ctx).Begin()
	if tx.Error != nil {
		return fmt.Errorf("begin: %w", tx.Error)
	}
	committed := false
	defer func() {
		if !committed { // fn failed or panicked
			tx.Rollback()
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	committed = true
	if err := tx.Commit().Error; err != nil {
		return fmt.Errorf("commit, outcome unknown: %w: %w", ErrTryAgain, err)
	}
	return nil
}

// explained marks a database that is away as ErrTryAgain; refusals and mistakes stay as they are.
func explained(err error) error {
	var refusal *game.Refusal
	if err == nil || errors.As(err, &refusal) || errors.Is(err, ErrTryAgain) || !away(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrTryAgain, err)
}
