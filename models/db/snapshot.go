package db

import (
	"context"

	"gorm.io/gorm"
)

// Snapshot runs fn on one unchanging view of the committed state, however long it takes: no player waits for it.
func (d *DB) Snapshot(ctx context.Context, fn func(tx *gorm.DB) error) error {
	err := d.view(ctx, func(tx *gorm.DB) error {
		if err := d.Dialect.noStatementTimeout(tx); err != nil {
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

// ReadTx is snapshot for calls that a player waits for: the limits of every statement and transaction hold.
func (d *DB) ReadTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.Scale.Of(TransactionTime))
	defer cancel()
	return d.view(ctx, fn)
}

func (d *DB) view(ctx context.Context, fn func(tx *gorm.DB) error) error {
	tx := d.Committed(ctx).Begin(d.Dialect.snapshot())
	if tx.Error != nil {
		return WrapUnavailable(tx.Error)
	}
	defer tx.Rollback()
	return WrapUnavailable(fn(tx))
}

type restKey struct{}

// Throttled makes readers of many snapshots, like Verify, call rest after each of them, while none is open. An error of rest ends the
// reading.
func Throttled(ctx context.Context, rest func(ctx context.Context) error) context.Context {
	return context.WithValue(ctx, restKey{}, rest)
}
