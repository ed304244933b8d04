package audit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/treasury"
)

// WholeChain reads the treasury's history again, whatever is recorded of it.
type WholeChain interface {
	// ReadBack hands over what happened after a cursor page by page, newest first. The History has no transactions. ErrNotOnChain
	// means that there is no such cursor.
	ReadBack(ctx context.Context, since models.ChainCursor, now time.Time, take func([]treasury.ChainTransaction) error) (treasury.History, error)
	// HashOf returns the hash, in hex, of a transaction's cells; an error if they are not cells.
	HashOf(cells []byte) (string, error)
}

// Errors of a comparison with the chain.
var (
	// ErrNotOnChain means that the chain does not hold the transaction after which the record begins.
	ErrNotOnChain = errors.New("the chain does not hold the transaction after which the record begins")
	// ErrNotPinned means that the treasury's history was never read.
	ErrNotPinned = errors.New("nothing is recorded of the treasury yet")
	// ErrChainBehind means that the servers show the chain up to an earlier time than is recorded.
	ErrChainBehind = errors.New("the lite servers are behind what is recorded")
)

// ChainReport is how the record differs from the chain.
type ChainReport struct {
	Found    []string         // the first twenty differences
	More     int              // how many more there are
	Recorded int64            // transactions in both
	Waiting  int64            // on the chain, and not yet to be expected in the record
	Chain    treasury.History // how far the chain was read, and from how many servers
}

// Sound reports whether the record matches the chain.
func (r ChainReport) Sound() bool { return len(r.Found) == 0 }

func (r *ChainReport) find(format string, args ...any) {
	if len(r.Found) == mostListed {
		r.More++
		return
	}
	r.Found = append(r.Found, fmt.Sprintf(format, args...))
}

// unsure is how much later than its time a transaction may be seen: the time up to which the chain is known is the masterchain's,
// and a shard's block may be a little older than the masterchain block that refers to it.
const unsure = time.Minute

// VerifyChain compares what is recorded of the treasury with the chain, transaction by transaction, beside a running server. It
// keeps one page of both in memory. An error means that it could not complete the comparison.
func (s *Auditor) VerifyChain(ctx context.Context, chain WholeChain, now time.Time) (ChainReport, error) {
	t, ok, err := s.treasury.Treasury(ctx) // read first: what is recorded later is on the chain that is read later, too
	if err == nil && !ok {
		err = ErrNotPinned
	}
	if err != nil {
		return ChainReport{}, err
	}
	c := comparison{store: s, chain: chain, treasury: t, below: t.Cursor.LT}
	c.report.Chain, err = chain.ReadBack(ctx, t.Since, now, func(page []treasury.ChainTransaction) error { return c.page(ctx, page) })
	switch head := c.report.Chain; {
	case errors.Is(err, ErrNotOnChain):
		return ChainReport{Found: []string{fmt.Sprintf("%v: %d %s", err, t.Since.LT, t.Since.Hash)}, Chain: head}, nil
	case err != nil:
		return ChainReport{}, err
	case head.Head.LT < t.Cursor.LT:
		until, err := s.recordedUntil(ctx, t)
		if err != nil {
			return ChainReport{}, err
		}
		if head.KnownUntil.Before(until) {
			return ChainReport{}, fmt.Errorf("%w: they tell of it until %s", ErrChainBehind, head.KnownUntil.Format(time.RFC3339))
		}
	}
	return c.report, c.rest(ctx)
}

// recordedUntil returns the time until which the chain must be known to have all that is recorded. While a single server shows the
// chain, transactions are recorded and the treasury's time stays.
func (s *Auditor) recordedUntil(ctx context.Context, t models.Treasury) (time.Time, error) {
	var last []struct{ HappenedAt time.Time }
	err := s.db.Read(ctx).Raw("SELECT happened_at FROM treasury_transactions WHERE lt = ?", t.Cursor.LT).Scan(&last).Error
	if err != nil {
		return time.Time{}, db.WrapUnavailable(fmt.Errorf("find the treasury's last transaction: %w", err))
	}
	until := t.KnownUntil
	if len(last) > 0 && last[0].HappenedAt.Add(unsure).After(until) {
		until = last[0].HappenedAt.Add(unsure)
	}
	return until, nil
}

// comparison goes back in the record and on the chain side by side.
type comparison struct {
	store    *Auditor
	chain    WholeChain
	treasury models.Treasury
	below    int64 // the record was compared down to here, this one not included
	report   ChainReport
}

// page compares a page of the chain with the same stretch of the record.
func (c *comparison) page(ctx context.Context, page []treasury.ChainTransaction) error {
	known := page
	for len(known) > 0 && known[0].LT > c.treasury.Cursor.LT {
		c.beyond(known[0])
		known = known[1:]
	}
	if len(known) == 0 {
		return nil
	}
	reached := known[len(known)-1].Prev.LT
	transfers, err := c.transfers(ctx, reached)
	if err != nil {
		return err
	}
	err = c.recorded(ctx, reached, func(row treasury.ChainTransaction) {
		row.Sent = transfers[row.LT]
		for len(known) > 0 && known[0].LT > row.LT {
			c.missing(known[0])
			known = known[1:]
		}
		if len(known) == 0 || known[0].LT < row.LT {
			c.madeUp(row)
			return
		}
		c.compare(known[0], row)
		known = known[1:]
	})
	for _, t := range known {
		c.missing(t)
	}
	c.below = reached
	return err
}

// rest compares what is recorded before the chain's first transaction after the beginning.
func (c *comparison) rest(ctx context.Context) error {
	return c.recorded(ctx, math.MinInt64, c.madeUp)
}

// beyond notes a transaction after the cursor: it waits to be recorded, unless it should have been.
func (c *comparison) beyond(t treasury.ChainTransaction) {
	if t.At.Before(c.treasury.KnownUntil.Add(-unsure)) {
		c.missing(t)
		return
	}
	c.report.Waiting++
}

func (c *comparison) missing(t treasury.ChainTransaction) {
	c.report.find("transaction %d (%s) of %s brought %d nanoton and is not recorded", t.LT, t.Hash, t.At.UTC().Format(time.RFC3339), t.Amount)
}

func (c *comparison) madeUp(row treasury.ChainTransaction) {
	c.report.find("transaction %d (%s) is recorded with %d nanoton and is not on the chain", row.LT, row.Hash, row.Amount)
}

// compare finds differences between a transaction on the chain and its row.
func (c *comparison) compare(t, row treasury.ChainTransaction) {
	same := true
	for _, field := range []struct {
		name            string
		chain, recorded any
	}{
		{"hash", t.Hash, row.Hash},
		{"hash before it", t.Prev, row.Prev},
		{"time", db.Time(t.At), row.At},
		{"kind", t.Kind, recordedKind(row)},
		{"sender", t.Source, row.Source},
		{"amount", t.Amount, row.Amount},
		{"comment", t.Text(), row.Comment},
		{"kind of comment", t.CommentKind, row.CommentKind},
		{"list of transfers", listed(t.Sent), listed(row.Sent)},
	} {
		if field.chain != field.recorded {
			same = false
			c.report.find("transaction %d: its %s is %v on the chain and recorded as %v", t.LT, field.name, quoted(field.chain), quoted(field.recorded))
		}
	}
	switch hash, err := c.chain.HashOf(row.BoC); {
	case err != nil:
		same = false
		c.report.find("transaction %d: what is recorded of its cells cannot be read: %v", t.LT, err)
	case hash != t.Hash:
		same = false
		c.report.find("transaction %d: its hash is %q on the chain, and that of the recorded cells %q", t.LT, t.Hash, hash)
	}
	if same {
		c.report.Recorded++
	}
}

// listed writes transfers in their order, like 1000000000 nanoton to 0:ab: MCBK-1.
func listed(transfers []treasury.ChainTransfer) string {
	return strings.Join(db.MapSlice(transfers, func(sent treasury.ChainTransfer) string {
		return fmt.Sprintf("%d nanoton to %s: %s", sent.Amount, sent.To, treasury.TrimComment(sent.Comment))
	}), ", ")
}

// quoted puts quotes around a text that a stranger wrote.
func quoted(value any) any {
	if text, ok := value.(string); ok {
		return fmt.Sprintf("%q", text)
	}
	return value
}

// transfers returns what is recorded of the transfers in the stretch that recorded goes through, by transaction.
func (c *comparison) transfers(ctx context.Context, reached int64) (map[int64][]treasury.ChainTransfer, error) {
	var rows []struct {
		LT          int64 `gorm:"column:lt"`
		Destination string
		Amount      game.Nanoton
		Comment     string
	}
	err := c.store.db.Committed(ctx).Raw("SELECT lt, destination, amount, comment FROM treasury_transfers WHERE lt <= ? AND lt > ? ORDER BY lt, line", c.below, reached).
		Scan(&rows).Error
	if err != nil {
		return nil, db.WrapUnavailable(fmt.Errorf("read the treasury's transfers: %w", err))
	}
	sent := map[int64][]treasury.ChainTransfer{}
	for _, row := range rows {
		sent[row.LT] = append(sent[row.LT], treasury.ChainTransfer{To: row.Destination, Amount: row.Amount, Comment: row.Comment})
	}
	return sent, nil
}

// recorded goes back through the record from where it was left to what comes after reached.
func (c *comparison) recorded(ctx context.Context, reached int64, each func(treasury.ChainTransaction)) error {
	query := c.store.db.Committed(ctx).Raw(`SELECT lt, hash, prev_lt, prev_hash, happened_at, kind, source, amount, comment, comment_kind, boc
		FROM treasury_transactions WHERE lt <= ? AND lt > ? ORDER BY lt DESC`, c.below, reached)
	err := db.Each(query, func(row db.Row) error {
		var t treasury.ChainTransaction
		if err := row.Scan(&t.LT, &t.Hash, &t.Prev.LT, &t.Prev.Hash, &t.At, &t.Kind, &t.Source, &t.Amount, &t.Comment, &t.CommentKind, &t.BoC); err != nil {
			return err
		}
		t.At = t.At.UTC()
		each(t)
		return nil
	})
	return db.WrapUnavailable(db.Wrap(err, "read the treasury's record"))
}

// recordedKind returns the kind of a recorded transaction as it would be recorded now: TON that came with another coin was none of
// a payment before, however much it was.
func recordedKind(row treasury.ChainTransaction) string {
	if row.Kind == row.CommentKind && row.Amount >= game.LeastPurchase {
		return treasury.ChainIncoming
	}
	return row.Kind
}
