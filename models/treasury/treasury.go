package treasury

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// ChainTransaction is a transaction of the treasury on the chain.
type ChainTransaction struct {
	models.ChainCursor
	Prev        models.ChainCursor
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

// ChainBounced is the kind of transactions by which TON came back that the treasury had sent.
const ChainBounced = "bounced"

// Kinds of comments that exist but cannot be read.
const (
	CommentEncrypted = "encrypted"
	CommentBinary    = "binary"
)

// History is what happened to the treasury after a cursor.
type History struct {
	Since        models.ChainCursor
	Transactions []ChainTransaction // oldest first, without a gap
	Head         models.ChainCursor // the last of them, or Since
	KnownUntil   time.Time          // block time: up to it the list is complete
	Agreed       int                // how many lite servers show it
	SingleSource bool               // one server shows it, and the others are silent
}

// SettingTreasury holds the network and raw address that payments go to, before their history is read.
const SettingTreasury = "treasury"

// Permanent errors of recording.
var (
	// ErrOtherTreasury means that the address or network differs from that of earlier payments.
	ErrOtherTreasury = errors.New("the treasury is another than the one in the database")
	// ErrCursorMoved means that the history does not begin where the recorded one ends: another process was faster.
	ErrCursorMoved = errors.New("the treasury's history was continued by another process")
	// ErrBrokenChain means that a transaction of the history does not follow the one before.
	ErrBrokenChain = errors.New("the treasury's history has a gap")
)

// PinTreasury stores the address that payments go to, from the first start with it on, so that no order is paid to one address and
// looked for at another. Another address or network than before is ErrOtherTreasury. No time that it stores decides anything, so a
// process whose clock is wrong may start with it.
func (s *Store) PinTreasury(ctx context.Context, network, address string, now time.Time) error {
	return s.db.InTxAnyClock(ctx, func(tx *gorm.DB) error {
		if err := requireSameTreasury(tx, network, address); err != nil { // an older database has pinned none, but has its record
			return err
		}
		if err := settings.Init(tx, SettingTreasury, network+" "+address, now); err != nil {
			return fmt.Errorf("pin the treasury: %w", err)
		}
		return requireSameTreasury(tx, network, address)
	})
}

// requireSameTreasury refuses another address or network than the one that payments go to, if any.
func requireSameTreasury(tx *gorm.DB, network, address string) error {
	t, _, err := readTreasury(tx)
	if err == nil && t.Address != "" && (t.Network != network || t.Address != address) {
		err = fmt.Errorf("%w: %s on %s, now %s on %s", ErrOtherTreasury, t.Address, t.Network, address, network)
	}
	return err
}

// BeginRecord stores where the record of the treasury begins: after the cursor, which counts only the first time. Later another
// address or network is ErrOtherTreasury.
func (s *Store) BeginRecord(ctx context.Context, network, address string, since models.ChainCursor) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		if err := requireSameTreasury(tx, network, address); err != nil {
			return err
		}
		begun := models.Treasury{ID: 1, Network: network, Address: address, Since: since, Cursor: since}
		if err := tx.Scopes(db.OrIgnore).Omit("known_until").Create(&begun).Error; err != nil {
			return fmt.Errorf("begin the record of the treasury: %w", err)
		}
		return requireSameTreasury(tx, network, address)
	})
}

// Treasury returns the treasury; ok is false before its history was read for the first time, when at most its address is
// stored.
func (s *Store) Treasury(ctx context.Context) (t models.Treasury, ok bool, err error) {
	t, ok, err = readTreasury(s.db.Read(ctx))
	return t, ok, db.WrapUnavailable(err)
}

// ChainLag returns how old the known history of the treasury is; known is false before its first reading.
func (s *Store) ChainLag(ctx context.Context, now time.Time) (lag time.Duration, known bool, err error) {
	t, _, err := s.Treasury(ctx)
	if err != nil || t.KnownUntil.IsZero() {
		return 0, false, err
	}
	return max(0, now.Sub(t.KnownUntil)), true, nil
}

func readTreasury(tx *gorm.DB) (t models.Treasury, ok bool, err error) {
	t, err = db.One[models.Treasury](tx)
	if errors.Is(err, db.ErrNotFound) {
		named, err := settings.Value(tx, SettingTreasury)
		t.Network, t.Address, _ = strings.Cut(named, " ")
		return t, false, err
	}
	if err != nil {
		return models.Treasury{}, false, fmt.Errorf("read the treasury: %w", err)
	}
	t.KnownUntil = t.KnownUntil.UTC()
	return t, true, nil
}

// lockTreasury blocks the recorder until the transaction ends, or waits until it has committed. The recorder, too, locks that row
// before any other.
func lockTreasury(tx *gorm.DB) error {
	return db.Wrap(tx.Exec("UPDATE treasury SET sold = sold").Error, "lock the treasury")
}

// Text returns the comment as it is stored.
func (t ChainTransaction) Text() string { return withoutZeros(t.Comment) }

// ExpireOrders expires pending orders in TON that no payment can pay in time any more: the chain is known beyond their time. It returns
// how many.
func (s *Store) ExpireOrders(ctx context.Context) (rows int64, err error) {
	t, ok, err := s.Treasury(ctx)
	if err != nil || !ok || t.KnownUntil.IsZero() {
		return 0, err
	}
	return s.db.Sweep(ctx, `UPDATE orders SET state = 'expired' WHERE state = 'pending' AND id IN
		(SELECT id FROM orders WHERE state = 'pending' AND currency = 'TON' AND expires_at < ? LIMIT ?)`, t.KnownUntil.Add(-game.PaymentGrace), db.SweepRows)
}
