package stars

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/orders"
)

// Checkout is what Telegram asks before it takes a player's Stars.
type Checkout struct {
	Payer   int64 // Telegram's id
	Stars   game.Stars
	Payload string // of the invoice
}

// reserved is how long an order stays payable once Telegram was told that it can be paid.
const reserved = 15 * time.Minute

// SalesOff refuses a checkout while an admin has switched sales, or paying with Stars, off.
const SalesOff = "sales_off"

// ApproveCheckout approves a payment, whose order then stays payable for 15 minutes. Asked again, it approves again. It refuses with
// not_found for an order that there is not, or another's or of another amount; with already_claimed for a paid one, expired for one
// that was cancelled or is too late, user_blocked, and sales_off.
func (s *Store) ApproveCheckout(ctx context.Context, c Checkout, now time.Time) error {
	runtime := s.settings.RuntimeSettings(ctx, now)
	if !runtime.Sales || !runtime.Takes(models.CurrencyStars) {
		return game.Refuse(SalesOff)
	}
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		o, err := orders.OneOrder(tx, "o.comment = ?"+s.db.Dialect.ForUpdate("o"), c.Payload)
		if errors.Is(err, db.ErrNotFound) {
			return game.Refuse(models.NotFound)
		}
		if err != nil {
			return err
		}
		buyer, err := ledger.OnePlayer(tx, "id = ?", o.PlayerID)
		if err != nil {
			return err
		}
		until := o.ExpiresAt
		if o.ReservedUntil != nil {
			until = *o.ReservedUntil
		}
		switch {
		case o.Currency != models.CurrencyStars, o.Stars() != c.Stars, buyer.TelegramID != c.Payer:
			return game.Refuse(models.NotFound)
		case o.State == models.OrderPaid:
			return game.Refuse(game.AlreadyClaimed)
		case o.State != models.OrderPending, now.After(until):
			return game.Refuse(models.Expired)
		case o.ReservedUntil != nil:
			return buyer.CanPlay()
		}
		if err := buyer.CanPlay(); err != nil {
			return err
		}
		return db.UpdateOne(tx.Model(&models.Order{}).Where("id = ?", o.ID).Update("reserved_until", db.Time(now.Add(reserved))))
	})
}

// ExpireOrders expires pending orders in Stars that nobody can pay any more. It returns how many.
func (s *Store) ExpireOrders(ctx context.Context, now time.Time) (rows int64, err error) {
	return s.db.Sweep(ctx, `UPDATE orders SET state = 'expired' WHERE state = 'pending' AND id IN (SELECT id FROM orders
		WHERE state = 'pending' AND currency = 'XTR' AND expires_at < ? AND (reserved_until IS NULL OR reserved_until < ?) LIMIT ?)`,
		now, now, db.SweepRows)
}

// HasOpenOrders reports whether a payment in Stars may be on its way.
func (s *Store) HasOpenOrders(ctx context.Context) (bool, error) {
	open, err := db.Count(s.db.Read(ctx).Model(&models.Order{}).Where("state = ? AND currency = ?", models.OrderPending, models.CurrencyStars).Limit(1))
	return open > 0, db.WrapUnavailable(err)
}
