package models

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// ChainCursor identifies a transaction of the treasury; the zero value is before the first.
type ChainCursor struct {
	LT   int64  // logical time, ascending
	Hash string // hex
}

// ChainTransaction is a transaction of the treasury on the chain.
type ChainTransaction struct {
	ChainCursor
	Prev        ChainCursor
	At          time.Time // chain time, UTC, in whole seconds
	Kind        string    // only ChainIncoming is a payment
	Source      string    // raw address of the sender; empty when there was none
	Amount      game.Nanoton
	Comment     string
	CommentKind string
	Sent        []ChainTransfer // what the treasury sent by it
	BoC         []byte
}

// ChainTransfer is TON that left the treasury for another account.
type ChainTransfer struct {
	To      string // raw
	Amount  game.Nanoton
	Comment string
}

// ChainIncoming is the kind of transactions by which TON came in and stayed.
const ChainIncoming = "incoming"

// chainBounced is the kind of transactions by which TON came back that the treasury had sent.
const chainBounced = "bounced"

// Kinds of comments that exist but cannot be read.
const (
	CommentEncrypted = "encrypted"
	CommentBinary    = "binary"
)

// History is what happened to the treasury after a cursor.
type History struct {
	Since        ChainCursor
	Transactions []ChainTransaction // oldest first, without a gap
	Head         ChainCursor        // the last of them, or Since
	KnownUntil   time.Time          // block time: up to it the list is complete
	Agreed       int                // how many lite servers show it
	Alone        bool               // one server shows it, and the others are silent
}

// settingTreasury holds the network and raw address that payments go to, before their history is read.
const settingTreasury = "treasury"

// Treasury is the account that payments go to, and how far its history is known.
type Treasury struct {
	Network    string
	Address    string      // raw
	Since      ChainCursor // the record begins after it
	Cursor     ChainCursor
	KnownUntil time.Time // zero before the first reading
	Sold       game.MicroMCBK
}

// Permanent errors of recording.
var (
	// ErrOtherTreasury means that the address or network differs from that of earlier payments.
	ErrOtherTreasury = errors.New("the treasury is another than the one in the database")
	// ErrCursorMoved means that the history does not begin where the recorded one ends: another process was faster.
	ErrCursorMoved = errors.New("the treasury's history was continued by another process")
	// ErrBrokenChain means that a transaction of the history does not follow the one before.
	ErrBrokenChain = errors.New("the treasury's history has a gap")
)

// ErrOneServer means that only one lite server shows the history, from a point on that needs two. The rest is recorded once another
// server shows it too.
var ErrOneServer = errors.New("a second lite server must show it")

// EnoughServers is how many lite servers must show a large payment.
const EnoughServers = 2

// dayAlone is the span over which payments shown by a single server are summed.
const dayAlone = 24 * time.Hour

// trusted returns the part of a history that its number of servers is believed about: everything before a payment that is too large
// for one. If the others are only silent, the operator of that one may have made it up: then its payments may together be no more
// than a large one in a day, no payout is settled, or owed again, by its word, and nothing is over because it shows no payment.
func (s *Store) trusted(ctx context.Context, h History, now time.Time) (History, error) {
	if h.Agreed >= EnoughServers {
		return h, nil
	}
	large := game.Nanoton(s.RuntimeSettings(ctx, now).LargePayment) * game.TON
	var believed game.Nanoton
	if h.Alone {
		h.KnownUntil = time.Time{}
		err := s.reading(ctx).Raw("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM treasury_transactions WHERE seen_at > ? AND shown_by = 1 AND kind = ?",
			stored(now.Add(-dayAlone)), ChainIncoming).Scan(&believed).Error
		if err != nil {
			return h, fmt.Errorf("add up what one lite server showed: %w", explained(err))
		}
	}
	for i, t := range h.Transactions {
		pays := t.Kind == ChainIncoming && t.Amount+believed > large
		if pays || h.Alone && (len(t.Sent) > 0 || t.Kind == chainBounced) {
			h.Transactions, h.KnownUntil = h.Transactions[:i], time.Time{}
			return h, fmt.Errorf("transaction %d of %d nanoton: %w", t.LT, t.Amount, ErrOneServer)
		}
		if h.Alone && t.Kind == ChainIncoming {
			believed += t.Amount
		}
	}
	return h, nil
}

// NameTreasury stores the address that payments go to, from the first start with it on, so that no order is paid to one address and
// looked for at another. Another address or network than before is ErrOtherTreasury.
func (s *Store) NameTreasury(ctx context.Context, network, address string, now time.Time) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := noOther(tx, network, address); err != nil { // an older database has no name, but a treasury
			return err
		}
		err := tx.Exec("INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
			settingTreasury, network+" "+address, now.UTC()).Error
		if err != nil {
			return fmt.Errorf("name the treasury: %w", err)
		}
		return noOther(tx, network, address)
	})
}

// noOther refuses another address or network than the one that payments go to, if any.
func noOther(tx *gorm.DB, network, address string) error {
	t, _, err := treasury(tx)
	if err == nil && t.Address != "" && (t.Network != network || t.Address != address) {
		err = fmt.Errorf("%w: %s on %s, now %s on %s", ErrOtherTreasury, t.Address, t.Network, address, network)
	}
	return err
}

// PinTreasury stores where the record of the treasury begins: after the cursor, which counts only the first time. Later another
// address or network is ErrOtherTreasury.
func (s *Store) PinTreasury(ctx context.Context, network, address string, since ChainCursor) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := noOther(tx, network, address); err != nil {
			return err
		}
		err := tx.Exec(`INSERT INTO treasury (id, network, address, lt, hash, since_lt, since_hash) VALUES (1, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO NOTHING`, network, address, since.LT, since.Hash, since.LT, since.Hash).Error
		if err != nil {
			return fmt.Errorf("pin the treasury: %w", err)
		}
		return noOther(tx, network, address)
	})
}

// Treasury returns the pinned treasury; ok is false before its history was read for the first time, when at most its name is
// stored.
func (s *Store) Treasury(ctx context.Context) (t Treasury, ok bool, err error) {
	t, ok, err = treasury(s.reading(ctx))
	return t, ok, explained(err)
}

// ChainLag returns how old the known history of the treasury is; known is false before its first reading.
func (s *Store) ChainLag(ctx context.Context, now time.Time) (lag time.Duration, known bool, err error) {
	t, _, err := s.Treasury(ctx)
	if err != nil || t.KnownUntil.IsZero() {
		return 0, false, err
	}
	return max(0, now.Sub(t.KnownUntil)), true, nil
}

func treasury(tx *gorm.DB) (t Treasury, ok bool, err error) {
	var rows []struct {
		Network, Address string
		LT               int64 `gorm:"column:lt"`
		Hash             string
		SinceLT          int64 `gorm:"column:since_lt"`
		SinceHash        string
		KnownUntil       *time.Time
		Sold             int64
	}
	if err := tx.Raw("SELECT network, address, lt, hash, since_lt, since_hash, known_until, sold FROM treasury").Scan(&rows).Error; err != nil {
		return Treasury{}, false, fmt.Errorf("read the treasury: %w", err)
	}
	if len(rows) == 0 {
		var named string
		if err := tx.Raw(readSetting, settingTreasury).Scan(&named).Error; err != nil {
			return Treasury{}, false, fmt.Errorf("read the treasury's name: %w", err)
		}
		t.Network, t.Address, _ = strings.Cut(named, " ")
		return t, false, nil
	}
	r := rows[0]
	t = Treasury{Network: r.Network, Address: r.Address, Since: ChainCursor{r.SinceLT, r.SinceHash}, Cursor: ChainCursor{r.LT, r.Hash}, Sold: game.MicroMCBK(r.Sold)}
	if r.KnownUntil != nil {
		t.KnownUntil = r.KnownUntil.UTC()
	}
	return t, true, nil
}

// lockTreasury blocks the recorder until the transaction ends, or waits until it has committed. The recorder, too, locks that row
// before any other.
func lockTreasury(tx *gorm.DB) error {
	if err := tx.Exec("UPDATE treasury SET sold = sold").Error; err != nil {
		return fmt.Errorf("lock the treasury: %w", err)
	}
	return nil
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
		tryAgain, wrong := errors.Is(err, ErrTryAgain), errors.Is(err, ErrCursorMoved) || errors.Is(err, ErrBrokenChain)
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
		case tryAgain || len(failures) == maxFailedInARow:
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
	if h.Agreed == 1 && !h.Alone {
		return 0
	}
	return h.Agreed
}

// recordPart moves the cursor over a part of a history. A zero KnownUntil leaves the stored one; payments for orders are held if
// failed is set.
func (s *Store) recordPart(ctx context.Context, part History, failed bool, season game.Season, clock func() time.Time) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
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
			err := tx.Exec(`INSERT INTO treasury_transactions (lt, hash, prev_lt, prev_hash, happened_at, kind, source, amount, comment, comment_kind, boc, seen_at, shown_by)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				t.LT, t.Hash, t.Prev.LT, t.Prev.Hash, stored(t.At), t.Kind, t.Source, int64(t.Amount), t.text(), t.CommentKind, t.BoC, stored(now), part.shownBy()).Error
			if err != nil {
				return fmt.Errorf("record transaction %d: %w", t.LT, err)
			}
		}
		if err := settleTransfers(tx, part.Transactions, now); err != nil {
			return err
		}
		return s.settlePayments(tx, part.Transactions, failed, season, now)
	})
}

// moveCursor moves the treasury's cursor, and the time up to which it is known. That time may go back, as after a clock that was
// ahead: then orders expire later, and payments count.
func moveCursor(tx *gorm.DB, since, head ChainCursor, known time.Time) error {
	set, values := "lt = ?, hash = ?", []any{head.LT, head.Hash}
	if !known.IsZero() {
		set, values = set+", known_until = ?", append(values, stored(known))
	}
	moved := tx.Exec("UPDATE treasury SET "+set+" WHERE lt = ? AND hash = ?", append(values, since.LT, since.Hash)...)
	if moved.Error != nil {
		return fmt.Errorf("move the treasury's cursor: %w", moved.Error)
	}
	if moved.RowsAffected != 1 {
		return ErrCursorMoved
	}
	return nil
}

// text returns the comment as it is stored.
func (t ChainTransaction) text() string { return withoutZeros(t.Comment) }

// ExpireOrders expires pending orders that no payment can pay in time any more: the chain is known beyond their time. It returns
// how many.
func (s *Store) ExpireOrders(ctx context.Context) (rows int64, err error) {
	t, ok, err := s.Treasury(ctx)
	if err != nil || !ok || t.KnownUntil.IsZero() {
		return 0, err
	}
	return s.sweep(ctx, `UPDATE orders SET state = 'expired' WHERE state = 'pending' AND id IN
		(SELECT id FROM orders WHERE state = 'pending' AND expires_at < ? LIMIT ?)`, t.KnownUntil.Add(-game.PaymentGrace), sweepRows)
}
