package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// refundMatches reports whether an entry of a refund takes coins back; findInvalidRefunds checks how many.
func refundMatches(_ *ledgerReplay, p models.Posting) bool {
	back := []models.Account{models.AccountPurchased, models.AccountReferral}
	return p.Memo == "" && slices.Contains(back, p.Source) && strings.Count(p.Reference, ":") == 2 &&
		matchesMove(p, []ledger.Move{{From: p.Source, To: models.HouseSales, Asset: models.AssetMCBK, Amount: p.Amount}})
}

// findInvalidStars lists players with an order in Stars that asks for or promises other amounts than its prices say, or with a charge
// that brought something else than it was for.
func findInvalidStars(tx *gorm.DB, s idRange) (invalid []models.PlayerID, err error) {
	var orders []models.Order
	err = tx.Raw("SELECT "+db.Columns[models.Order]("orders")+" FROM orders WHERE currency = ? AND player_id > @After AND player_id <= @UpTo",
		models.CurrencyStars, s).Scan(&orders).Error
	if err != nil {
		return nil, fmt.Errorf("read orders in Stars: %w", err)
	}
	for _, o := range orders {
		if !matchesQuote(o, s.season) {
			invalid = append(invalid, o.PlayerID)
		}
	}
	var charges []models.Payment
	err = tx.Where("charge_id IS NOT NULL AND state = ? AND player_id > ? AND player_id <= ?", models.PaymentCredited, s.After, s.UpTo).Find(&charges).Error
	if err != nil {
		return nil, fmt.Errorf("read credited charges: %w", err)
	}
	for _, p := range charges {
		sound, err := chargeMatchesOrder(tx, p)
		if err != nil {
			return nil, err
		}
		if !sound {
			invalid = append(invalid, *p.PlayerID)
		}
	}
	return invalid, nil
}

// matchesQuote reports whether an order in Stars asks and promises what its prices say.
func matchesQuote(o models.Order, season game.Season) bool {
	if o.Kind == models.OrderMine {
		asked, ok := game.StarsFor(game.MineAt(*o.MineLevel).Cost, o.TONPrice, o.StarPrice)
		return ok && asked == o.Stars() && o.Coins == 0
	}
	coins, ok := o.Stars().Coins(o.StarPrice, o.MCBKPrice)
	return ok && coins == o.Coins && o.MCBKPrice == game.Price(season.Day(o.CreatedAt)) && !o.ExpiresAt.After(season.LockedUntil(o.CreatedAt))
}

// chargeMatchesOrder reports whether a charge is of the order's amount, player and coins; one that an admin gave to somebody, of the
// coins of its time.
func chargeMatchesOrder(tx *gorm.DB, p models.Payment) (bool, error) {
	c, err := db.One[models.StarCharge](tx.Where("charge_id = ?", *p.ChargeID))
	if err != nil || c.Stars != game.Stars(p.Amount) {
		return false, err
	}
	var o models.Order
	if p.OrderID != nil {
		err := tx.Raw("SELECT "+db.Columns[models.Order]("orders")+" FROM orders WHERE id = ?", *p.OrderID).Scan(&o).Error
		if err != nil {
			return false, err
		}
		if o.Currency != models.CurrencyStars || o.PlayerID != *p.PlayerID {
			return false, nil
		}
	}
	coins, ok := game.Stars(p.Amount).Coins(p.StarPrice, p.MCBKPrice)
	switch {
	case o.Kind == models.OrderMine:
		return p.Coins == 0 && p.Amount == o.Amount, nil
	case p.Locked > 0:
		return p.Locked == p.Amount && p.Amount == o.Amount && p.Coins == o.Coins, nil
	}
	return ok && p.Coins == coins && p.Reason != "", nil
}

// brokenStars lists charges without their payment, and sums that differ.
var brokenStars = listRows([]rowCheck{
	{"charge %s has not one payment of its amount", `SELECT c.charge_id FROM star_charges c LEFT JOIN payments p ON p.charge_id = c.charge_id
		WHERE p.amount IS DISTINCT FROM c.stars`},
	{"%s Stars are booked, which is not what the listed charges and refunds come to", `SELECT stars FROM star_books WHERE stars <> (
		SELECT COALESCE(SUM(CASE WHEN listed THEN stars ELSE 0 END - CASE WHEN refund_listed THEN stars ELSE 0 END), 0) FROM star_charges)`},
	{"coins sold for Stars are counted as %s", `SELECT sold FROM star_books WHERE sold <> (
		SELECT COALESCE(SUM(coins), 0) FROM payments WHERE state = 'credited' AND charge_id IS NOT NULL)`},
	{"the refund of %s is shown before its charge", "SELECT charge_id FROM star_charges WHERE refund_listed AND NOT listed"},
})

// overdueStarOrders lists orders in Stars that stay open after nobody can pay them.
func overdueStarOrders(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
	limit := now.Add(-admin.ConfirmationOverdue)
	return list(s.db.Committed(ctx), "order %s", `SELECT id FROM orders WHERE state = 'pending' AND currency = 'XTR' AND expires_at < ?
		AND (reserved_until IS NULL OR reserved_until < ?) ORDER BY id LIMIT ?`, limit, limit)
}

// findInvalidRefunds lists players from whom a refund took otherwise than it may: each that was made claims what its payment brought
// from the buyer and their inviter, and what was taken was posted.
var findInvalidRefunds = findPlayers(`WITH due AS (SELECT * FROM (` + dueClaims + `) AS d WHERE player_id > @After AND player_id <= @UpTo),
		made AS (SELECT player_id, charge_id || ' ' || account || ' ' || coins AS claim FROM star_claims WHERE player_id > @After AND player_id <= @UpTo)
	SELECT player_id FROM (SELECT * FROM due EXCEPT SELECT * FROM made) AS missing
	UNION SELECT player_id FROM (SELECT * FROM made EXCEPT SELECT * FROM due) AS undue
	UNION SELECT m.player_id FROM star_claims m WHERE m.player_id > @After AND m.player_id <= @UpTo AND m.taken <> COALESCE(
		(SELECT SUM(q.amount) FROM postings q WHERE q.player_id = m.player_id AND q.source = m.account AND q.reference LIKE 'refund:' || m.id || ':%'), 0)
	UNION SELECT q.player_id FROM postings q WHERE q.player_id > @After AND q.player_id <= @UpTo AND q.reference LIKE 'refund:%'
		AND NOT EXISTS (SELECT 1 FROM star_claims m WHERE m.player_id = q.player_id AND q.reference LIKE 'refund:' || m.id || ':%')
	ORDER BY player_id LIMIT ?`)

// dueClaims lists what refunds that were made claim.
const dueClaims = `SELECT p.player_id, c.charge_id || ' purchased ' || p.coins AS claim FROM star_charges c JOIN payments p ON p.charge_id = c.charge_id
		WHERE c.refunded_at IS NOT NULL AND p.state = 'credited' AND p.coins > 0
	UNION ALL SELECT b.referrer_id, c.charge_id || ' referral ' || (p.coins / 100) FROM star_charges c JOIN payments p ON p.charge_id = c.charge_id
		JOIN players b ON b.id = p.player_id WHERE c.refunded_at IS NOT NULL AND p.state = 'credited' AND p.coins >= 100 AND b.referrer_id IS NOT NULL`
