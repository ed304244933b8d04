package api

import (
	"context"

	"mcbk/game/advice"
	"mcbk/models/commit"
)

// GetPrediction returns the advice of the day.
func (s *Server) GetPrediction(ctx context.Context, _ GetPredictionRequestObject) (GetPredictionResponseObject, error) {
	p := player(ctx)
	today, err := s.store.Daily.Advice(ctx, commit.Caller{TelegramID: p.TelegramID, Operation: "GetPrediction"}, advice.Count(), s.options.Season, s.now())
	if err != nil {
		return nil, err
	}
	return GetPrediction200JSONResponse{
		ID: today.ID, Text: advice.Text(p.Language, today.TextNumber),
		RewardPoints: today.Pays(), CanDoubleWithAd: true,
	}, nil
}

// ClaimPrediction pays the points of today's advice.
func (s *Server) ClaimPrediction(ctx context.Context, request ClaimPredictionRequestObject) (ClaimPredictionResponseObject, error) {
	now := s.now()
	p, err := s.store.Daily.ClaimAdvice(ctx, callerOf(ctx, "ClaimPrediction"), request.Body.PredictionID, s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return ClaimPrediction200JSONResponse{User: s.user(p, now)}, nil
}

// DoublePrediction reports the ad's bonus on today's advice.
func (s *Server) DoublePrediction(ctx context.Context, request DoublePredictionRequestObject) (DoublePredictionResponseObject, error) {
	now := s.now()
	p, err := s.store.Daily.DoubledAdvice(ctx, player(ctx).ID, request.Body.PredictionID, now)
	if err != nil {
		return nil, err
	}
	return DoublePrediction200JSONResponse{User: s.user(p, now)}, nil
}
