package api

import (
	"context"
	"time"

	"mcbk/game"
	"mcbk/models"
)

// CheckIn pays the reward of the day, or returns {} if it was paid before.
func (s *Server) CheckIn(ctx context.Context, _ CheckInRequestObject) (CheckInResponseObject, error) {
	now := s.now()
	paid, p, err := s.store.Daily.CheckIn(ctx, callerOf(ctx, "CheckIn"), s.options.Season, now)
	if err != nil {
		return nil, err
	}
	if !paid {
		return CheckIn200JSONResponse{}, nil
	}
	reward := dailyReward(p, now)
	return CheckIn200JSONResponse{&CheckedIn{
		Streak: reward.Streak, TotalDaysInGame: reward.TotalDaysInGame, BonusCoin: reward.BonusCoin, BonusPoints: reward.BonusPoints,
		CanDoubleWithAd: reward.CanDoubleWithAd, User: s.user(p, now),
	}}, nil
}

// DoubleDailyReward reports the ad's bonus on a check-in.
func (s *Server) DoubleDailyReward(ctx context.Context, _ DoubleDailyRewardRequestObject) (DoubleDailyRewardResponseObject, error) {
	now := s.now()
	extra, p, err := s.store.Daily.DoubledCheckIn(ctx, player(ctx).ID, s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return DoubleDailyReward200JSONResponse{
		BonusCoin: Coins(extra.Coins), BonusPoints: extra.Points, User: s.user(p, now),
	}, nil
}

// toBeDoubled returns today's reward while it can be doubled, else nil.
func toBeDoubled(p models.Player, now time.Time) *DailyReward {
	if !p.Visits.MayDouble(game.DayOf(now)) {
		return nil
	}
	reward := dailyReward(p, now)
	return &reward
}

// dailyReward returns the reward of the player's last check-in.
func dailyReward(p models.Player, now time.Time) DailyReward {
	reward := p.Visits.Paid()
	return DailyReward{
		Streak: p.Visits.Streak, TotalDaysInGame: p.Visits.Total,
		BonusCoin: Coins(reward.Coins), BonusPoints: reward.Points,
		CanDoubleWithAd: p.Visits.MayDouble(game.DayOf(now)),
	}
}
