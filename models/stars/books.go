package stars

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Transaction is a line of Telegram's list of transactions, oldest first. A charge and its refund have the same id.
type Transaction struct {
	ChargeID string
	Kind     TransactionKind
	Payer    int64 // Telegram's id
	Stars    game.Stars
	Payload  string    // of the invoice; empty for a refund
	At       time.Time // Telegram's time, UTC
}

// TransactionKind is what a line of Telegram's list is.
type TransactionKind int

// The kinds of transactions.
const (
	OtherTransaction TransactionKind = iota // a withdrawal, a gift: nothing of the game's
	ChargeTransaction
	RefundTransaction
)

// ErrRecorded means that another process has recorded the transaction.
var ErrRecorded = errors.New("the transaction was recorded by another process")

// Books returns how far Telegram's list of transactions is recorded.
func (s *Store) Books(ctx context.Context) (models.StarBooks, error) {
	books, err := db.One[models.StarBooks](s.db.Read(ctx))
	return books, db.WrapUnavailable(err)
}

// Record books the transaction at an offset of Telegram's list, exactly once, and what no update has told of: a charge is received, a
// refund booked. What the bot took or gave before the game's first order in Stars is only counted.
func (s *Store) Record(ctx context.Context, offset int64, listed Transaction, season game.Season, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		t := listed
		ours, err := isOurs(tx, t)
		if err != nil {
			return err
		}
		if !ours {
			t.Kind = OtherTransaction
		}
		c := models.StarCharge{ChargeID: t.ChargeID, Payer: t.Payer, Stars: t.Stars, Payload: t.Payload, PaidAt: t.At}
		switch t.Kind {
		case ChargeTransaction:
			if err = s.receive(tx, c, season, now); err == nil {
				err = markListed(tx, t, "listed")
			}
		case RefundTransaction:
			if err = s.refund(tx, c, season, t.At, now); err == nil {
				err = markListed(tx, t, "refund_listed")
			}
		}
		if err != nil {
			return err
		}
		// Last, since crediting locks the players before the books.
		moved := tx.Model(&models.StarBooks{}).Where("transactions = ?", offset).Updates(map[string]any{
			"transactions": offset + 1, "stars": gorm.Expr("stars + ?", int64(t.signed())),
		})
		switch {
		case moved.Error != nil:
			return fmt.Errorf("record a transaction in Stars: %w", moved.Error)
		case moved.RowsAffected == 0:
			return ErrRecorded
		}
		return nil
	})
}

// signed returns what the transaction brought, negative for a refund.
func (t Transaction) signed() game.Stars {
	switch t.Kind {
	case ChargeTransaction:
		return t.Stars
	case RefundTransaction:
		return -t.Stars
	}
	return 0
}

// clockDifference is how much earlier than by our clock Telegram may date a payment.
const clockDifference = 5 * time.Minute

// IsOurs reports whether a transaction is the game's.
func (s *Store) IsOurs(ctx context.Context, t Transaction) (bool, error) {
	ours, err := isOurs(s.db.Read(ctx), t)
	return ours, db.WrapUnavailable(err)
}

// isOurs reports whether a charge is known, or no earlier than the first order in Stars.
func isOurs(tx *gorm.DB, t Transaction) (ours bool, err error) {
	err = tx.Raw("SELECT EXISTS (SELECT 1 FROM star_charges WHERE charge_id = ?) OR (? AND EXISTS (SELECT 1 FROM orders WHERE currency = 'XTR' AND created_at <= ?))",
		t.ChargeID, t.Kind == ChargeTransaction, db.Time(t.At.Add(clockDifference))).Scan(&ours).Error
	return ours, db.Wrap(err, "find charge %s", t.ChargeID)
}

// markListed notes that Telegram's list shows a charge or refund as it was booked; another amount is an error, which a person must look at.
func markListed(tx *gorm.DB, t Transaction, column string) error {
	err := db.UpdateOne(tx.Model(&models.StarCharge{}).Where("charge_id = ? AND stars = ?", t.ChargeID, t.Stars).Update(column, true))
	return db.Wrap(err, "charge %s is not of %d Stars", t.ChargeID, t.Stars)
}

// Charge returns a charge; ErrNotFound if there is none.
func (s *Store) Charge(ctx context.Context, id string) (models.StarCharge, error) {
	charge, err := db.One[models.StarCharge](s.db.Read(ctx).Where("charge_id = ?", id))
	return charge, db.WrapUnavailable(err)
}

// Payment returns the payment that a charge is booked as.
func (s *Store) Payment(ctx context.Context, charge string) (models.Payment, error) {
	payment, err := db.One[models.Payment](s.db.Read(ctx).Where("charge_id = ?", charge))
	return payment, db.WrapUnavailable(err)
}

// ChargesOf lists a person's newest charges, by Telegram's id.
func (s *Store) ChargesOf(ctx context.Context, payer int64, limit int) (newest []models.StarCharge, err error) {
	err = s.db.Read(ctx).Where("payer = ?", payer).Order("paid_at DESC, charge_id").Limit(limit).Find(&newest).Error
	return newest, db.WrapUnavailable(db.Wrap(err, "read the charges of %d", payer))
}

// Summary is what admins see of payments in Stars.
type Summary struct {
	Today, TodayRefunded game.Stars     // of the UTC day
	Held                 int64          // payments that wait for an admin
	Requested            int64          // refunds that Telegram has not made yet
	Debt                 game.MicroMCBK // coins that refunds have still to take
}

// Summary sums up the payments in Stars.
func (s *Store) Summary(ctx context.Context, now time.Time) (sum Summary, err error) {
	err = s.db.Read(ctx).Raw(`SELECT
		(SELECT CAST(COALESCE(SUM(stars), 0) AS BIGINT) FROM star_charges WHERE paid_at >= ?) AS today,
		(SELECT CAST(COALESCE(SUM(stars), 0) AS BIGINT) FROM star_charges WHERE refunded_at >= ?) AS today_refunded,
		(SELECT COUNT(*) FROM payments WHERE state = 'held' AND charge_id IS NOT NULL) AS held,
		(SELECT COUNT(*) FROM star_charges WHERE refund_requested_at IS NOT NULL AND refunded_at IS NULL) AS requested,
		(SELECT CAST(COALESCE(SUM(coins - taken), 0) AS BIGINT) FROM star_claims WHERE taken < coins) AS debt`,
		game.DayOf(now).Start(), game.DayOf(now).Start()).Scan(&sum).Error
	return sum, db.WrapUnavailable(db.Wrap(err, "sum up the payments in Stars"))
}

// ActionRefund has Telegram give a charge back; its argument is the charge's id.
const ActionRefund models.Action = "refund_stars"

// RefundCharge asks Telegram for a refund of a credited charge, as an admin has confirmed. It refuses with already_claimed where that
// was asked before, or done, and with not_eligible for a held one, which /match refunds.
func (s *Store) RefundCharge(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("refund with %d arguments", len(q.Args))
	}
	payment, err := db.One[models.Payment](tx.Where("charge_id = ?", q.Args[0]))
	if err != nil {
		return "", err
	}
	if payment.State == models.PaymentHeld {
		return "", game.Refuse(models.NotEligible)
	}
	if err := s.treasury.RequestRefund(tx, q.Args[0], now); err != nil {
		return "", err
	}
	return "Telegram is requested to refund the charge " + q.Args[0], nil
}
