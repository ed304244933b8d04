package api

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/store"
)

// GetRouletteStatus returns the spins and the streak; the first request of a day grants its free spins.
func (s *Server) GetRouletteStatus(ctx context.Context, _ GetRouletteStatusRequestObject) (GetRouletteStatusResponseObject, error) {
	now := s.now()
	p, err := s.store.Wheel.GrantDailySpins(ctx, player(ctx), s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return GetRouletteStatus200JSONResponse(s.rouletteStatus(p, now)), nil
}

// rouletteStatus renders the spins, those of the day included, and the streak.
func (s *Server) rouletteStatus(p models.Player, now time.Time) RouletteStatus {
	spins, adSpins := s.store.Wheel.SpinsAt(p, s.options.Season, now)
	today := game.DayOf(now)
	return RouletteStatus{
		AsOf: p.Revision, DailySpins: int(spins), AdSpins: int(adSpins),
		SpinStreak: p.Wheel.StreakAt(today), SpunToday: p.Wheel.SpunDay >= today, IsGoldenSpinAvailable: p.Wheel.Golden(),
	}
}

// Spin turns the wheel. A repeated request gets the first spin and does not count against the limit.
func (s *Server) Spin(ctx context.Context, request SpinRequestObject) (SpinResponseObject, error) {
	now, by := s.now(), callerOf(ctx, "Spin")
	if err := s.limits.take(ctx, spinsOfPlayer, strconv.FormatInt(by.TelegramID, 10)); err != nil && !isRepeated(ctx, s.store, by) {
		return nil, err
	}
	spin, p, err := s.store.Wheel.TurnWheel(ctx, by, *request.Body.IsGoldenSpinRequested, s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return Spin200JSONResponse{
		SpinID: spin.ID, Status: SpinStatus(spin.State), Reward: spinReward(spin),
		User: s.user(p, now), Roulette: s.rouletteStatus(p, now), Energy: s.energyStatus(p, now),
	}, nil
}

// isRepeated reports whether a command's answer is stored.
func isRepeated(ctx context.Context, stores *store.Store, by commit.Caller) bool {
	p, err := stores.Players.PlayerByTelegramID(ctx, by.TelegramID)
	if err != nil || by.Key == "" {
		return false
	}
	known, err := stores.Commit.Answered(ctx, p.ID, by.Key)
	return known && err == nil
}

// ClaimSpinReward pays a pending prize as it is.
func (s *Server) ClaimSpinReward(ctx context.Context, request ClaimSpinRewardRequestObject) (ClaimSpinRewardResponseObject, error) {
	now := s.now()
	p, err := s.store.Wheel.ClaimSpin(ctx, callerOf(ctx, "ClaimSpinReward"), request.Body.SpinID, s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return ClaimSpinReward200JSONResponse{User: s.user(p, now), Roulette: s.rouletteStatus(p, now), Energy: s.energyStatus(p, now)}, nil
}

// ClaimChestReward pays a pending chest as it is, or reports the ad's bonus.
func (s *Server) ClaimChestReward(ctx context.Context, request ClaimChestRewardRequestObject) (ClaimChestRewardResponseObject, error) {
	now := s.now()
	claim := func() (models.Spin, models.Player, error) {
		if *request.Body.WatchAd {
			return s.store.Wheel.DoubledChest(ctx, player(ctx).ID, request.Body.SpinID, now)
		}
		return s.store.Wheel.ClaimChest(ctx, callerOf(ctx, "ClaimChestReward"), request.Body.SpinID, s.options.Season, now)
	}
	spin, p, err := claim()
	if err != nil {
		return nil, err
	}
	return ClaimChestReward200JSONResponse{Reward: spinReward(spin), User: s.user(p, now), Roulette: s.rouletteStatus(p, now), Energy: s.energyStatus(p, now)}, nil
}

// watchesAd reports whether the body of claimChestReward asks for the ad's bonus.
func watchesAd(body []byte) bool {
	var chest ClaimChestRewardJSONRequestBody
	return json.Unmarshal(body, &chest) == nil && chest.WatchAd != nil && *chest.WatchAd
}

// DoubleSpinReward reports the ad's multiplication of a prize.
func (s *Server) DoubleSpinReward(ctx context.Context, request DoubleSpinRewardRequestObject) (DoubleSpinRewardResponseObject, error) {
	now := s.now()
	_, p, err := s.store.Wheel.DoubledSpin(ctx, player(ctx).ID, request.Body.SpinID, now)
	if err != nil {
		return nil, err
	}
	return DoubleSpinReward200JSONResponse{User: s.user(p, now), Roulette: s.rouletteStatus(p, now), Energy: s.energyStatus(p, now)}, nil
}

// TakeAdSpin reports the ad's free spin.
func (s *Server) TakeAdSpin(ctx context.Context, _ TakeAdSpinRequestObject) (TakeAdSpinResponseObject, error) {
	now := s.now()
	p, err := s.store.Wheel.TakenAdSpin(ctx, player(ctx).ID, s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return TakeAdSpin200JSONResponse{BonusPoints: game.AdSpinPoints, User: s.user(p, now), Roulette: s.rouletteStatus(p, now), Energy: s.energyStatus(p, now)}, nil
}

// spinReward renders a spin's prize, including the ad's multiplication.
func spinReward(spin models.Spin) SpinReward {
	odds, drawn := spin.Odds(), spin.Drawn()
	prize, times, double := odds.Prize(drawn), drawn.Times(), odds.WithAd(drawn) > 1
	switch spin.State {
	case models.SpinDoubled:
		prize, times, double = prize.Times(odds.WithAd(drawn)), times*odds.WithAd(drawn), false
	case models.SpinClaimed:
		double = false
	}
	reward := SpinReward{
		Type: SpinType(odds.Wheel[drawn.Segment].Type), Segment: drawn.Segment,
		IsGolden: drawn.Golden, Multiplier: int(times), CanDoubleWithAd: double,
	}
	coins := Coins(prize.Coins)
	switch {
	case drawn.Chest != game.NoChest:
		reward.Chest = &Chest{
			Type: ChestType(odds.Chest[drawn.Chest].Type), Spins: int(prize.Spins),
			Coins: coins, Points: prize.Points, CanDoubleWithAd: double,
		}
	case reward.Type == game.BonusSpinType:
		reward.BonusSpin = new(true)
		reward.AdditionalReward = &AdditionalReward{Coins: coins, Points: prize.Points}
	case prize.Points > 0:
		reward.Points = &prize.Points
	default:
		reward.Coins = &coins
	}
	return reward
}
