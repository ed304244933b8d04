package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// Limits of a transaction. (decision 0004: limits)
const (
	connectionWait  = 2 * time.Second // for a free connection of PostgreSQL
	writerWait      = 4 * time.Second // for SQLite's only writer, shorter than a transaction may take
	TransactionTime = 5 * time.Second // from its first statement to the commit
)

// TimeoutScale multiplies the database's timeouts: 1 for players, more for tests that are not about waiting, on machines that do other
// things too; these get half the connections as well.
type TimeoutScale int

// Of returns the multiplied timeout.
func (p TimeoutScale) Of(wait time.Duration) time.Duration { return wait * time.Duration(p) }

// milliseconds returns the multiplied wait as databases read it.
func (p TimeoutScale) milliseconds(wait time.Duration) string {
	return strconv.FormatInt(p.Of(wait).Milliseconds(), 10)
}

// connections returns the size of PostgreSQL's pool. A scaled store has fewer, so that the stores of many tests fit into
// one server.
func (p TimeoutScale) connections() int {
	if p > 1 {
		return poolSize / 2
	}
	return poolSize
}

// attempts is how often a transaction that loses races is run in all.
const attempts = 4

type txKey struct{}

// TxFrom returns the transaction that ctx carries.
func TxFrom(ctx context.Context) (tx *gorm.DB, ok bool) {
	tx, ok = ctx.Value(txKey{}).(*gorm.DB)
	return tx, ok
}

// WithTx returns a context with which calls join a transaction.
func WithTx(ctx context.Context, tx *gorm.DB) context.Context {
	return context.WithValue(ctx, txKey{}, tx)
}

// InTransaction reports whether ctx carries a transaction, within which nothing outside the database may be called.
func InTransaction(ctx context.Context) bool {
	_, inside := TxFrom(ctx)
	return inside
}

// InTx runs fn in a transaction: inside the one ctx already carries (see Once), else in its own, which is committed if fn returns
// nil and run again if it lost a race. It returns ErrOverloaded if no connection came free in time, and ErrUnavailable if the database
// fails, if this clock differs from its own, or if the answer to a COMMIT was lost. Nothing outside the database may be called from
// fn.
func (d *DB) InTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	if tx, ok := TxFrom(ctx); ok {
		return fn(tx)
	}
	if err := d.CheckSkew(); err != nil { // days, expiry and energy would be decided by a wrong clock
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return d.inOwnTx(ctx, d.writer, fn)
}

// Within is InTx with a result, which is the zero value if the transaction failed.
func Within[R any](ctx context.Context, d *DB, fn func(tx *gorm.DB) (R, error)) (R, error) {
	var result R
	err := d.InTx(ctx, func(tx *gorm.DB) (err error) {
		result, err = fn(tx)
		return err
	})
	if err != nil {
		return *new(R), err
	}
	return result, nil
}

// InTxAnyClock is InTx for what must work with a wrong clock, too; it never joins the transaction of ctx.
func (d *DB) InTxAnyClock(ctx context.Context, fn func(tx *gorm.DB) error) error {
	return d.inOwnTx(ctx, d.writer, fn)
}

// inOwnTx runs fn in a transaction of its own, and again if it lost a race.
func (d *DB) inOwnTx(ctx context.Context, db *gorm.DB, fn func(tx *gorm.DB) error) error {
	var err error
	for range attempts {
		if err = d.attempt(ctx, db, fn); err == nil || !repeatable(err) {
			break
		}
	}
	return WrapUnavailable(err)
}

func (d *DB) attempt(ctx context.Context, db *gorm.DB, fn func(tx *gorm.DB) error) (err error) {
	conn, err := d.freeConnection(ctx, db)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // goes back to the pool, where a broken one is noticed
	ctx, cancel := context.WithTimeout(ctx, d.Scale.Of(TransactionTime))
	defer cancel()
	begun := db.WithContext(ctx)
	begun.Statement.ConnPool = conn
	tx := begun.Begin()
	if tx.Error != nil {
		return fmt.Errorf("begin: %w", tx.Error)
	}
	done := &txEffects{}
	tx = tx.Set(txEffectsKey, done)
	tx = tx.Session(&gorm.Session{}) // a chain of its own for each statement
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
		return fmt.Errorf("commit, outcome unknown: %w: %w", ErrUnavailable, err)
	}
	for _, report := range done.committed {
		report()
	}
	return nil
}

// freeConnection waits for a free connection that writes.
func (d *DB) freeConnection(ctx context.Context, db *gorm.DB) (*sql.Conn, error) {
	pool, err := db.DB()
	if err != nil {
		return nil, err
	}
	longest := d.Scale.Of(connectionWait)
	if d.Dialect == SQLite {
		longest = d.Scale.Of(writerWait)
	}
	waiting, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	conn, err := pool.Conn(waiting)
	if err != nil && ctx.Err() == nil && waiting.Err() != nil {
		return nil, fmt.Errorf("%w: %w within %s", ErrUnavailable, ErrOverloaded, longest)
	}
	return conn, Wrap(err, "connect")
}

// txEffectsKey is the key under which a handle carries its effects.
const txEffectsKey = "mcbk:effects"

// txEffects are what a transaction did, to be reported once it is committed.
type txEffects struct {
	Rows      int64    // inserted, updated or deleted
	committed []func() // see OnCommit
}

// countRows makes each statement of a transaction count the rows that it changes.
func countRows(db *gorm.DB) error {
	count := func(tx *gorm.DB) {
		if done, ok := TxEffectsOf(tx); ok {
			done.Rows += tx.RowsAffected
		}
	}
	returning := func(tx *gorm.DB) { // INSERT … RETURNING is read like a query
		if done, ok := TxEffectsOf(tx); ok && !strings.HasPrefix(tx.Statement.SQL.String(), "SELECT") {
			done.Rows++
		}
	}
	on := db.Callback()
	return errors.Join(
		on.Create().After("gorm:create").Register("mcbk:count", count), on.Update().After("gorm:update").Register("mcbk:count", count),
		on.Delete().After("gorm:delete").Register("mcbk:count", count), on.Raw().After("gorm:raw").Register("mcbk:count", count),
		on.Row().After("gorm:row").Register("mcbk:count", returning), on.Query().After("gorm:query").Register("mcbk:count", returning),
	)
}

// OnCommit calls report once the transaction is committed, in the order in which it was asked to; not if it is rolled back.
func OnCommit(tx *gorm.DB, report func()) {
	if done, ok := TxEffectsOf(tx); ok {
		done.committed = append(done.committed, report)
	}
}

// TxEffectsOf returns the effects that a transaction carries; ok is false if attempt did not begin it.
func TxEffectsOf(tx *gorm.DB) (done *txEffects, ok bool) {
	value, _ := tx.Get(txEffectsKey)
	done, ok = value.(*txEffects)
	return done, ok
}

// noHourlyLimitsKey is the key under which a handle carries that hourly limits are lifted.
const noHourlyLimitsKey = "mcbk:noHourlyLimits"

// IsHourlyLimited reports whether a player's ads and orders are limited by the hour, see LiftHourlyLimits.
func IsHourlyLimited(tx *gorm.DB) bool {
	_, lifted := tx.Get(noHourlyLimitsKey)
	return !lifted
}

// WrapUnavailable marks an error of a database that is away as ErrUnavailable; refusals and mistakes stay as they are.
func WrapUnavailable(err error) error {
	_, refused := errors.AsType[*game.Refusal](err)
	if err == nil || refused || errors.Is(err, ErrUnavailable) || !IsUnavailable(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// SweepRows is how many rows a sweep changes or deletes in one transaction.
const SweepRows = 5_000

// Sweep runs a statement that ends with LIMIT SweepRows until it changes fewer rows, each
// time in a transaction of its own, and returns how many it changed. An UPDATE repeats its
// state condition outside of the sub-select: after waiting for a lock PostgreSQL checks only the outer WHERE again.
func (d *DB) Sweep(ctx context.Context, statement string, values ...any) (rows int64, err error) {
	rows, err = d.SweepBy(ctx, SweepRows, statement, values...)
	return rows, Wrap(err, "sweep rows")
}

// SweepBy is Sweep for a statement that ends with another LIMIT.
func (d *DB) SweepBy(ctx context.Context, limit int64, statement string, values ...any) (rows int64, err error) {
	for {
		var swept int64
		err := d.InTx(ctx, func(tx *gorm.DB) error {
			result := tx.Exec(statement, values...)
			swept = result.RowsAffected
			return result.Error
		})
		if err != nil { // this step was rolled back
			return rows, err
		}
		if rows += swept; swept < limit {
			return rows, nil
		}
	}
}

// Read returns the transaction ctx carries, else the committed state.
func (d *DB) Read(ctx context.Context) *gorm.DB {
	if tx, ok := TxFrom(ctx); ok {
		return tx
	}
	return d.Committed(ctx)
}

// Committed returns the committed state, also to who has a transaction of their own.
func (d *DB) Committed(ctx context.Context) *gorm.DB { return d.reader.WithContext(ctx) }
