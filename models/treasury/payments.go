package treasury

import (
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/orders"
	"mcbk/models/outbox"
)

// Settler says what the payments for orders of a kind other than coins bring.
type Settler struct {
	// Settle decides what becomes of a payment at once; the order's player is locked. whole is the payment as it would be held.
	Settle func(in ledger.Settlement, order *models.Order, whole models.Payment, from Source) error
	// Match gives a held payment to an order that an admin names.
	Match func(tx *gorm.DB, held HeldPayment, order models.Order, now time.Time) (outcome string, err error)
}

// Source is where a payment was seen: the time and hash of its transaction, or the time and id of its charge in Stars.
type Source struct {
	At   time.Time
	Hash string
}

// settlePayments decides what becomes of the payments among new transactions. Payments for orders are held if failed is set, and if
// the treasury has paid itself: nothing came in.
func (s *Store) settlePayments(tx *gorm.DB, all []ChainTransaction, failed bool, season game.Season, now time.Time) error {
	named, err := ordersNamed(tx, all, "")
	if err != nil {
		return err
	}
	ids, err := affectedPlayers(tx, named)
	if err != nil {
		return err
	}
	own, _, err := readTreasury(tx)
	if err != nil {
		return err
	}
	return s.ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, entries *ledger.Tx) error {
		// Now that their players are locked, only the sweep of expired orders could still change the orders. It locks them in any
		// order: if both wait for each other, PostgreSQL ends one, which is run again.
		if named, err = ordersNamed(tx, all, " ORDER BY id"+s.db.Dialect.ForUpdate("orders")); err != nil {
			return err
		}
		in := ledger.Settlement{Tx: tx, Locked: locked, Ledger: entries, Now: now}
		for _, t := range all {
			if t.Kind != ChainIncoming || t.Amount == 0 {
				continue
			}
			var hold models.HeldReason
			switch {
			case failed:
				hold = models.HeldFailed
			case t.Source == own.Address:
				hold = models.HeldOwn
			}
			then, err := orders.QuoteAt(tx, season, t.At)
			if err == nil {
				err = s.settlePayment(in, t, named[t.named()], then, hold)
			}
			if err != nil {
				return fmt.Errorf("settle transaction %d: %w", t.LT, err)
			}
		}
		return nil
	})
}

// named returns the comment by which a payment names an order; empty if it cannot name one.
func (t ChainTransaction) named() string {
	return strings.ToUpper(strings.TrimSpace(t.Text()))
}

// ordersNamed returns the orders that transactions name, by comment; ending is the end of the SELECT, which may lock them.
func ordersNamed(tx *gorm.DB, all []ChainTransaction, ending string) (map[string]*models.Order, error) {
	var comments []string
	for _, t := range all {
		if t.Kind == ChainIncoming && (strings.HasPrefix(t.named(), orders.CommentPrefix) || strings.HasPrefix(t.named(), orders.InvoicePrefix)) {
			comments = append(comments, t.named())
		}
	}
	found := map[string]*models.Order{}
	if len(comments) == 0 {
		return found, nil
	}
	var named []models.Order
	if err := tx.Raw("SELECT "+db.Columns[models.Order]("orders")+" FROM orders WHERE comment IN ?"+ending, comments).Scan(&named).Error; err != nil {
		return nil, fmt.Errorf("find the orders of payments: %w", err)
	}
	for i := range named {
		found[named[i].Comment] = &named[i]
	}
	return found, nil
}

// affectedPlayers returns the players whose balances payments for these orders may change: the buyers and their inviters.
func affectedPlayers(tx *gorm.DB, orders map[string]*models.Order) (ids []models.PlayerID, err error) {
	if len(orders) == 0 {
		return nil, nil
	}
	for _, o := range orders {
		ids = append(ids, o.PlayerID)
	}
	var inviters []models.PlayerID
	err = tx.Raw("SELECT DISTINCT referrer_id FROM players WHERE id IN ? AND referrer_id IS NOT NULL", ids).Scan(&inviters).Error
	return append(ids, inviters...), db.Wrap(err, "find the inviters of buyers")
}

// settlePayment decides what becomes of a payment at the prices of its time. It is held if it names no order, if its player was erased,
// and for the reason hold if there is one.
func (s *Store) settlePayment(in ledger.Settlement, t ChainTransaction, order *models.Order, then game.Quote, hold models.HeldReason) error {
	whole := models.Payment{LT: &t.LT, State: models.PaymentHeld, Amount: t.Amount, Reason: hold, TONPrice: then.TON, MCBKPrice: then.MCBK}
	if order == nil {
		whole.Reason = t.unmatchedReason()
	} else {
		whole.OrderID, whole.PlayerID = &order.ID, &order.PlayerID
		if in.Locked[order.PlayerID].Erased() { // nobody could use what it brings
			whole.Reason = models.HeldErased
		}
		if order.Currency != models.CurrencyTON {
			whole.Reason = models.HeldCurrency
		}
	}
	if whole.Reason != "" {
		id, err := AddPayment(in.Tx, whole)
		if err == nil && order == nil && whole.Amount >= game.LeastPurchase {
			err = s.notifySender(in, id, t)
		}
		return err
	}
	if other, ok := s.settlers[order.Kind]; ok {
		return other.Settle(in, order, whole, Source{t.At, t.Hash})
	}
	return s.settlePurchase(in, t, order, whole, then)
}

// notifySender tells the player whose proven wallet sent a payment without an order that it is held.
func (s *Store) notifySender(in ledger.Settlement, payment int64, t ChainTransaction) error {
	var sender []int64
	if err := in.Tx.Raw("SELECT telegram_id FROM players WHERE wallet = ? AND wallet_proven", t.Source).Scan(&sender).Error; err != nil {
		return fmt.Errorf("find whose wallet sent payment %d: %w", payment, err)
	}
	if len(sender) == 0 {
		return nil
	}
	return outbox.Enqueue(in.Tx, s.db.Dialect, in.Now, models.Message{
		Key: fmt.Sprint("unmatched:", payment), ChatID: sender[0], Kind: models.PaymentUnmatched, Urgency: models.UrgencyPersonal,
		Params: map[string]string{"nanoton": fmt.Sprint(int64(t.Amount))},
	})
}

// unmatchedReason returns why a payment names no order.
func (t ChainTransaction) unmatchedReason() models.HeldReason {
	switch {
	case t.Comment != "":
		return models.HeldUnknown
	case t.CommentKind == CommentEncrypted || t.CommentKind == CommentBinary:
		return models.HeldSealed
	}
	return models.HeldNoComment
}

// settlePurchase credits a payment for coins, as far as its order takes it; the rest is held.
func (s *Store) settlePurchase(in ledger.Settlement, t ChainTransaction, order *models.Order, whole models.Payment, then game.Quote) error {
	settled := order.Sale().Settle(t.Amount, t.At, then)
	if settled.Held > 0 {
		held := whole
		held.Amount, held.Reason = settled.Held, models.HeldTooMuch
		if t.Amount < game.LeastPurchase {
			held.Reason = models.HeldTooLittle
		}
		if _, err := AddPayment(in.Tx, held); err != nil {
			return err
		}
	}
	if settled.Held == t.Amount {
		return nil
	}
	sold, at := whole, db.Time(in.Now)
	sold.State, sold.Amount, sold.SettledAt = models.PaymentCredited, t.Amount-settled.Held, &at
	sold.Locked, sold.Coins = settled.Locked, settled.Coins
	var err error
	if sold.ID, err = AddPayment(in.Tx, sold); err != nil {
		return err
	}
	if err := AddToOrder(in.Tx, order, sold.Amount, Source{t.At, t.Hash}); err != nil {
		return err
	}
	return s.Credit(in, sold)
}

// AddToOrder adds a payment to its order, which is paid from the first payment on. Its player is locked.
func AddToOrder(tx *gorm.DB, o *models.Order, amount game.Nanoton, from Source) error {
	was, before := o.State, o.Paid
	o.Paid += amount
	o.State = models.OrderPaid
	if o.PaidAt == nil {
		at := db.Time(from.At)
		o.PaidAt, o.TxHash = &at, &from.Hash
	}
	err := db.UpdateOne(tx.Model(&models.Order{}).Where("id = ? AND player_id = ? AND state = ? AND paid = ?", o.ID, o.PlayerID, was, before).
		Updates(map[string]any{"state": o.State, "paid": o.Paid, "paid_at": o.PaidAt, "tx_hash": o.TxHash}))
	return db.Wrap(err, "add a payment to order %d", o.ID)
}

// Credit gives a locked player the coins of a payment and their inviter one in a hundred, and posts both. What refunds had still to
// take from either is taken from that.
func (s *Store) Credit(in ledger.Settlement, payment models.Payment) error {
	buyer := in.Locked[*payment.PlayerID]
	err := in.Ledger.Record(buyer, ledger.Entry{Reference: fmt.Sprint("pay:", payment.ID), Moves: []ledger.Move{
		{From: models.HouseSales, To: models.AccountPurchased, Asset: models.AssetMCBK, Amount: int64(payment.Coins)},
	}}, in.Now)
	if err != nil {
		return err
	}
	if err := in.Tx.Exec("UPDATE "+payment.Books()+" SET sold = sold + ?", int64(payment.Coins)).Error; err != nil {
		return fmt.Errorf("count what was sold: %w", err)
	}
	if err := CollectClaims(in, buyer); err != nil {
		return err
	}
	err = outbox.Enqueue(in.Tx, s.db.Dialect, in.Now, models.Message{
		Key: fmt.Sprint("purchase:", payment.ID), ChatID: buyer.TelegramID, Kind: models.PurchaseCredited, Urgency: models.UrgencyPersonal,
		Params: map[string]string{"coins": fmt.Sprint(int64(payment.Coins))},
	})
	if err != nil || buyer.ReferrerID == nil {
		return err
	}
	inviter := in.Locked[*buyer.ReferrerID]
	err = in.Ledger.Record(inviter, ledger.Entry{Reference: fmt.Sprint("share:", payment.ID), Moves: []ledger.Move{
		{From: models.HouseSales, To: models.AccountReferral, Asset: models.AssetMCBK, Amount: int64(game.ReferralShare(payment.Coins))},
	}}, in.Now)
	if err != nil {
		return err
	}
	return CollectClaims(in, inviter)
}

// AddPayment stores a payment and returns its id.
func AddPayment(tx *gorm.DB, p models.Payment) (id int64, err error) {
	p.ID = 0 // another row, where a part of a held payment is added
	err = tx.Create(&p).Error
	return p.ID, db.Wrap(err, "store a payment of %d", p.Amount)
}
