package api

import (
	"context"

	"mcbk/game"
	"mcbk/models"
)

// GetEnergyStatus shows the bag as it stands now.
func (s *Server) GetEnergyStatus(ctx context.Context, _ GetEnergyStatusRequestObject) (GetEnergyStatusResponseObject, error) {
	now := s.now()
	return GetEnergyStatus200JSONResponse(energyInfo(player(ctx).Bag.At(now), s.store.Knobs(ctx, now).TapRules().TapRate)), nil
}

// PerformBatchTap credits taps; a batch that comes again gets its first answer.
func (s *Server) PerformBatchTap(ctx context.Context, request PerformBatchTapRequestObject) (PerformBatchTapResponseObject, error) {
	launch, _ := ctx.Value(launchKey).(launchData)
	batch := models.TapBatch{TelegramID: launch.arrival.TelegramID, Sent: request.Body.TotalTaps}
	if request.Body.BatchID != nil {
		batch.Key = *request.Body.BatchID
		batch.Keyed = request.Params.IdempotencyKey != nil && *request.Params.IdempotencyKey == batch.Key
	}
	return s.tap(ctx, batch)
}

// tap credits a batch and renders the answer, for both ways in.
func (s *Server) tap(ctx context.Context, batch models.TapBatch) (PerformBatchTap200JSONResponse, error) {
	now := s.now()
	tapped, err := s.store.Tap(ctx, batch, s.options.Season, now)
	if err != nil {
		return PerformBatchTap200JSONResponse{}, err
	}
	return PerformBatchTap200JSONResponse{
		Accepted:   tapped.Accepted,
		EnergyInfo: energyInfo(tapped.Player.Bag, tapped.Rate),
		User:       s.user(tapped.Player, now),
	}, nil
}

// energyInfo renders a bag and what a tap on it takes and earns.
func energyInfo(bag game.Bag, rate game.TapRate) EnergyInfo {
	level := bag.Level()
	_, more := level.Next()
	return EnergyInfo{
		CurrentEnergy: bag.Energy(), MaxEnergy: level.Energy,
		EnergyPerTap: rate.Energy, MCBKPerTap: Coins(rate.Coins),
		LevelInfo: EnergyLevel{
			CurrentLevel: level.Level, IsMaxLevel: !more,
			SpinsToNextLevel: level.SpinsToNext(bag.Spins), ProgressToNext: level.Progress(bag.Spins),
		},
		TotalRouletteSpins: int64(bag.Spins),
	}
}
