package api

import (
	"context"

	"mcbk/game"
)

// GetCircleAdsStatus returns the state of today's loyalty bonus.
func (s *Server) GetCircleAdsStatus(ctx context.Context, _ GetCircleAdsStatusRequestObject) (GetCircleAdsStatusResponseObject, error) {
	p := player(ctx)
	loyalty := p.Loyalty
	today := loyalty.Day == game.DayOf(s.now())
	return GetCircleAdsStatus200JSONResponse{AsOf: p.Revision, IsEligible: today, RewardClaimed: today && loyalty.Claimed}, nil
}

// ClaimCircleAds pays today's loyalty bonus.
func (s *Server) ClaimCircleAds(ctx context.Context, _ ClaimCircleAdsRequestObject) (ClaimCircleAdsResponseObject, error) {
	now := s.now()
	p, err := s.store.Daily.ClaimLoyalty(ctx, callerOf(ctx, "ClaimCircleAds"), s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return ClaimCircleAds200JSONResponse{User: s.user(p, now)}, nil
}
