package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// How long a lease may outlive its holder. A leader that is cut off stops its work within two missed heartbeats, before the
// database lets another process lead. (decision 0023: leader)
const (
	leaseRetry     = time.Second     // between two attempts to acquire the lease
	leaseHeartbeat = 2 * time.Second // between two checks that the lease is held, and the time limit of a check
	leaseTimeout   = 6 * time.Second // a holder without a heartbeat for so long has lost the lease: frozen, or cut off
)

// ErrNotLeading means that another process leads, or may by now.
var ErrNotLeading = errors.New("this process does not lead")

// Lease is a right that one process has at a time, under a name. The database grants it, on a connection that is used for nothing
// else.
type Lease interface {
	Take(ctx context.Context) (ours bool, err error)
	Held(ctx context.Context) (ours bool, err error)
	Close() error // releases it
}

// singleProcess is the lease of a SQLite file, which only one process serves from.
type singleProcess struct{}

func (singleProcess) Take(context.Context) (bool, error) { return true, nil }
func (singleProcess) Held(context.Context) (bool, error) { return true, nil }
func (singleProcess) Close() error                       { return nil }

// Lead waits until no other process leads under this name, then runs lead; its context ends as soon as the lease may be lost.
// Before it starts what two processes must not both start, lead calls held, which returns nil or ErrNotLeading. A process that was
// frozen learns so from its first call of held.
//
// Lead returns the result of lead; ErrNotLeading if the lease was lost meanwhile; ErrUnavailable if the database is away; nil if ctx
// has ended. Another process may lead as soon as it returns. A process with a wrong clock, which may not write, does not lead.
func (d *DB) Lead(ctx context.Context, name string, lead func(ctx context.Context, held func() error) error) error {
	l, err := d.Lease(name)
	if err != nil {
		return fmt.Errorf("acquire the lease: %w", err)
	}
	defer l.Close() //nolint:errcheck // a connection that is broken holds nothing
	if err := d.awaitLease(ctx, l); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	leading, stop := context.WithCancelCause(ctx)
	held := func() error {
		err := d.holds(leading, l)
		if err != nil {
			stop(err)
		}
		return err
	}
	var asking sync.WaitGroup
	asking.Go(func() { heartbeat(leading, held) })
	err = lead(leading, held)
	lost := context.Cause(leading)
	stop(nil)
	asking.Wait()
	switch {
	case ctx.Err() != nil:
		return nil
	case lost != nil:
		return lost
	}
	return err
}

// awaitLease returns nil once the lease is acquired, or why it cannot be.
func (d *DB) awaitLease(ctx context.Context, l Lease) error {
	again := time.NewTicker(leaseRetry)
	defer again.Stop()
	for {
		if err := d.CheckSkew(); err != nil {
			return fmt.Errorf("%w: %w", ErrNotLeading, err)
		}
		asking, cancel := context.WithTimeout(ctx, leaseHeartbeat)
		ours, err := l.Take(asking)
		cancel()
		if err != nil {
			return fmt.Errorf("take the lease: %w", WrapUnavailable(err))
		}
		if ours {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-again.C:
		}
	}
}

// holds asks the database whether the lease is still held. The end of ctx does not break off a check, which would cost the
// connection and with it the lease.
func (d *DB) holds(ctx context.Context, l Lease) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err := d.CheckSkew(); err != nil {
		return fmt.Errorf("%w: %w", ErrNotLeading, err)
	}
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseHeartbeat)
	defer cancel()
	ours, err := l.Held(asking)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrNotLeading, err)
	case !ours:
		return fmt.Errorf("%w: the lock is not this connection's", ErrNotLeading)
	}
	return nil
}

// heartbeat checks until the lease is lost or ctx ends.
func heartbeat(ctx context.Context, held func() error) {
	again := time.NewTicker(leaseHeartbeat)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
		if held() != nil {
			return
		}
	}
}
