package orders

import (
	"context"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// InvoiceRequest is what Telegram is to make a link for.
type InvoiceRequest struct {
	Title, Description string // at most 32 and 255 characters
	Payload            string // the order's comment
	Stars              game.Stars
}

// Invoice is a link by which Telegram takes Stars for an order. Telegram makes it before the order is stored: no transaction waits
// for the network, and an invoice without an order cannot be paid.
type Invoice struct {
	Comment   string // of the order, the payload
	Stars     game.Stars
	StarPrice game.MicroUSD  // of a Star
	TONPrice  game.MicroUSD  // of a TON, in which a mine is priced; 0 for coins
	Coins     game.MicroMCBK // that the Stars buy at MCBKPrice; 0 for a mine
	MCBKPrice game.MicroUSD
	Link      string
}

// OrderStars orders coins for an invoice at the present price, which it locks. It refuses with user_blocked, age_consent_required,
// too_many_open_orders, rate_limited and price_unavailable.
func (s *Store) OrderStars(ctx context.Context, id models.PlayerID, invoice Invoice, season game.Season, now time.Time) (models.Order, error) {
	var order models.Order
	canBuy := func(p models.Player) error { return p.CanBuy(models.CurrencyStars) }
	_, err := s.ledger.WithPlayer(ctx, id, canBuy, func(tx *gorm.DB, p *models.Player) (err error) {
		if err := WithinOrderLimits(tx, *p, now); err != nil {
			return err
		}
		if invoice.MCBKPrice != game.Price(season.Day(now)) { // it has risen since
			return game.Refuse(PriceUnavailable)
		}
		order, err = s.AddOrder(tx, models.Order{
			PlayerID: id, Kind: models.OrderPurchase, Coins: invoice.Coins, TONPrice: NoPrice, MCBKPrice: invoice.MCBKPrice,
			CreatedAt: db.Time(now), ExpiresAt: db.Time(season.LockedUntil(now)),
		}, &invoice)
		return err
	})
	return order, err
}

// MayOrder refuses a player who cannot order anything in a currency now, as an order would.
func (s *Store) MayOrder(ctx context.Context, p models.Player, in models.Currency, now time.Time) error {
	if err := p.CanBuy(in); err != nil {
		return err
	}
	return db.WrapUnavailable(WithinOrderLimits(s.db.Read(ctx), p, now))
}

// NoPrice stands for a price that an order does not have: the table takes no lower one.
const NoPrice game.MicroUSD = 1
