package jobs

import (
	"context"
	"errors"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/stars"
	"mcbk/models/treasury"
	"mcbk/ton"
)

// Intervals of reading the chain and the price of TON (decision 0032: selling coins).
const (
	chainInterval      = 4 * time.Second
	minChainInterval   = time.Second      // after a wake-up
	maxChainBackoff    = 30 * time.Second // maximum, while reading fails
	maxClockDifference = 2 * time.Minute  // maximum, a process's and the chain's: each may be a minute off
	maxTruncatedReads  = 10               // attempts to read a history that the servers have pruned; each asks other servers
	priceRetryDelay    = 15 * time.Second // after a failure
)

// Chain is the treasury's history on the blockchain.
type Chain interface {
	// Servers is how many lite servers are listed.
	Servers(ctx context.Context) (int, error)
	// Head is the treasury's latest transaction.
	Head(ctx context.Context, now time.Time) (models.ChainCursor, error)
	// ReadBack passes the pages after a cursor, newest first, until take returns an error. After ton.ErrTruncated the passed pages are
	// all that the servers have.
	ReadBack(ctx context.Context, since models.ChainCursor, now time.Time, take func([]treasury.ChainTransaction) error) (treasury.History, error)
	// Read lists the treasury's transactions after a cursor; the zero cursor means all.
	Read(ctx context.Context, since models.ChainCursor, now time.Time) (treasury.History, error)
}

// Sales are the external services of selling coins; without a treasury nothing is sold for TON.
type Sales struct {
	Network  string
	Treasury string // raw address; empty when there is none
	Chain    Chain
	// Wake receives when a payment may be on its way; may be nil.
	Wake <-chan struct{}
	// Stars returns a page of Telegram's list of transactions in Stars, oldest first; nil without Telegram.
	Stars func(ctx context.Context, offset int64, limit int) ([]stars.Transaction, error)
	// Price returns the price of TON; nil without a service.
	Price func(ctx context.Context, now time.Time) (game.PriceReading, error)
}

// readChain reads the treasury's history while this process leads. A failure is retried with backoff: no payment is lost, since the
// chain stores them.
func (t *leaderTerm) readChain(ctx context.Context) {
	if t.o.Sales.Treasury == "" {
		return
	}
	wait, counted := chainInterval, false
	for ctx.Err() == nil {
		if err := t.readOnce(ctx, &counted); err == nil {
			wait = chainInterval
		} else if ctx.Err() == nil {
			t.logReadFailure(ctx, "read_treasury", "the treasury was not read", err)
			wait = min(2*wait, maxChainBackoff)
		}
		if wait > chainInterval { // reading fails: a wake-up must not shorten the backoff
			pause(ctx, wait)
		} else {
			t.waitForNextRead(ctx)
		}
	}
}

// readOnce reads the history, and after its first success counts the servers.
func (t *leaderTerm) readOnce(ctx context.Context, counted *bool) (err error) {
	defer recoverAsError(&err)
	if err := t.read(ctx); err != nil || *counted {
		return err
	}
	*counted = true
	t.countServers(ctx)
	return nil
}

// logReadFailure logs a failure that is retried. A panic is a bug, counted like a job's.
func (t *leaderTerm) logReadFailure(ctx context.Context, name, what string, err error) {
	if errors.Is(err, errPanic) {
		t.o.Meter.JobFailed(name)
		t.o.Log.ErrorContext(ctx, what, "error", err)
		return
	}
	t.o.Log.WarnContext(ctx, what, "error", err)
}

// waitForNextRead returns after chainInterval or a wake-up, but not before the next block.
func (t *leaderTerm) waitForNextRead(ctx context.Context) {
	pause(ctx, minChainInterval)
	select {
	case <-ctx.Done():
	case <-time.After(chainInterval - minChainInterval):
	case <-t.o.Sales.Wake:
	}
}

// countServers warns of a list too short to confirm large payments.
func (t *leaderTerm) countServers(ctx context.Context) {
	listed, err := t.o.Sales.Chain.Servers(ctx)
	if err == nil && listed < treasury.EnoughServers {
		t.o.Log.WarnContext(ctx, "too few lite servers: a payment above large_payment blocks all after it", "listed", listed, "needed", treasury.EnoughServers)
	}
}

// read records new transactions and expires orders by the chain's time.
func (t *leaderTerm) read(ctx context.Context) error {
	if err := t.holdsLease(); err != nil {
		return err
	}
	s := t.o.Sales
	now := t.o.Now()
	pinned, ok, err := t.store.Treasury.Treasury(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return t.beginRecord(ctx, now)
	}
	history, err := s.Chain.Read(ctx, pinned.Cursor, now)
	if err != nil {
		return err
	}
	if pinned.Network != s.Network || pinned.Address != s.Treasury {
		return treasury.ErrOtherTreasury
	}
	if err := t.holdsLease(); err != nil { // reading may outlast the lease
		return err
	}
	recorded, err := t.store.Treasury.Record(ctx, history, t.o.Season, t.o.Now)
	if recorded > 0 {
		t.o.Log.InfoContext(ctx, "payments recorded", "transactions", recorded, "known_until", history.KnownUntil)
	}
	if errors.Is(err, treasury.ErrCursorMoved) { // the last leader's record counts
		return nil
	}
	if err != nil {
		return err
	}
	if _, err = t.store.Treasury.ExpireOrders(ctx); err != nil {
		return err
	}
	_, err = t.store.Mines.AdvanceTournaments(ctx, t.o.Admins, t.o.Now()) // an ended one waits for the chain
	if err != nil && !t.advanceFailed && ctx.Err() == nil {               // logged once: the job of that name counts failures
		t.o.Log.WarnContext(ctx, "advance tournaments", "error", err)
	}
	t.advanceFailed = err != nil
	return nil
}

// beginRecord sets the start of the treasury's record: the head of its history, or before the first order if one was made while the
// chain was unreadable. Earlier transactions pay no order.
func (t *leaderTerm) beginRecord(ctx context.Context, now time.Time) error {
	// The head first: an order not yet visible below is answered, and so paid, after it.
	since, err := t.o.Sales.Chain.Head(ctx, now)
	if err != nil {
		return err
	}
	ordered, ok, err := t.store.Orders.FirstOrder(ctx)
	if err == nil && ok {
		since, err = t.recordStart(ctx, ordered, since, now)
	}
	if err != nil {
		return err
	}
	return t.store.Treasury.BeginRecord(ctx, t.o.Sales.Network, t.o.Sales.Treasury, since)
}

// recordStart returns the last transaction before any payment of an order made at ordered; the zero cursor when there is none. If
// the servers have pruned it, it is the one before their oldest.
func (t *leaderTerm) recordStart(ctx context.Context, ordered time.Time, head models.ChainCursor, now time.Time) (models.ChainCursor, error) {
	found, reached, at := false, head, now
	enough := errors.New("read far enough")
	history, err := t.o.Sales.Chain.ReadBack(ctx, models.ChainCursor{}, now, func(page []treasury.ChainTransaction) error {
		for _, one := range page {
			if found = one.At.Before(ordered.Add(-maxClockDifference)); found {
				reached = one.ChainCursor
				return enough
			}
			reached, at = one.Prev, one.At
		}
		return nil
	})
	switch {
	case history.SingleSource:
		return models.ChainCursor{}, treasury.ErrOneServer
	case found:
		return reached, nil
	case err == nil:
		return models.ChainCursor{}, nil
	case !errors.Is(err, ton.ErrTruncated):
		return models.ChainCursor{}, err
	}
	if t.truncated++; t.truncated < maxTruncatedReads {
		return models.ChainCursor{}, err
	}
	t.o.Log.ErrorContext(ctx, "no lite server keeps the treasury's history back to the first order: what was paid before is not recorded, look for it by hand",
		"ordered", ordered, "recorded_from", at)
	return reached, nil
}
