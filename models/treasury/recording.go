package treasury

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// ErrOneServer means that only one lite server shows the history, from a point on that needs two. The rest is recorded once another
// server shows it too.
var ErrOneServer = errors.New("a second lite server must show it")

// EnoughServers is how many lite servers must show a large payment.
const EnoughServers = 2

// singleSourceDay is the span over which payments shown by a single server are summed.
const singleSourceDay = 24 * time.Hour

// trusted returns the part of a history that its number of servers is believed about: everything before a payment that is too large
// for one. If the others are only silent, the operator of that one may have made it up: then its payments may together be no more
// than a large one in a day, no payout is settled, or owed again, by its word, and nothing is over because it shows no payment.
func (s *Store) trusted(ctx context.Context, h History, now time.Time) (History, error) {
	if h.Agreed >= EnoughServers {
		return h, nil
	}
	set, err := settings.ReadSettings(s.db.Read(ctx)) // what this process last knew may be from before the database was away
	if err != nil {
		return h, db.WrapUnavailable(err)
	}
	large := game.Nanoton(set.Runtime.LargePayment) * game.TON
	var believed game.Nanoton
	if h.SingleSource {
		h.KnownUntil = time.Time{}
		err := s.db.Read(ctx).Raw("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM treasury_transactions WHERE seen_at > ? AND shown_by = 1 AND kind = ?",
			db.Time(now.Add(-singleSourceDay)), ChainIncoming).Scan(&believed).Error
		if err != nil {
			return h, fmt.Errorf("add up what one lite server showed: %w", db.WrapUnavailable(err))
		}
	}
	for i, t := range h.Transactions {
		pays := t.Kind == ChainIncoming && t.Amount > large-believed // a sum with what somebody made up might overflow
		if pays || h.SingleSource && (len(t.Sent) > 0 || t.Kind == ChainBounced) {
			h.Transactions, h.KnownUntil = h.Transactions[:i], time.Time{}
			return h, fmt.Errorf("transaction %d of %d nanoton: %w", t.LT, t.Amount, ErrOneServer)
		}
		if h.SingleSource && t.Kind == ChainIncoming {
			believed += t.Amount
		}
	}
	return h, nil
}

// recordAtOnce is how many transactions of the chain are recorded in one transaction of the database, if that is fast enough.
const recordAtOnce = 50

// Record stores what happened to the treasury, and what becomes of each payment, exactly once: the cursor moves in the same
// transaction. It refuses a history that does not begin at the cursor (ErrCursorMoved) or has a gap (ErrBrokenChain), and stops
// before what too few servers show (ErrOneServer). A payment that the database refuses is held, so that it does not block the
// others, and named by the error. It returns how many transactions were new. What is bought begins when its part is written: each
// part reads the time from now.
func (s *Store) Record(ctx context.Context, h History, season game.Season, now func() time.Time) (recorded int, err error) {
	h, waits := s.trusted(ctx, h, now())
	if waits != nil && !errors.Is(waits, ErrOneServer) {
		return 0, waits
	}
	since, size := h.Since, recordAtOnce
	var failures []error
	for rest := h.Transactions; ; {
		part := h
		part.Since, part.Transactions = since, rest[:min(len(rest), size)]
		n := len(part.Transactions)
		if n < len(rest) { // more has happened than is recorded yet
			part.KnownUntil = time.Time{}
		}
		err := s.recordPart(ctx, part, false, season, now)
		tryAgain, wrong := errors.Is(err, db.ErrUnavailable), errors.Is(err, ErrCursorMoved) || errors.Is(err, ErrBrokenChain)
		switch {
		case err == nil:
		case wrong, ctx.Err() != nil:
			return recorded, err
		case n > 1 && tryAgain:
			size = max(1, n/4) // a slow database may manage fewer within a transaction's time
			continue
		case n > 1:
			size = 1 // one transaction fails
			continue
		case tryAgain || len(failures) == db.MaxConsecutiveFailures:
			return recorded, errors.Join(append(failures, err)...)
		default:
			if worse := s.recordPart(ctx, part, true, season, now); worse != nil {
				return recorded, errors.Join(append(failures, err, worse)...)
			}
			failures = append(failures, err)
		}
		recorded += n
		if rest = rest[n:]; len(rest) == 0 {
			return recorded, errors.Join(append(failures, waits)...)
		}
		since = part.Transactions[n-1].ChainCursor
	}
}

// shownBy returns the number of lite servers stored as having shown a history; 0 if a single server is configured, whose payments
// are not summed.
func (h History) shownBy() int {
	if h.Agreed == 1 && !h.SingleSource {
		return 0
	}
	return h.Agreed
}

// recordPart moves the cursor over a part of a history. A zero KnownUntil leaves the stored one; payments for orders are held if
// failed is set.
func (s *Store) recordPart(ctx context.Context, part History, failed bool, season game.Season, clock func() time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		now := clock()
		head := part.Since
		for _, t := range part.Transactions {
			if t.Prev != head || t.LT <= head.LT {
				return fmt.Errorf("%w: %d does not follow %d", ErrBrokenChain, t.LT, head.LT)
			}
			head = t.ChainCursor
		}
		if err := moveCursor(tx, part.Since, head, part.KnownUntil); err != nil {
			return err
		}
		for _, t := range part.Transactions {
			err := tx.Create(&models.TreasuryTransaction{
				LT: t.LT, Hash: t.Hash, PrevLT: t.Prev.LT, PrevHash: t.Prev.Hash, HappenedAt: db.Time(t.At), Kind: t.Kind, Source: t.Source,
				Amount: t.Amount, Comment: t.Text(), CommentKind: t.CommentKind, BoC: t.BoC, SeenAt: db.Time(now), ShownBy: part.shownBy(),
			}).Error
			if err != nil {
				return fmt.Errorf("record transaction %d: %w", t.LT, err)
			}
		}
		if err := s.settleTransfers(tx, part.Transactions, now); err != nil {
			return err
		}
		return s.settlePayments(tx, part.Transactions, failed, season, now)
	})
}

// moveCursor moves the treasury's cursor, and the time up to which it is known. That time may go back, as after a clock that was
// ahead: then orders expire later, and payments count.
func moveCursor(tx *gorm.DB, since, head models.ChainCursor, known time.Time) error {
	set := map[string]any{"lt": head.LT, "hash": head.Hash}
	if !known.IsZero() {
		set["known_until"] = db.Time(known)
	}
	moved := tx.Model(&models.Treasury{}).Where("lt = ? AND hash = ?", since.LT, since.Hash).Updates(set)
	if moved.Error != nil {
		return fmt.Errorf("move the treasury's cursor: %w", moved.Error)
	}
	if moved.RowsAffected != 1 {
		return ErrCursorMoved
	}
	return nil
}
