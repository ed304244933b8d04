package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// MineUnlocked tells a player that a mine is open; level: which one.
const MineUnlocked MessageKind = "mine_unlocked"

// Reasons for which a payment for a mine waits for an admin.
const (
	HeldMineLess      HeldReason = "less than the mine costs"
	HeldMineMore      HeldReason = "more than the mine costs"
	HeldMineNotNext   HeldReason = "the mine is not the player's next"
	HeldMineOver      HeldReason = "paid while no tournament was running"
	HeldMineCancelled HeldReason = "its order was cancelled"
)

// noPrice replaces the prices in an order for a mine, which has none: the table takes no lower price.
const noPrice game.MicroUSD = 1

// OrderMine orders the player's next mine. If an order for it is open, that one is returned. It refuses with user_blocked,
// age_consent_required, wallet_not_connected, tournament_not_active, level_not_next, season_not_started, season_over,
// too_many_open_orders and rate_limited.
func (s *Store) OrderMine(ctx context.Context, id PlayerID, level int, season game.Season, now time.Time) (Order, error) {
	var order Order
	err := s.DB.inTx(ctx, func(tx *gorm.DB) error {
		p, err := s.lockPlayer(tx, id)
		if err != nil {
			return err
		}
		if err := p.mayBuy(); err != nil {
			return err
		}
		t, err := presentTournament(tx, now)
		if err != nil {
			return noTournament(err)
		}
		m, err := minerOf(tx, t.ID, id)
		if err != nil {
			return err
		}
		if level == m.Level+1 { // what was ordered in time can be paid, though no more is sold
			open, known, err := mineOrder(tx, t.ID, id, level, "AND o.state = 'pending' AND o.expires_at >= ?", stored(now))
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
		if err := withinOrderLimits(tx, p, now); err != nil {
			return err
		}
		order, err = s.addOrder(tx, Order{
			PlayerID: id, Kind: OrderMine, Amount: game.MineAt(level).Cost, TONPrice: noPrice, MCBKPrice: noPrice,
			TournamentID: &t.ID, MineLevel: &level, CreatedAt: stored(now), ExpiresAt: stored(now.Add(game.MineOrderOpen)),
		})
		return err
	})
	return order, err
}

// mineOrder returns a player's newest order for a mine that meets the condition.
func mineOrder(tx *gorm.DB, tournament int64, player PlayerID, level int, condition string, values ...any) (o Order, known bool, err error) {
	var found []Order
	err = tx.Raw(toldOrder+" WHERE o.player_id = ? AND o.tournament_id = ? AND o.mine_level = ? "+condition+" ORDER BY o.id DESC LIMIT 1",
		append([]any{player, tournament, level}, values...)...).Scan(&found).Error
	if err != nil {
		return Order{}, false, fmt.Errorf("read the orders of player %d for mine %d: %w", player, level, err)
	}
	return append(found, Order{})[0], len(found) > 0, nil
}

// MineOrder returns a player's newest order for a mine of the present tournament that is not open yet; nil if there is none. unlocked
// reports whether the mine is open already. It refuses with level_not_next for a mine beyond the next one.
func (s *Store) MineOrder(ctx context.Context, id PlayerID, level int, now time.Time) (order *Order, unlocked bool, err error) {
	view := s.DB.reading(ctx)
	t, err := presentTournament(view, now)
	if err != nil {
		return nil, false, explained(noTournament(err))
	}
	m, err := minerOf(view, t.ID, id)
	switch {
	case err != nil:
		return nil, false, explained(err)
	case level <= m.Level:
		return nil, true, nil
	case level > m.Level+1:
		return nil, false, game.Refuse(game.LevelNotNext)
	}
	newest, known, err := mineOrder(view, t.ID, id, level, "")
	if err != nil || !known {
		return nil, false, explained(err)
	}
	return &newest, false, nil
}

// settleMine decides what becomes of a payment for a mine. Its player is locked. A payment that opens nothing is held, and so is an
// overpayment.
func (s *Store) settleMine(in booking, t ChainTransaction, order *Order, whole Payment) error {
	why, miner, err := s.opens(in.tx, *order, t.Amount, t.At)
	if err != nil {
		return err
	}
	held := whole
	held.Reason = why
	if why == "" {
		held.Amount, held.Reason = t.Amount-order.Amount, HeldMineMore
	}
	if held.Amount > 0 {
		if _, err := addPayment(in.tx, held); err != nil {
			return err
		}
	}
	if why != "" {
		return nil
	}
	at := stored(in.now)
	whole.State, whole.Amount, whole.SettledAt = PaymentCredited, order.Amount, &at
	if whole.ID, err = addPayment(in.tx, whole); err != nil {
		return err
	}
	if err := addToOrder(in.tx, order, whole.Amount, t.At, t.Hash); err != nil {
		return err
	}
	return s.unlock(in, *order, whole, miner)
}

// opens returns the miner if an amount, paid at a time, opens the mine of an order whose player is locked; else why not.
func (s *Store) opens(tx *gorm.DB, order Order, paid game.Nanoton, at time.Time) (why HeldReason, miner Miner, err error) {
	t, err := s.steadyTournament(tx, *order.TournamentID)
	if err != nil {
		return "", Miner{}, err
	}
	if miner, err = minerOf(tx, t.ID, order.PlayerID); err != nil {
		return "", Miner{}, err
	}
	switch {
	case paid < order.Amount:
		return HeldMineLess, miner, nil
	case !t.Contains(at) || t.FinalAt != nil:
		return HeldMineOver, miner, nil
	case *order.MineLevel != miner.Level+1:
		return HeldMineNotNext, miner, nil
	case order.State == OrderCancelled:
		return HeldMineCancelled, miner, nil
	}
	return "", miner, nil
}

// unlock opens the mine that a payment was for. Nobody is to pay for it again: other orders for it are cancelled.
func (s *Store) unlock(in booking, order Order, payment Payment, miner Miner) error {
	buyer := in.locked[order.PlayerID]
	set, err := readSettings(in.tx)
	if err != nil {
		return err
	}
	if err := openMine(in.tx, &miner, set.runtime.TapRules(), in.now); err != nil {
		return err
	}
	err = in.tx.Exec("INSERT INTO mine_levels (tournament_id, player_id, level, order_id, payment_id, unlocked_at) VALUES (?, ?, ?, ?, ?, ?)",
		miner.TournamentID, miner.PlayerID, miner.Level, order.ID, payment.ID, stored(in.now)).Error
	if err != nil {
		return fmt.Errorf("open mine %d of player %d: %w", miner.Level, miner.PlayerID, err)
	}
	err = in.tx.Exec("UPDATE orders SET state = ? WHERE player_id = ? AND tournament_id = ? AND mine_level = ? AND state = ?",
		OrderCancelled, miner.PlayerID, miner.TournamentID, miner.Level, OrderPending).Error
	if err != nil {
		return fmt.Errorf("cancel the other orders of player %d for mine %d: %w", miner.PlayerID, miner.Level, err)
	}
	// It brings no ore, but marks from when on a tap digs how much.
	err = in.all.record(buyer, entry{
		reference: fmt.Sprint("mine:", payment.ID), memo: fmt.Sprint(miner.TournamentID, " ", miner.Level),
		moves: []move{{from: houseMines, to: AccountMine, asset: AssetOre}},
	}, in.now)
	if err != nil {
		return err
	}
	return queue(in.tx, s.DB.dialect, in.now, Message{
		Key: fmt.Sprint("mine:", payment.ID), ChatID: buyer.TelegramID, Kind: MineUnlocked, Urgency: UrgencyPersonal,
		Params: map[string]string{"level": fmt.Sprint(miner.Level)},
	})
}

// matchMine opens the mine of an order with a held payment that an admin gives to it; an overpayment stays held. It refuses with
// amount_too_small, tournament_not_active and level_not_next.
func (s *Store) matchMine(tx *gorm.DB, held HeldPayment, order Order, now time.Time) (outcome string, err error) {
	level, rest := 0, held.Payment
	err = s.post(tx, []PlayerID{order.PlayerID}, func(locked map[PlayerID]*Player, all *journal) error {
		if locked[order.PlayerID].Erased() {
			return game.Refuse(AlreadyErased)
		}
		// Now that its player is locked, only the sweep of expired orders could still move it.
		if order, err = oneOrder(tx, "o.id = ?"+s.DB.dialect.forUpdate("o"), order.ID); err != nil {
			return err
		}
		why, miner, err := s.opens(tx, order, held.Amount, held.At)
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
		paid.State, paid.Amount, paid.OrderID, paid.PlayerID = PaymentCredited, order.Amount, &order.ID, &order.PlayerID
		if err := settleHeld(tx, paid, now); err != nil {
			return err
		}
		if rest.Amount -= order.Amount; rest.Amount > 0 {
			rest.Reason, rest.OrderID, rest.PlayerID = HeldMineMore, &order.ID, &order.PlayerID
			if _, err := addPayment(tx, rest); err != nil {
				return err
			}
		}
		if err := addToOrder(tx, &order, paid.Amount, held.At, held.TxHash); err != nil {
			return err
		}
		return s.unlock(booking{tx, locked, all, now}, order, paid, miner)
	})
	outcome = fmt.Sprintf("%s TON of payment %d opened mine %d of player %d", order.Amount.Decimal(), held.ID, level, order.PlayerID)
	if rest.Amount > 0 {
		outcome += fmt.Sprintf("; %s TON stays held", rest.Amount.Decimal())
	}
	return outcome, err
}
