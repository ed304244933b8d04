package api

import (
	"context"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/taps"
)

// GetEnergyStatus returns the bag as of now.
func (s *Server) GetEnergyStatus(ctx context.Context, _ GetEnergyStatusRequestObject) (GetEnergyStatusResponseObject, error) {
	return GetEnergyStatus200JSONResponse(s.energyStatus(player(ctx), s.now())), nil
}

// energyStatus renders a player's bag as of now, by the settings this process knows.
func (s *Server) energyStatus(p models.Player, now time.Time) EnergyInfo {
	p.Bag = p.Bag.At(now)
	return energyInfo(p, s.store.Settings.Cached().TapRules().TapRate)
}

// PerformBatchTap credits taps; a repeated batch gets its first answer, rebuilt from its posting.
func (s *Server) PerformBatchTap(ctx context.Context, request PerformBatchTapRequestObject) (PerformBatchTapResponseObject, error) {
	return s.tap(ctx, batchOf(ctx, request.Body.TotalTaps, request.Body.BatchID))
}

// batchOf returns a batch of the calling player; id may be nil.
func batchOf(ctx context.Context, sent int, id *string) taps.Batch {
	launch, _ := launchOf(ctx)
	batch := taps.Batch{TelegramID: launch.user.TelegramID, Sent: sent}
	if id != nil {
		batch.Key = *id
	}
	return batch
}

// tap credits a batch and renders the response, for both handlers.
func (s *Server) tap(ctx context.Context, batch taps.Batch) (PerformBatchTap200JSONResponse, error) {
	now := s.now()
	tapped, err := s.store.Taps.Tap(ctx, batch, s.options.Season, now)
	if err != nil {
		return PerformBatchTap200JSONResponse{}, err
	}
	user := s.user(tapped.Player, now)
	spins, adSpins := s.store.Wheel.SpinsAt(tapped.Player, s.options.Season, tapped.At) // the balances are as of that time
	user.Balance.DailySpins, user.Balance.AdSpins = int(spins), int(adSpins)
	return PerformBatchTap200JSONResponse{Accepted: tapped.Accepted, EnergyInfo: energyInfo(tapped.Player, tapped.Rate), User: user}, nil
}

// energyInfo renders a player's bag and the cost and reward of a tap.
func energyInfo(p models.Player, rate game.TapRate) EnergyInfo {
	bag := p.Bag
	level := bag.Level()
	_, more := level.Next()
	return EnergyInfo{
		AsOf: p.Revision, CurrentEnergy: bag.Energy(), MaxEnergy: level.Energy,
		EnergyPerTap: rate.Energy, MCBKPerTap: Coins(rate.Coins),
		LevelInfo: EnergyLevel{
			CurrentLevel: level.Level, IsMaxLevel: !more,
			SpinsToNextLevel: level.SpinsToNext(bag.Spins), ProgressToNext: level.Progress(bag.Spins),
		},
		TotalRouletteSpins: int64(bag.Spins),
	}
}
