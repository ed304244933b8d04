package admin

import (
	"context"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Figures are the game's totals.
type Figures struct {
	Players     int64
	Consented   int64
	Banned      int64
	ActiveToday int64 // players who tapped since 00:00 UTC
	TapsToday   int64 // accepted taps
	Held        models.Balances
}

// Figures counts players, today's taps and what all players hold together.
func (s *Store) Figures(ctx context.Context, now time.Time) (Figures, error) {
	var f Figures
	today, held := game.DayOf(now), &f.Held
	err := s.db.Read(ctx).Raw(`SELECT COUNT(*), COUNT(consented_at), COUNT(banned_at),
		COUNT(CASE WHEN bag_day = ? AND bag_taps_today > 0 THEN 1 END),
		CAST(COALESCE(SUM(CASE WHEN bag_day = ? THEN bag_taps_today END), 0) AS BIGINT),
		CAST(COALESCE(SUM(balance_game), 0) AS BIGINT), CAST(COALESCE(SUM(balance_referral), 0) AS BIGINT),
		CAST(COALESCE(SUM(balance_purchased), 0) AS BIGINT), CAST(COALESCE(SUM(balance_game_points), 0) AS BIGINT),
		CAST(COALESCE(SUM(balance_referral_points), 0) AS BIGINT), CAST(COALESCE(SUM(balance_mine), 0) AS BIGINT),
		CAST(COALESCE(SUM(balance_spins), 0) AS BIGINT), CAST(COALESCE(SUM(balance_ad_spins), 0) AS BIGINT)
		FROM players`, today, today).Row().Scan(
		&f.Players, &f.Consented, &f.Banned, &f.ActiveToday, &f.TapsToday,
		&held.Game, &held.Referral, &held.Purchased, &held.GamePoints, &held.ReferralPoints, &held.Mine, &held.Spins, &held.AdSpins,
	)
	return f, db.WrapUnavailable(db.Wrap(err, "count the players"))
}
