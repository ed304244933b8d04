package api

import (
	"context"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// GetSettings returns the state of the season, and what its days pay.
func (s *Server) GetSettings(ctx context.Context, _ GetSettingsRequestObject) (GetSettingsResponseObject, error) {
	now := s.now()
	rewards := s.store.Settings.RuntimeSettings(ctx, now).CheckIn()
	days := db.MapSlice(rewards[:], func(reward game.Reward) StreakReward {
		return StreakReward{Coins: CoinAmount(reward.Coins), Points: reward.Points}
	})
	return GetSettings200JSONResponse{
		CurrentDay:     s.options.Season.Day(now),
		TotalDays:      game.SeasonDays,
		StartDate:      s.options.Season.Start,
		ServerTime:     now,
		CheckinRewards: days,
	}, nil
}

// GetConfig returns the settings that the web app may read before login.
func (s *Server) GetConfig(ctx context.Context, _ GetConfigRequestObject) (GetConfigResponseObject, error) {
	config, now := s.options.Config, s.now()
	settings := s.store.Settings.RuntimeSettings(ctx, now)
	config.Maintenance = s.store.Settings.InMaintenance(ctx, now)
	config.PayWith = db.MapSlice(s.options.Sales.paysWith(settings), func(c models.Currency) Currency { return Currency(c) })
	config.SalesEnabled = len(config.PayWith) > 0 && settings.Sales
	config.Ads.Enabled = config.Ads.Enabled && settings.Ads
	if name := s.options.BotUsername(); name != "" {
		config.BotUsername = &name
	}
	return GetConfig200JSONResponse(config), nil
}
