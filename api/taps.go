package api

import (
	"context"

	"mcbk/game"
	"mcbk/models"
)

// GetEnergyStatus shows the bag as it stands now.
func (s *Server) GetEnergyStatus(ctx context.Context, _ GetEnergyStatusRequestObject) (GetEnergyStatusResponseObject, error) {
	return GetEnergyStatus200JSONResponse(energyInfo(player(ctx).Bag.At(s.now()))), nil
}

// PerformBatchTap credits taps; a batch that comes again gets its first answer.
func (s *Server) PerformBatchTap(ctx context.Context, request PerformBatchTapRequestObject) (PerformBatchTapResponseObject, error) {
	batch := models.TapBatch{Player: player(ctx).ID, Sent: request.Body.TotalTaps}
	if request.Body.BatchID != nil {
		batch.Key = *request.Body.BatchID
	}
	now := s.now()
	tapped, err := s.store.Tap(ctx, batch, s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return PerformBatchTap200JSONResponse{
		Accepted:   tapped.Accepted,
		EnergyInfo: energyInfo(tapped.Player.Bag),
		User:       s.user(tapped.Player, now),
	}, nil
}

// energyInfo renders a bag.
func energyInfo(bag game.Bag) EnergyInfo {
	level := bag.Level()
	_, more := level.Next()
	return EnergyInfo{
		CurrentEnergy: bag.Energy(), MaxEnergy: level.Energy,
		EnergyPerTap: game.EnergyPerTap, MCBKPerTap: Coins(game.CoinsPerTap),
		LevelInfo: EnergyLevel{
			CurrentLevel: level.Level, IsMaxLevel: !more,
			SpinsToNextLevel: level.SpinsToNext(bag.Spins), ProgressToNext: level.Progress(bag.Spins),
		},
		TotalRouletteSpins: int64(bag.Spins),
	}
}
