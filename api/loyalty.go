package api

import "context"

// GetCircleAdsStatus returns the state of today's loyalty bonus.
func (s *Server) GetCircleAdsStatus(ctx context.Context, _ GetCircleAdsStatusRequestObject) (GetCircleAdsStatusResponseObject, error) {
	loyalty, err := s.store.Daily.Loyalty(ctx, player(ctx).ID, s.now())
	if err != nil {
		return nil, err
	}
	return GetCircleAdsStatus200JSONResponse{IsEligible: loyalty.Eligible, RewardClaimed: loyalty.Claimed}, nil
}

// ClaimCircleAds pays today's loyalty bonus.
func (s *Server) ClaimCircleAds(ctx context.Context, _ ClaimCircleAdsRequestObject) (ClaimCircleAdsResponseObject, error) {
	now := s.now()
	p, err := s.store.Daily.ClaimLoyalty(ctx, player(ctx).ID, s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return ClaimCircleAds200JSONResponse{User: s.user(p, now)}, nil
}
