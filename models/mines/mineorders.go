package mines

import (
	"context"
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

// MineUnlocked tells a player that a mine is open; level: which one.
const MineUnlocked models.MessageKind = "mine_unlocked"

// Reasons for which a payment for a mine waits for an admin.
const (
	HeldMineLess      models.HeldReason = "less than the mine costs"
	HeldMineMore      models.HeldReason = "more than the mine costs"
	HeldMineNotNext   models.HeldReason = "the mine is not the player's next"
	HeldMineOver      models.HeldReason = "paid while no tournament was running"
	HeldMineCancelled models.HeldReason = "its order was cancelled"
)

// OrderMine orders the player's next mine, in TON or to be paid by an invoice. If an order for it in that currency is open, that one
// is returned. It refuses with user_blocked,
// age_consent_required, wallet_not_connected, tournament_not_active, level_not_next, season_not_started, season_over,
// too_many_open_orders and rate_limited.
func (s *Store) OrderMine(ctx context.Context, id models.PlayerID, level int, invoice *orders.Invoice, season game.Season, now time.Time) (models.Order, error) {
	currency, price := models.CurrencyTON, orders.NoPrice
	if invoice != nil {
		currency, price = models.CurrencyStars, invoice.TONPrice
	}
	var order models.Order
	canBuy := func(p models.Player) error { return p.CanBuy(currency) }
	_, err := s.ledger.WithPlayer(ctx, id, canBuy, func(tx *gorm.DB, p *models.Player) error {
		t, err := currentTournament(tx, now)
		if err != nil {
			return noTournament(err)
		}
		m, err := FindMiner(tx, t.ID, id)
		if err != nil {
			return err
		}
		if level == m.Level+1 { // what was ordered in time can be paid, though no more is sold
			open, known, err := openMineOrder(tx, t.ID, id, level, currency, now)
			if err != nil || known {
				order = open
				return err
			}
		}
		if err := t.MayBuyMine(level, m.Level, now); err != nil {
			return err
		}
		if err := season.Open(now); err != nil { // a mine is bought to be dug, which nobody may do outside the season
			return err
		}
		if err := orders.WithinOrderLimits(tx, *p, now); err != nil {
			return err
		}
		order, err = s.orders.AddOrder(tx, models.Order{
			PlayerID: id, Kind: models.OrderMine, Amount: game.MineAt(level).Cost, TONPrice: price, MCBKPrice: orders.NoPrice,
			TournamentID: &t.ID, MineLevel: &level, CreatedAt: db.Time(now), ExpiresAt: db.Time(now.Add(game.MineOrderOpen)),
		}, invoice)
		return err
	})
	return order, err
}

// Invoice returns the invoice of a player's open order in Stars for a mine; without one, what a new invoice asks now, without its link
// and comment. It refuses with tournament_not_active, price_unavailable, and level_not_next for a level that there is not.
func (s *Store) Invoice(ctx context.Context, id models.PlayerID, level int, now time.Time) (orders.Invoice, error) {
	cost := game.MineAt(level).Cost
	if cost == 0 {
		return orders.Invoice{}, game.Refuse(game.LevelNotNext)
	}
	view := s.db.Read(ctx)
	t, err := currentTournament(view, now)
	if err != nil {
		return orders.Invoice{}, db.WrapUnavailable(noTournament(err))
	}
	open, known, err := openMineOrder(view, t.ID, id, level, models.CurrencyStars, now)
	if err != nil {
		return orders.Invoice{}, db.WrapUnavailable(err)
	}
	if known {
		return orders.Invoice{Comment: open.Comment, Stars: open.Stars(), StarPrice: open.StarPrice, TONPrice: open.TONPrice, Link: *open.InvoiceLink}, nil
	}
	rate, err := s.orders.Rate(ctx, now)
	if err != nil {
		return orders.Invoice{}, err
	}
	star := s.settings.RuntimeSettings(ctx, now).StarUSD
	stars, ok := game.StarsFor(cost, rate.Price, star)
	if !rate.Sells || !ok {
		return orders.Invoice{}, game.Refuse(orders.PriceUnavailable)
	}
	return orders.Invoice{Stars: stars, StarPrice: star, TONPrice: rate.Price}, nil
}

// openMineOrder returns a player's payable order for a mine in a currency.
func openMineOrder(tx *gorm.DB, tournament int64, player models.PlayerID, level int, in models.Currency, now time.Time) (models.Order, bool, error) {
	return mineOrder(tx, tournament, player, level, "AND o.state = 'pending' AND o.expires_at >= ? AND o.currency = ?", db.Time(now), in)
}

// mineOrder returns a player's newest order for a mine that meets the condition.
func mineOrder(tx *gorm.DB, tournament int64, player models.PlayerID, level int, condition string, values ...any) (o models.Order, known bool, err error) {
	var found []models.Order
	err = tx.Raw(orders.SelectOrder+" WHERE o.player_id = ? AND o.tournament_id = ? AND o.mine_level = ? "+condition+" ORDER BY o.id DESC LIMIT 1",
		append([]any{player, tournament, level}, values...)...).Scan(&found).Error
	return append(found, models.Order{})[0], len(found) > 0, db.Wrap(err, "read the orders of player %d for mine %d", player, level)
}

// MineOrder returns a player's newest order for a mine of the present tournament that is not open yet; nil if there is none. unlocked
// reports whether the mine is open already. It refuses with level_not_next for a mine beyond the next one.
func (s *Store) MineOrder(ctx context.Context, id models.PlayerID, level int, now time.Time) (order *models.Order, unlocked bool, err error) {
	view := s.db.Read(ctx)
	t, err := currentTournament(view, now)
	if err != nil {
		return nil, false, db.WrapUnavailable(noTournament(err))
	}
	m, err := FindMiner(view, t.ID, id)
	switch {
	case err != nil:
		return nil, false, db.WrapUnavailable(err)
	case level <= m.Level:
		return nil, true, nil
	case level > m.Level+1:
		return nil, false, game.Refuse(game.LevelNotNext)
	}
	newest, known, err := mineOrder(view, t.ID, id, level, "")
	if err != nil || !known {
		return nil, false, db.WrapUnavailable(err)
	}
	return &newest, false, nil
}

// SettleMine decides what becomes of a payment for a mine. Its player is locked. A payment that opens nothing is held, and so is an
// overpayment.
func (s *Store) SettleMine(in ledger.Settlement, order *models.Order, whole models.Payment, from treasury.Source) error {
	why, miner, err := opens(in.Tx, *order, whole.Amount, from.At)
	if err != nil {
		return err
	}
	held := whole
	held.Reason = why
	if why == "" {
		held.Amount, held.Reason = whole.Amount-order.Amount, HeldMineMore
	}
	if held.Amount > 0 {
		if _, err := treasury.AddPayment(in.Tx, held); err != nil {
			return err
		}
	}
	if why != "" {
		return nil
	}
	at := db.Time(in.Now)
	whole.State, whole.Amount, whole.SettledAt = models.PaymentCredited, order.Amount, &at
	if whole.ID, err = treasury.AddPayment(in.Tx, whole); err != nil {
		return err
	}
	if err := treasury.AddToOrder(in.Tx, order, whole.Amount, from); err != nil {
		return err
	}
	return s.unlock(in, *order, whole, miner)
}

// opens returns the miner if an amount, paid at a time, opens the mine of an order whose player is locked; else why not.
func opens(tx *gorm.DB, order models.Order, paid game.Nanoton, at time.Time) (why models.HeldReason, miner models.Miner, err error) {
	t, err := oneTournament(tx.Scopes(db.ForShare).Where("id = ?", *order.TournamentID)) // nobody closes or finishes it meanwhile
	if err != nil {
		return "", models.Miner{}, err
	}
	if miner, err = FindMiner(tx, t.ID, order.PlayerID); err != nil {
		return "", models.Miner{}, err
	}
	switch {
	case paid < order.Amount:
		return HeldMineLess, miner, nil
	case !t.Contains(at) || t.FinalAt != nil:
		return HeldMineOver, miner, nil
	case *order.MineLevel != miner.Level+1:
		return HeldMineNotNext, miner, nil
	case order.State == models.OrderCancelled && order.Currency == models.CurrencyTON:
		return HeldMineCancelled, miner, nil
	}
	return "", miner, nil
}

// unlock opens the mine that a payment was for. Nobody is to pay for it again: other orders for it are cancelled.
func (s *Store) unlock(in ledger.Settlement, order models.Order, payment models.Payment, miner models.Miner) error {
	buyer := in.Locked[order.PlayerID]
	set, err := settings.ReadSettings(in.Tx)
	if err != nil {
		return err
	}
	if err := openMine(in.Tx, &miner, set.Runtime.TapRules(), in.Now); err != nil {
		return err
	}
	err = in.Tx.Create(&models.MineLevel{
		TournamentID: miner.TournamentID, PlayerID: miner.PlayerID, Level: miner.Level, OrderID: order.ID, PaymentID: payment.ID, UnlockedAt: db.Time(in.Now),
	}).Error
	if err != nil {
		return fmt.Errorf("open mine %d of player %d: %w", miner.Level, miner.PlayerID, err)
	}
	err = in.Tx.Model(&models.Order{}).
		Where("player_id = ? AND tournament_id = ? AND mine_level = ? AND state = ?", miner.PlayerID, miner.TournamentID, miner.Level, models.OrderPending).
		Update("state", models.OrderCancelled).Error
	if err != nil {
		return fmt.Errorf("cancel the other orders of player %d for mine %d: %w", miner.PlayerID, miner.Level, err)
	}
	// It brings no ore, but marks from when on a tap digs how much.
	err = in.Ledger.Record(buyer, ledger.Entry{
		Reference: fmt.Sprint("mine:", payment.ID), Memo: ledger.MineReceipt{Tournament: miner.TournamentID, Level: miner.Level}.Encode(),
		Moves: []ledger.Move{{From: models.HouseMines, To: models.AccountMine, Asset: models.AssetOre}},
	}, in.Now)
	if err != nil {
		return err
	}
	return outbox.Enqueue(in.Tx, s.db.Dialect, in.Now, models.Message{
		Key: fmt.Sprint("mine:", payment.ID), ChatID: buyer.TelegramID, Kind: MineUnlocked, Urgency: models.UrgencyPersonal,
		Params: map[string]string{"level": fmt.Sprint(miner.Level)},
	})
}

// MatchMine opens the mine of an order with a held payment that an admin gives to it; an overpayment stays held. It refuses with
// amount_too_small, tournament_not_active and level_not_next.
func (s *Store) MatchMine(tx *gorm.DB, held treasury.HeldPayment, order models.Order, now time.Time) (outcome string, err error) {
	level, rest := 0, held.Payment
	err = s.ledger.Post(tx, []models.PlayerID{order.PlayerID}, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
		if locked[order.PlayerID].Erased() {
			return game.Refuse(models.AlreadyErased)
		}
		// Now that its player is locked, only the sweep of expired orders could still move it.
		if order, err = orders.OneOrder(tx, "o.id = ?"+s.db.Dialect.ForUpdate("o"), order.ID); err != nil {
			return err
		}
		why, miner, err := opens(tx, order, held.Amount, held.At)
		if err != nil {
			return err
		}
		switch why {
		case HeldMineLess:
			return game.Refuse(game.AmountTooSmall)
		case HeldMineOver:
			return game.Refuse(game.TournamentNotActive)
		case HeldMineNotNext:
			return game.Refuse(game.LevelNotNext)
		}
		paid := held.Payment
		level, rest = miner.Level+1, held.Payment
		paid.State, paid.Amount, paid.OrderID, paid.PlayerID = models.PaymentCredited, order.Amount, &order.ID, &order.PlayerID
		if err := treasury.SettleHeld(tx, paid, now); err != nil {
			return err
		}
		if rest.Amount -= order.Amount; rest.Amount > 0 {
			rest.Reason, rest.OrderID, rest.PlayerID = HeldMineMore, &order.ID, &order.PlayerID
			if _, err := treasury.AddPayment(tx, rest); err != nil {
				return err
			}
		}
		if err := treasury.AddToOrder(tx, &order, paid.Amount, treasury.Source{At: held.At, Hash: held.TxHash}); err != nil {
			return err
		}
		return s.unlock(ledger.Settlement{Tx: tx, Locked: locked, Ledger: all, Now: now}, order, paid, miner)
	})
	outcome = fmt.Sprintf("%s of payment %d opened mine %d of player %d", order.Currency.Format(order.Amount), held.ID, level, order.PlayerID)
	if rest.Amount > 0 {
		outcome += fmt.Sprintf("; %s stays held", rest.Sum())
	}
	return outcome, err
}
