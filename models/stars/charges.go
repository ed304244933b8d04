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
	"mcbk/models/ledger"
	"mcbk/models/orders"
	"mcbk/models/outbox"
	"mcbk/models/settings"
	"mcbk/models/treasury"
)

// Receive records a charge of which Telegram tells, and what becomes of it, exactly once: its order is paid, also if it has expired
// or was cancelled meanwhile, since the money is taken; or it is held for an admin.
func (s *Store) Receive(ctx context.Context, c models.StarCharge, season game.Season, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error { return s.receive(tx, c, season, now) })
}

func (s *Store) receive(tx *gorm.DB, c models.StarCharge, season game.Season, now time.Time) error {
	known, err := db.Count(tx.Model(&models.StarCharge{}).Where("charge_id = ?", c.ChargeID))
	if err != nil {
		return fmt.Errorf("find charge %s: %w", c.ChargeID, err)
	}
	if known > 0 {
		return nil // it was recorded and settled before
	}
	c.PaidAt, c.SeenAt = db.Time(c.PaidAt), db.Time(now)
	added := tx.Scopes(db.OrIgnore).Create(&c)
	if added.Error != nil {
		return fmt.Errorf("record charge %s: %w", c.ChargeID, added.Error)
	}
	if added.RowsAffected == 0 {
		return nil // another process was faster
	}
	order, err := orders.OneOrder(tx, "o.comment = ?", c.Payload)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	ids, err := withInviters(tx, order.PlayerID)
	if err != nil {
		return err
	}
	runtime, err := settings.ReadSettings(tx)
	if err != nil {
		return err
	}
	then, err := orders.QuoteAt(tx, season, c.PaidAt)
	if err != nil {
		return err
	}
	whole := models.Payment{
		ChargeID: &c.ChargeID, State: models.PaymentHeld, Amount: game.Nanoton(c.Stars),
		TONPrice: then.TON, MCBKPrice: then.MCBK, StarPrice: runtime.Runtime.StarUSD,
	}
	return s.ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
		in := ledger.Settlement{Tx: tx, Locked: locked, Ledger: all, Now: now}
		if order.ID == 0 {
			whole.Reason = models.HeldUnknown
			_, err := treasury.AddPayment(tx, whole)
			return err
		}
		// Only now that its player is locked the order no longer changes.
		if order, err = orders.OneOrder(tx, "o.id = ?"+s.db.Dialect.ForUpdate("o"), order.ID); err != nil {
			return err
		}
		return s.settle(in, c, order, whole)
	})
}

// withInviters returns a player and who invited them; nobody for player 0.
func withInviters(tx *gorm.DB, id models.PlayerID) (ids []models.PlayerID, err error) {
	if id == 0 {
		return nil, nil
	}
	buyer, err := ledger.OnePlayer(tx, "id = ?", id)
	if err != nil {
		return nil, err
	}
	if buyer.ReferrerID != nil {
		ids = append(ids, *buyer.ReferrerID)
	}
	return append(ids, id), nil
}

// settle decides what becomes of a charge for an order whose player is locked. whole is the payment as it would be held.
func (s *Store) settle(in ledger.Settlement, c models.StarCharge, order models.Order, whole models.Payment) error {
	buyer := in.Locked[order.PlayerID]
	whole.OrderID, whole.PlayerID = &order.ID, &order.PlayerID
	switch {
	case order.Currency != models.CurrencyStars:
		whole.Reason = models.HeldCurrency
	case buyer.Erased():
		whole.Reason = models.HeldErased
	case buyer.TelegramID != c.Payer:
		whole.Reason = models.HeldPayer
	case order.Stars() != c.Stars:
		whole.Reason = models.HeldAmount
	case order.State == models.OrderPaid:
		whole.Reason = models.HeldAgain
	}
	if whole.Reason != "" {
		_, err := treasury.AddPayment(in.Tx, whole)
		return err
	}
	from := treasury.Source{At: c.PaidAt, Hash: c.ChargeID}
	if other, ok := s.settlers[order.Kind]; ok {
		return other.Settle(in, &order, whole, from)
	}
	at := db.Time(in.Now)
	whole.State, whole.SettledAt, whole.Locked, whole.Coins = models.PaymentCredited, &at, whole.Amount, order.Coins
	var err error
	if whole.ID, err = treasury.AddPayment(in.Tx, whole); err != nil {
		return err
	}
	if err := treasury.AddToOrder(in.Tx, &order, whole.Amount, from); err != nil {
		return err
	}
	return s.treasury.Credit(in, whole)
}

// Refund books that Telegram gave a charge back, exactly once: what it brought is taken back from the buyer and their inviter, as far
// as it is there, and the rest from what later purchases bring. A mine stays open: what was dug in it cannot be taken apart.
func (s *Store) Refund(ctx context.Context, c models.StarCharge, season game.Season, at, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		var known bool
		err := tx.Raw("SELECT EXISTS (SELECT 1 FROM star_charges WHERE charge_id = ?) OR EXISTS (SELECT 1 FROM orders WHERE comment = ?)", c.ChargeID, c.Payload).Scan(&known).Error
		if err != nil {
			return fmt.Errorf("find charge %s: %w", c.ChargeID, err)
		}
		if !known { // of a payment from before the game's first order in Stars; Telegram's list tells of any other
			return nil
		}
		return s.refund(tx, c, season, at, now)
	})
}

func (s *Store) refund(tx *gorm.DB, c models.StarCharge, season game.Season, at, now time.Time) error {
	if err := s.receive(tx, c, season, now); err != nil { // if nothing has told of its payment
		return err
	}
	back := tx.Model(&models.StarCharge{}).Where("charge_id = ? AND refunded_at IS NULL", c.ChargeID).Update("refunded_at", db.Time(at))
	if back.Error != nil {
		return fmt.Errorf("book the refund of %s: %w", c.ChargeID, back.Error)
	}
	if back.RowsAffected == 0 {
		return nil // it was booked before
	}
	payment, err := db.One[models.Payment](tx.Where("charge_id = ?", c.ChargeID))
	if err != nil {
		return fmt.Errorf("find the payment of %s: %w", c.ChargeID, err)
	}
	var player models.PlayerID
	switch payment.State {
	case models.PaymentHeld:
		payment.State = models.PaymentRefundable
		if err := treasury.SettleHeld(tx, payment, now); err != nil {
			return err
		}
	case models.PaymentCredited:
		player = *payment.PlayerID
	}
	ids, err := withInviters(tx, player)
	if err != nil {
		return err
	}
	return s.ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
		in := ledger.Settlement{Tx: tx, Locked: locked, Ledger: all, Now: now}
		for _, id := range ids {
			claim := models.StarClaim{ChargeID: c.ChargeID, PlayerID: id, Account: models.AccountPurchased, Coins: payment.Coins, MadeAt: db.Time(now)}
			if id != player {
				claim.Account, claim.Coins = models.AccountReferral, game.ReferralShare(payment.Coins)
			}
			if claim.Coins == 0 { // of a mine
				continue
			}
			if err := tx.Create(&claim).Error; err != nil {
				return fmt.Errorf("claim back what %s brought: %w", c.ChargeID, err)
			}
			if err := treasury.CollectClaims(in, locked[id]); err != nil {
				return err
			}
		}
		return outbox.Enqueue(tx, s.db.Dialect, now, models.Message{
			Key: "stars_refunded:" + c.ChargeID, ChatID: c.Payer, Kind: models.StarsRefunded, Urgency: models.UrgencyPersonal,
			Params: map[string]string{"stars": fmt.Sprint(int64(c.Stars))},
		})
	})
}
