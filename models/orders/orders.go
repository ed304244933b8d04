package orders

import (
	"context"
	"encoding/base32"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Limits of orders. (decision 0032: selling coins)
const (
	openOrders    = 5
	ordersAnHour  = 10
	CommentPrefix = "MC-"
	// InvoicePrefix begins the comment of an order in Stars: 1.0.0, beside this version or after a way back, takes none of them for one in TON.
	InvoicePrefix = "MS-"
)

// The refusals of an order.
const (
	TooManyOpenOrders game.Code = "too_many_open_orders"
	PriceUnavailable  game.Code = "price_unavailable"
)

// OrderCoins orders coins at the present prices, which it locks. It refuses with amount_too_small, amount_too_large, user_blocked,
// age_consent_required, wallet_not_connected, too_many_open_orders, rate_limited and price_unavailable.
func (s *Store) OrderCoins(ctx context.Context, id models.PlayerID, amount game.Nanoton, season game.Season, now time.Time) (models.Order, error) {
	if err := game.MayOrder(amount); err != nil {
		return models.Order{}, err
	}
	var order models.Order
	canBuy := func(p models.Player) error { return p.CanBuy(models.CurrencyTON) }
	_, err := s.ledger.WithPlayer(ctx, id, canBuy, func(tx *gorm.DB, p *models.Player) (err error) {
		if err := WithinOrderLimits(tx, *p, now); err != nil {
			return err
		}
		rate, err := RateAt(tx, now)
		if err != nil {
			return err
		}
		quote := game.Quote{TON: rate.Price, MCBK: game.Price(season.Day(now))}
		coins, ok := quote.Coins(amount)
		if !rate.Sells || !ok {
			return game.Refuse(PriceUnavailable)
		}
		order, err = s.AddOrder(tx, models.Order{
			PlayerID: id, Kind: models.OrderPurchase, Amount: amount, Coins: coins, TONPrice: quote.TON, MCBKPrice: quote.MCBK,
			CreatedAt: db.Time(now), ExpiresAt: db.Time(season.LockedUntil(now)),
		}, nil)
		return err
	})
	return order, err
}

// WithinOrderLimits refuses if the locked player has too many orders.
func WithinOrderLimits(tx *gorm.DB, p models.Player, now time.Time) error {
	var made struct {
		Open   int
		Recent int
	}
	err := tx.Raw(`SELECT COUNT(CASE WHEN state = 'pending' AND expires_at >= ? THEN 1 END) AS open,
		COUNT(CASE WHEN created_at > ? THEN 1 END) AS recent FROM orders WHERE player_id = ?`,
		now, now.Add(-time.Hour), p.ID).Scan(&made).Error
	if err != nil {
		return fmt.Errorf("count the orders of player %d: %w", p.ID, err)
	}
	switch {
	case made.Open >= openOrders:
		return game.Refuse(TooManyOpenOrders)
	case made.Recent >= ordersAnHour && db.IsHourlyLimited(tx):
		var oldest time.Time // of those that fill the hour
		err := tx.Model(&models.Order{}).Where("player_id = ?", p.ID).Order("created_at DESC").Offset(ordersAnHour-1).Limit(1).Pluck("created_at", &oldest).Error
		if err != nil {
			return fmt.Errorf("find when player %d may order again: %w", p.ID, err)
		}
		return &game.Refusal{Code: models.RateLimited, RetryAfter: oldest.Add(time.Hour).Sub(now)}
	}
	return nil
}

// AddOrder stores an order: one in Stars with its invoice, else one in TON under a comment of its own.
func (s *Store) AddOrder(tx *gorm.DB, o models.Order, invoice *Invoice) (models.Order, error) {
	if invoice != nil {
		o.Comment, o.Amount, o.Currency = invoice.Comment, game.Nanoton(invoice.Stars), models.CurrencyStars
		o.StarPrice, o.InvoiceLink = invoice.StarPrice, &invoice.Link
	} else {
		comment, err := s.NewComment(CommentPrefix)
		if err != nil {
			return models.Order{}, err
		}
		o.Comment, o.Currency = comment, models.CurrencyTON
	}
	o.State = models.OrderPending
	err := tx.Create(&o).Error
	return o, db.Wrap(err, "add an order of player %d", o.PlayerID)
}

// NewComment returns a comment with 50 random bits: nobody can guess one, and a person who did would only pay another's order.
func (s *Store) NewComment(prefix string) (string, error) {
	drawn, err := s.db.Random(7)
	if err != nil {
		return "", fmt.Errorf("make an order's comment: %w", err)
	}
	return prefix + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(drawn)[:10], nil
}

// FirstOrder returns the time of the very first order; ok is false before there is one.
func (s *Store) FirstOrder(ctx context.Context) (at time.Time, ok bool, err error) {
	var first []time.Time
	if err := s.db.Read(ctx).Model(&models.Order{}).Order("created_at").Limit(1).Pluck("created_at", &first).Error; err != nil {
		return time.Time{}, false, db.WrapUnavailable(fmt.Errorf("find the first order: %w", err))
	}
	if len(first) == 0 {
		return time.Time{}, false, nil
	}
	return first[0].UTC(), true, nil
}

// SelectOrder selects an order with the sums over its payments.
var SelectOrder = `SELECT ` + db.Columns[models.Order]("o") + `,
	(SELECT CAST(COALESCE(SUM(p.coins), 0) AS BIGINT) FROM payments p WHERE p.order_id = o.id AND p.state = 'credited') AS credited,
	(SELECT CAST(COALESCE(SUM(p.amount), 0) AS BIGINT) FROM payments p WHERE p.order_id = o.id AND p.state = 'held') AS held,
	EXISTS (SELECT 1 FROM star_charges c WHERE c.charge_id = o.tx_hash AND c.refunded_at IS NOT NULL) AS refunded
	FROM orders o`

// Orders lists a player's orders, newest first; more reports whether there are older ones.
func (s *Store) Orders(ctx context.Context, id models.PlayerID, page models.Page) (orders []models.Order, more bool, err error) {
	err = s.db.Read(ctx).Raw(SelectOrder+" WHERE o.player_id = ? ORDER BY o.id DESC LIMIT ? OFFSET ?", id, page.Limit+1, page.Offset).Scan(&orders).Error
	orders, more = models.CutTo(orders, page)
	return orders, more, db.WrapUnavailable(db.Wrap(err, "read the orders of player %d", id))
}

// LastOrders lists the newest orders of a person, by Telegram's id.
func (s *Store) LastOrders(ctx context.Context, telegramID int64, most int) (orders []models.Order, err error) {
	err = s.db.Read(ctx).Raw(SelectOrder+" WHERE o.player_id = (SELECT id FROM players WHERE telegram_id = ?) ORDER BY o.id DESC LIMIT ?", telegramID, most).Scan(&orders).Error
	return orders, db.WrapUnavailable(db.Wrap(err, "read the orders of %d", telegramID))
}

// Order returns one of a player's orders; ErrNotFound if it is not theirs.
func (s *Store) Order(ctx context.Context, id models.PlayerID, orderID int64) (models.Order, error) {
	order, err := OneOrder(s.db.Read(ctx), "o.id = ? AND o.player_id = ?", orderID, id)
	return order, db.WrapUnavailable(err)
}

// CancelOrder cancels a pending order; cancelled again it stays as it is. It refuses with not_found, and with not_eligible for an
// order that is paid or expired.
func (s *Store) CancelOrder(ctx context.Context, id models.PlayerID, orderID int64) (models.Order, error) {
	var order models.Order
	err := s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
		if _, err := s.ledger.LockPlayer(tx, id); err != nil {
			return err
		}
		// The sweep of expired orders locks no player.
		if order, err = OneOrder(tx, "o.id = ? AND o.player_id = ?"+s.db.Dialect.ForUpdate("o"), orderID, id); err != nil {
			return err
		}
		switch order.State {
		case models.OrderCancelled:
			return nil
		case models.OrderPending:
			return cancelOrder(tx, &order)
		}
		return game.Refuse(models.NotEligible)
	})
	return order, err
}

// cancelOrder cancels a locked pending order.
func cancelOrder(tx *gorm.DB, o *models.Order) error {
	err := db.UpdateOne(tx.Model(&models.Order{}).Where("id = ? AND player_id = ? AND state = ?", o.ID, o.PlayerID, o.State).Update("state", models.OrderCancelled))
	if err != nil {
		return fmt.Errorf("cancel order %d: %w", o.ID, err)
	}
	o.State = models.OrderCancelled
	return nil
}

// OneOrder reads the order for which a condition is true; ErrNotFound if there is none.
func OneOrder(tx *gorm.DB, where string, values ...any) (models.Order, error) {
	order, err := db.One[models.Order](tx.Raw(SelectOrder+" WHERE "+where, values...))
	return order, db.Wrap(err, "read an order")
}
