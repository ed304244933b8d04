package treasury

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/orders"
	"mcbk/models/settings"
)

// ActionMatch settles a held payment; its arguments are the payment's id, and an order's comment, a player's id or MatchRefund.
const ActionMatch models.Action = "match"

// MatchRefund marks a payment for refund.
const MatchRefund = "refund"

// HeldPayment is a payment that was held for an admin, with where it came from.
type HeldPayment struct {
	models.Payment `gorm:"embedded"`
	At             time.Time // chain time, or Telegram's, UTC
	Source         string    // raw address of the sender, or in Stars Telegram's id of the payer
	Comment        string    // or payload of the invoice
	TxHash         string    // or id of the charge

	ProvenBy     *models.PlayerID // the player who has proven the sender's wallet
	FromTreasury bool             // the treasury sent it to itself
	PayoutID     *int64           // of the refund, once it was marked
	PayoutState  *models.PayoutState
	Refunded     bool // in Stars, by Telegram
}

// HeldPayments returns the largest payments that wait for an admin, and the number of all. Somebody who keeps sending dust to the
// treasury hides nobody's money beneath it.
func (s *Store) HeldPayments(ctx context.Context, most int) (largest []HeldPayment, all int64, err error) {
	return s.paymentsThatAre(ctx, models.PaymentHeld, fmt.Sprintf("CASE WHEN p.charge_id IS NULL THEN p.amount ELSE p.amount * %d END DESC, p.id", starCounts), most)
}

// NewestHeld returns when the last of the payments that wait for an admin was seen, of those large enough to be an order's; the zero
// time if there is none.
func (s *Store) NewestHeld(ctx context.Context) (at time.Time, err error) {
	var newest []struct{ SeenAt time.Time }
	err = s.db.Read(ctx).Raw(`SELECT seen_at FROM (
		SELECT t.seen_at FROM payments p JOIN treasury_transactions t ON t.lt = p.lt WHERE p.state = 'held' AND p.amount >= ?
		UNION ALL SELECT c.seen_at FROM payments p JOIN star_charges c ON c.charge_id = p.charge_id WHERE p.state = 'held') AS held
		ORDER BY seen_at DESC LIMIT 1`, game.LeastPurchase).Scan(&newest).Error
	if err != nil {
		return time.Time{}, db.WrapUnavailable(fmt.Errorf("find the newest held payment: %w", err))
	}
	if len(newest) > 0 {
		at = newest[0].SeenAt.UTC()
	}
	return at, nil
}

// RefundablePayments returns the payments that were last marked for refund, and the number of all.
func (s *Store) RefundablePayments(ctx context.Context, most int) (newest []HeldPayment, all int64, err error) {
	return s.paymentsThatAre(ctx, models.PaymentRefundable, "p.settled_at DESC, p.id DESC", most)
}

func (s *Store) paymentsThatAre(ctx context.Context, state models.PaymentState, order string, most int) (some []HeldPayment, all int64, err error) {
	view := s.db.Read(ctx)
	if all, err = db.Count(view.Model(&models.Payment{}).Where("state = ?", state)); err != nil {
		return nil, 0, db.WrapUnavailable(fmt.Errorf("count %s payments: %w", state, err))
	}
	err = view.Raw(heldPayment+" WHERE p.state = ? ORDER BY "+order+" LIMIT ?", state, most).Scan(&some).Error
	return some, all, db.WrapUnavailable(err)
}

// HeldPayment returns a payment that waits for an admin. It refuses with ErrNotFound, and with already_claimed for a payment that
// does not wait.
func (s *Store) HeldPayment(ctx context.Context, id string) (HeldPayment, error) {
	held, err := oneHeld(s.db.Read(ctx), id)
	return held, db.WrapUnavailable(err)
}

// Payment returns a payment that is or was held; ErrNotFound if there is none.
func (s *Store) Payment(ctx context.Context, id string) (HeldPayment, error) {
	payment, err := onePayment(s.db.Read(ctx), id)
	return payment, db.WrapUnavailable(err)
}

// OrderNamed returns the order with that comment; ErrNotFound if there is none.
func (s *Store) OrderNamed(ctx context.Context, comment string) (models.Order, error) {
	order, err := orders.OneOrder(s.db.Read(ctx), "o.comment = ?", comment)
	return order, db.WrapUnavailable(err)
}

// heldPayment selects payments with where they came from, those in TON before those in Stars: SQLite has the types of its columns from
// the first.
var heldPayment = `SELECT p.* FROM (SELECT ` + db.Columns[models.Payment]("p") + `, t.happened_at AS at, t.source, t.comment, t.hash AS tx_hash,
		(SELECT w.id FROM players w WHERE w.wallet = t.source AND w.wallet_proven) AS proven_by,
		EXISTS (SELECT 1 FROM treasury own WHERE own.address = t.source) AS from_treasury, y.id AS payout_id, y.state AS payout_state, FALSE AS refunded
	FROM payments p JOIN treasury_transactions t ON t.lt = p.lt LEFT JOIN payables y ON y.payment_id = p.id
	UNION ALL SELECT ` + db.Columns[models.Payment]("p") + `, c.paid_at, CAST(c.payer AS TEXT), c.payload, c.charge_id,
		(SELECT w.id FROM players w WHERE w.telegram_id = c.payer), FALSE, NULL, NULL, c.refunded_at IS NOT NULL FROM payments p JOIN star_charges c ON c.charge_id = p.charge_id) AS p`

func oneHeld(tx *gorm.DB, payment string) (HeldPayment, error) {
	held, err := onePayment(tx, payment)
	if err == nil && held.State != models.PaymentHeld {
		err = game.Refuse(game.AlreadyClaimed)
	}
	return held, err
}

func onePayment(tx *gorm.DB, payment string) (HeldPayment, error) {
	id, err := strconv.ParseInt(payment, 10, 64)
	if err != nil {
		return HeldPayment{}, fmt.Errorf("payment %q: %w", payment, db.ErrNotFound)
	}
	held, err := db.One[HeldPayment](tx.Raw(heldPayment+" WHERE p.id = ?", id))
	return held, db.Wrap(err, "read payment %d", id)
}

// MatchPayment gives a held payment to an order or a player, or marks it for refund. The coins are those of the payment's own time:
// an order that was open and on time is paid at its prices, otherwise at the worse of both. A player gets none for a time at which
// none were sold: price_unavailable. Nobody can use what a closed account is given, so for an erased one it refuses with
// already_erased. What the treasury paid itself brought nothing in, so nobody is given it: own_money.
func (s *Store) MatchPayment(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 2 {
		return "", fmt.Errorf("matching with %d arguments", len(q.Args))
	}
	if err := lockTreasury(tx); err != nil {
		return "", err
	}
	held, err := oneHeld(tx, q.Args[0])
	if err != nil {
		return "", err
	}
	if held.FromTreasury && q.Args[1] != MatchRefund {
		return "", game.Refuse(models.OwnMoney)
	}
	if !held.FromTreasury { // what goes back to where it is gives nothing away
		if err := mayMatch(tx, q.Admin, held.Payment, now); err != nil {
			return "", err
		}
	}
	switch target := q.Args[1]; {
	case target == MatchRefund:
		held.State = models.PaymentRefundable
		if err := SettleHeld(tx, held.Payment, now); err != nil {
			return "", err
		}
		outcome = fmt.Sprintf("payment %d, %s from %s, is marked for refund", held.ID, held.Sum(), held.Source)
		if held.ChargeID != nil {
			return outcome, s.RequestRefund(tx, *held.ChargeID, now)
		}
		return outcome, CreatePayout(tx, models.Payout{PlayerID: held.PlayerID, PaymentID: &held.ID, Amount: held.Amount}, now)
	case strings.HasPrefix(target, orders.CommentPrefix), strings.HasPrefix(target, orders.InvoicePrefix):
		return s.matchOrder(tx, held, target, now)
	default:
		return s.matchPlayer(tx, held, target, now)
	}
}

// Strangers add rows to the table, too, so both find theirs by an index without them.
const (
	actionsSince = "SELECT args FROM admin_actions WHERE action = ? AND admin_id = ? AND state = 'executed' AND decided_at >= ?"
	actionsWith  = "SELECT args, decided_at FROM admin_actions WHERE action = ? AND args LIKE ? AND state = 'executed' ORDER BY decided_at DESC, id DESC"
)

// raiseCounts is how long ago matched_a_day must have been raised to count.
const raiseCounts = 24 * time.Hour

// starCounts is what a Star counts as of matched_a_day.
const starCounts = game.TON / 100

// mayMatch refuses with rate_limited if an admin would settle more than matched_a_day in a UTC day: an attacker with an admin's
// account gives away no more than that before the others have read of it. A hundred Stars count as a TON; refunds of the treasury's
// own money do not count.
func mayMatch(tx *gorm.DB, admin int64, payment models.Payment, now time.Time) error {
	var today []models.AdminAction
	err := tx.Raw(actionsSince, ActionMatch, admin, game.DayOf(now).Start()).Scan(&today).Error
	if err != nil {
		return fmt.Errorf("read what admin %d settled today: %w", admin, err)
	}
	settled := make([]int64, len(today))
	for i, a := range today {
		if settled[i], err = strconv.ParseInt(a.Args[0], 10, 64); err != nil {
			return fmt.Errorf("a payment that admin %d settled: %w", admin, err)
		}
	}
	var before game.Nanoton
	err = tx.Raw(`SELECT CAST(COALESCE(SUM(CASE WHEN p.charge_id IS NULL THEN p.amount ELSE p.amount * ? END), 0) AS BIGINT)
		FROM payments p LEFT JOIN treasury_transactions t ON t.lt = p.lt
		WHERE p.id IN ? AND NOT (p.state = 'refundable' AND EXISTS (SELECT 1 FROM treasury own WHERE own.address = t.source))`, starCounts, settled).Scan(&before).Error
	if err != nil {
		return fmt.Errorf("add up what admin %d settled today: %w", admin, err)
	}
	amount := payment.Amount
	if payment.ChargeID != nil {
		amount *= starCounts
	}
	most, err := matchedADay(tx, now)
	if err == nil && amount > most-before { // a sum might overflow
		err = game.Refuse(models.RateLimited)
	}
	return err
}

// matchedADay returns how much an admin may settle in a UTC day: the least that was set within 24 hours. Else an attacker with an
// admin's account would first raise it.
func matchedADay(tx *gorm.DB, now time.Time) (game.Nanoton, error) {
	set, err := settings.ReadSettings(tx)
	if err != nil {
		return 0, err
	}
	var changes []models.AdminAction // the newest first
	err = tx.Raw(actionsWith, settings.ActionChangeSetting, `["matched_a_day",%`).Scan(&changes).Error
	if err != nil {
		return 0, fmt.Errorf("read how much admins could settle: %w", err)
	}
	least := set.Runtime.MatchedADay
	for _, a := range changes {
		least = min(least, settings.From(map[string]string{a.Args[0]: a.Args[1]}).MatchedADay)
		if !a.DecidedAt.After(now.Add(-raiseCounts)) {
			return game.Nanoton(least) * game.TON, nil
		}
	}
	return game.Nanoton(min(least, settings.DefaultSettings().MatchedADay)) * game.TON, nil
}

func (s *Store) matchOrder(tx *gorm.DB, held HeldPayment, comment string, now time.Time) (outcome string, err error) {
	order, err := orders.OneOrder(tx, "o.comment = ?", comment)
	if err != nil {
		return "", err
	}
	if order.Currency != held.Currency() {
		return "", game.Refuse(models.NotEligible)
	}
	if other, ok := s.settlers[order.Kind]; ok {
		return other.Match(tx, held, order, now)
	}
	return s.creditHeld(tx, held, order.PlayerID, now, func(p *models.Payment) error {
		// Once its player is locked the order no longer changes.
		if order, err = orders.OneOrder(tx, "o.id = ?"+s.db.Dialect.ForUpdate("o"), order.ID); err != nil {
			return err
		}
		p.OrderID = &order.ID
		if p.ChargeID != nil {
			if err := valueStars(p); err != nil {
				return err
			}
			return AddToOrder(tx, &order, p.Amount, Source{held.At, held.TxHash})
		}
		p.Locked = order.Sale().Settle(p.Amount, held.At, game.Quote{TON: p.TONPrice, MCBK: p.MCBKPrice}).Locked
		coins, ok := p.Worth(game.Quote{TON: order.TONPrice, MCBK: order.MCBKPrice})
		if !ok {
			return game.Refuse(orders.PriceUnavailable)
		}
		p.Coins = coins
		return AddToOrder(tx, &order, p.Amount, Source{held.At, held.TxHash})
	})
}

// matchPlayer gives a player coins for a held payment, at the prices of its time, if coins were sold then.
func (s *Store) matchPlayer(tx *gorm.DB, held HeldPayment, player string, now time.Time) (outcome string, err error) {
	number, err := strconv.ParseInt(player, 10, 64)
	if err != nil {
		return "", fmt.Errorf("player %q: %w", player, db.ErrNotFound)
	}
	rate, err := orders.RateAt(tx, held.At)
	if err != nil {
		return "", err
	}
	return s.creditHeld(tx, held, models.PlayerID(number), now, func(p *models.Payment) error {
		p.OrderID, p.Locked = nil, 0
		if p.ChargeID != nil {
			return valueStars(p)
		}
		coins, ok := (game.Quote{TON: p.TONPrice, MCBK: p.MCBKPrice}).Coins(p.Amount)
		if !ok || !rate.Sells { // nobody knows what a TON cost then
			return game.Refuse(orders.PriceUnavailable)
		}
		p.Coins = coins
		return nil
	})
}

// valueStars sets the coins that a held charge brings, at the prices of its time.
func valueStars(p *models.Payment) error {
	coins, ok := game.Stars(p.Amount).Coins(p.StarPrice, p.MCBKPrice)
	if !ok {
		return game.Refuse(orders.PriceUnavailable)
	}
	p.Coins = coins
	return nil
}

// creditHeld gives a held payment to a player; value sets what it brings once they are locked.
func (s *Store) creditHeld(tx *gorm.DB, held HeldPayment, to models.PlayerID, now time.Time, value func(*models.Payment) error) (outcome string, err error) {
	buyer, err := ledger.OnePlayer(tx, "id = ?", to)
	if err != nil {
		return "", err
	}
	ids := []models.PlayerID{to}
	if buyer.ReferrerID != nil {
		ids = append(ids, *buyer.ReferrerID)
	}
	p := held.Payment
	p.State, p.PlayerID = models.PaymentCredited, &to
	err = s.ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
		if locked[to].Erased() {
			return game.Refuse(models.AlreadyErased)
		}
		if err := value(&p); err != nil {
			return err
		}
		if err := SettleHeld(tx, p, now); err != nil {
			return err
		}
		return s.Credit(ledger.Settlement{Tx: tx, Locked: locked, Ledger: all, Now: now}, p)
	})
	return fmt.Sprintf("payment %d of %s brought %s MCBK to player %d", p.ID, p.Sum(), p.Coins.Decimal(), to), err
}

// SettleHeld moves a held payment to the state that an admin has chosen.
func SettleHeld(tx *gorm.DB, p models.Payment, now time.Time) error {
	err := db.UpdateOne(tx.Model(&models.Payment{}).Where("id = ? AND state = ?", p.ID, models.PaymentHeld).Updates(map[string]any{
		"state": p.State, "amount": p.Amount, "order_id": p.OrderID, "player_id": p.PlayerID, "locked": p.Locked, "coins": p.Coins, "settled_at": db.Time(now),
	}))
	return db.Wrap(err, "settle payment %d", p.ID)
}
