package models

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"mcbk/game"
)

// Finding is an invariant that does not hold.
type Finding struct {
	Invariant string
	Players   []PlayerID // the first twenty it fails for
}

// invariants are queries that list the players for whom a rule is broken; none is right.
var invariants = []struct{ name, query string }{
	{"every balance equals the sum of its postings", balancesDiffer},
	{"no player account is below zero", `SELECT id FROM players WHERE balance_game < 0 OR balance_referral < 0
		OR balance_purchased < 0 OR balance_game_points < 0 OR balance_referral_points < 0 OR balance_mine < 0
		OR balance_spins < 0 OR balance_ad_spins < 0 ORDER BY id LIMIT 20`},
	{"every posting moves the asset of its accounts", wrongAsset()},
	{"no energy is spent beyond the day's", overspent()},
}

const balancesDiffer = `
WITH moved AS (
	SELECT player_id, destination AS account, amount FROM postings
	UNION ALL SELECT player_id, source, -amount FROM postings
), held AS (
	SELECT id AS player_id, 'game' AS account, balance_game AS amount FROM players
	UNION ALL SELECT id, 'referral', balance_referral FROM players
	UNION ALL SELECT id, 'purchased', balance_purchased FROM players
	UNION ALL SELECT id, 'game_points', balance_game_points FROM players
	UNION ALL SELECT id, 'referral_points', balance_referral_points FROM players
	UNION ALL SELECT id, 'mine', balance_mine FROM players
	UNION ALL SELECT id, 'spins', balance_spins FROM players
	UNION ALL SELECT id, 'ad_spins', balance_ad_spins FROM players
), difference AS (
	SELECT player_id, account, amount FROM held
	UNION ALL SELECT player_id, account, -amount FROM moved WHERE account NOT LIKE 'house:%'
)
SELECT player_id FROM difference GROUP BY player_id, account HAVING SUM(amount) <> 0 ORDER BY player_id LIMIT 20`

// wrongAsset lists players with a posting whose asset is not its account's.
func wrongAsset() string {
	var wrong []string
	for account, asset := range assetOf {
		wrong = append(wrong, fmt.Sprintf("('%s' IN (source, destination) AND asset <> '%s')", account, asset))
	}
	return "SELECT DISTINCT player_id FROM postings WHERE " + strings.Join(wrong, " OR ") + " ORDER BY player_id LIMIT 20"
}

// overspent lists players who used more energy in a day than their level gives.
func overspent() string {
	energy := "0"
	for _, level := range game.EnergyLevels {
		energy = fmt.Sprintf("CASE WHEN bag_spins >= %d THEN %d ELSE %s END", level.Spins, level.Energy, energy)
	}
	return "SELECT id FROM players WHERE bag_energy_spent > " + energy + " ORDER BY id LIMIT 20"
}

// Verify looks for broken invariants in one read-only snapshot, beside a running server.
func (s *Store) Verify(ctx context.Context) ([]Finding, error) {
	var findings []Finding
	err := s.snapshot(ctx, func(tx *gorm.DB) error {
		for _, rule := range invariants {
			var broken []PlayerID
			if err := tx.Raw(rule.query).Scan(&broken).Error; err != nil {
				return fmt.Errorf("check that %s: %w", rule.name, err)
			}
			if len(broken) > 0 {
				findings = append(findings, Finding{Invariant: rule.name, Players: broken})
			}
		}
		return nil
	})
	return findings, err
}

// snapshot runs fn on one unchanging view of the committed state.
func (s *Store) snapshot(ctx context.Context, fn func(tx *gorm.DB) error) error {
	tx := s.read.WithContext(ctx).Begin(s.dialect.snapshot())
	if tx.Error != nil {
		return explained(tx.Error)
	}
	defer tx.Rollback()
	if err := s.dialect.unhurried(tx); err != nil {
		return explained(err)
	}
	return explained(fn(tx))
}
