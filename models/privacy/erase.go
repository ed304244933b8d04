package privacy

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/mines"
	"mcbk/models/settings"
)

// ActionErase erases who a player is, for good. args: the player's id
const ActionErase models.Action = "erase"

// Texts that replace the name of an erased player and the reason of the ban.
const (
	erasedName   = "Deleted account"
	ErasedReason = "this account was deleted"
)

// Erase removes name, picture, wallet and origin from an account and closes it. What it owns and what it paid stays, without which
// the books would not add up. It refuses with already_erased. It refuses with money_waits while a payment of theirs is held; while
// a prize in TON is owed to them, or was won and not given yet; and while a tournament that is over has no ranks yet and may bring
// them one. What they have dug in a running tournament is named by the outcome. Other payments held under their number stay
// held, and the outcome counts them.
func (s *Store) Erase(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("erase with %d arguments", len(q.Args))
	}
	p, err := s.players.LockNamed(tx, q.Args[0])
	if err != nil {
		return "", err
	}
	if p.Erased() {
		return "", game.Refuse(models.AlreadyErased)
	}
	waits, others, err := moneyOf(tx, p.ID)
	if err != nil {
		return "", err
	}
	mayWin, err := mayHaveWon(tx, p.ID, now)
	if err != nil {
		return "", err
	}
	if waits || mayWin {
		return "", game.Refuse(models.MoneyWaits)
	}
	if p.BannedAt == nil {
		p.BannedAt, p.BanReason = &now, ErasedReason
	}
	err = tx.Exec(`UPDATE players SET first_name = ?, username = '', photo_url = '', is_premium = ?, notifications = ?, wallet = NULL, wallet_proven = ?,
		banned_at = ?, ban_reason = ?, erased_at = ?, revision = revision + 1 WHERE id = ?`, erasedName, false, false, false, p.BannedAt.UTC(), p.BanReason, now.UTC(), p.ID).Error
	if err != nil {
		return "", fmt.Errorf("erase player %d: %w", p.ID, err)
	}
	for _, rest := range []string{
		"DELETE FROM origins WHERE player_id = ?",
		"DELETE FROM wallet_nonces WHERE player_id = ? AND state <> 'used'",
		"UPDATE wallet_nonces SET wallet = '" + models.ForgottenWallet + "', proof = CASE proof WHEN '' THEN '' END WHERE player_id = ?", // how many had none is counted
		"DELETE FROM idempotency_keys WHERE player_id = ?",                                                                               // answers show name and wallet
		"DELETE FROM chats WHERE telegram_id = (SELECT telegram_id FROM players WHERE id = ?)",
	} {
		if err := tx.Exec(rest, p.ID).Error; err != nil {
			return "", fmt.Errorf("erase what else is known of player %d: %w", p.ID, err)
		}
	}
	s.leaderboard.MarkChangedOnCommit(tx, p.ID)
	running, err := mayStillWin(tx, p.ID)
	if err != nil {
		return "", err
	}
	outcome = fmt.Sprintf("player %d is erased", p.ID)
	if running != 0 {
		outcome += fmt.Sprintf("; their ore stays in tournament %d: if it wins TON, cancel that payout", running)
	}
	if others > 0 {
		outcome += fmt.Sprintf("; payments with their orders' comments that stay held, see /match: %d", others)
	}
	return outcome, nil
}

// moneyOf reports whether money of a locked player waits, and how many other payments are held under their number. The comment of
// an order is public once it was paid: later payments with it may be anybody's, and so may payments of less than anything costs;
// of Stars Telegram tells who paid. Refunds go to the sender and need nobody's name. (decision 0039: what is forgotten)
func moneyOf(tx *gorm.DB, id models.PlayerID) (waits bool, others int, err error) {
	var held struct {
		Own    int
		Others int
		Prizes int
	}
	const own = `p.charge_id IS NOT NULL OR p.amount >= ? AND (COALESCE(o.state, '') <> 'paid' OR EXISTS (SELECT 1 FROM payments c WHERE c.lt = p.lt AND c.state = 'credited'))`
	err = tx.Raw(`SELECT COUNT(CASE WHEN `+own+` THEN 1 END) AS own, COUNT(*) AS others,
		(SELECT COUNT(*) FROM payables WHERE player_id = ? AND tournament_id IS NOT NULL AND state IN ('due', 'approved', 'sent'))
			+ (SELECT COUNT(*) FROM miners WHERE player_id = ? AND prized_at IS NULL AND prize_ton > 0) AS prizes
		FROM payments p LEFT JOIN orders o ON o.id = p.order_id WHERE p.player_id = ? AND p.state = 'held'`, int64(game.LeastPurchase), id, id, id).Scan(&held).Error
	return held.Own > 0 || held.Prizes > 0, held.Others - held.Own, db.Wrap(err, "find money of player %d", id)
}

// mayHaveWon reports whether a locked player has enough ore for a prize in a tournament that is over and has not ranked them. Ranks
// wait for the chain. Which rank it will be is not asked: payments of others may still change it.
func mayHaveWon(tx *gorm.DB, id models.PlayerID, now time.Time) (bool, error) {
	over, err := mines.FindTournaments(tx.Where("ends_at <= ? OR state = ?", db.Time(now), game.TournamentClosed).
		Where("EXISTS (SELECT 1 FROM miners m WHERE m.tournament_id = tournaments.id AND m.player_id = ? AND m.paid_at IS NULL)", id))
	if err != nil || len(over) == 0 {
		return false, err
	}
	set, err := settings.ReadSettings(tx)
	if err != nil {
		return false, err
	}
	for _, t := range over {
		m, err := mines.FindMiner(tx, t.ID, id)
		if err != nil {
			return false, err
		}
		if m.Ore >= t.PrizeNeeds(set.Runtime.LeastPrizeOre()) {
			return true, nil
		}
	}
	return false, nil
}

// mayStillWin returns the running tournament in which a player has dug ore, or 0. Whoever wants to be forgotten does not wait for its
// end: the ranks are those of the ore, and a prize in TON then has nobody to go to.
func mayStillWin(tx *gorm.DB, id models.PlayerID) (tournament int64, err error) {
	err = tx.Raw(`SELECT COALESCE(MAX(t.id), 0) FROM tournaments t JOIN miners m ON m.tournament_id = t.id
		WHERE m.player_id = ? AND m.ore > 0 AND t.state IN ('scheduled', 'running')`, id).Scan(&tournament).Error
	return tournament, db.Wrap(err, "find ore of player %d", id)
}

// originRetention is how long a player's origin is stored. (decision 0039: what is forgotten)
const originRetention = 30 * 24 * time.Hour

// ForgetOrigins deletes the origins of players who came longer ago than that, and returns how many. It looks at the oldest only: a
// player who came earlier has a lower id, but for a few that came at the same time.
func (s *Store) ForgetOrigins(ctx context.Context, now time.Time) (deleted int64, err error) {
	return s.db.Sweep(ctx, `DELETE FROM origins WHERE player_id IN (
		SELECT o.player_id FROM (SELECT player_id FROM origins ORDER BY player_id LIMIT `+fmt.Sprint(db.SweepRows)+`) o
		JOIN players p ON p.id = o.player_id WHERE p.created_at < ?)`, now.UTC().Add(-originRetention))
}
