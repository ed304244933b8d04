package models

import (
	"context"

	"gorm.io/gorm"
)

// snapshot runs fn on one unchanging view of the committed state, however long it takes: no player waits for it.
func (d *DB) snapshot(ctx context.Context, fn func(tx *gorm.DB) error) error {
	err := d.view(ctx, func(tx *gorm.DB) error {
		if err := d.dialect.unhurried(tx); err != nil {
			return err
		}
		return fn(tx)
	})
	if err != nil {
		return err
	}
	if rest, ok := ctx.Value(restKey{}).(func(context.Context) error); ok {
		return rest(ctx)
	}
	return nil
}

// moment is snapshot for calls that a player waits for: the limits of every statement and transaction hold.
func (d *DB) moment(ctx context.Context, fn func(tx *gorm.DB) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.patience.with(transactionTime))
	defer cancel()
	return d.view(ctx, fn)
}

func (d *DB) view(ctx context.Context, fn func(tx *gorm.DB) error) error {
	tx := d.committed(ctx).Begin(d.dialect.snapshot())
	if tx.Error != nil {
		return explained(tx.Error)
	}
	defer tx.Rollback()
	return explained(fn(tx))
}

type restKey struct{}

// Gently makes readers of many snapshots, like Verify, call rest after each of them, while none is open. An error of rest ends the
// reading.
func Gently(ctx context.Context, rest func(ctx context.Context) error) context.Context {
	return context.WithValue(ctx, restKey{}, rest)
}
