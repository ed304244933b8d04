package api

import (
	"context"
	"crypto/subtle"

	"github.com/gin-gonic/gin"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
)

// Ads configures rewarded ads.
type Ads struct {
	BlockID string   // the network's unit; empty without ads
	Hosts   []string // origins of the network's script
	Secret  string   // of the network's callback; empty refuses every callback
	Trusted bool     // the app confirms, for networks without a callback
}

// adCallbackPath is the ad network's callback.
const adCallbackPath = basePath + "/ads/reward"

// isNetwork reports whether key is the network's secret; false without a secret.
func (a Ads) isNetwork(key string) bool {
	secret := []byte(a.Secret)
	return len(secret) > 0 && subtle.ConstantTimeCompare([]byte(key), secret) == 1
}

// checkAdSecret refuses callbacks without the network's secret, before any other check.
func (g *gateway) checkAdSecret(c *gin.Context) {
	if c.FullPath() == adCallbackPath && !g.options.Ads.isNetwork(c.Query("key")) {
		g.fail(c, game.Refuse(unauthorized))
	}
}

// StartAd opens a ticket for an ad.
func (s *Server) StartAd(ctx context.Context, request StartAdRequestObject) (StartAdResponseObject, error) {
	p := player(ctx)
	if err := p.CanRequest(); err != nil {
		return nil, err
	}
	if s.options.Ads.BlockID == "" {
		return nil, switchedOff("ads")
	}
	var target int64
	switch purpose := models.AdPurpose(request.Body.Purpose); {
	case request.Body.TargetID != nil:
		target = *request.Body.TargetID
	case purpose == models.AdRoulette:
		return nil, invalid("target_id", "is missing: the spin's id")
	}
	ticket, err := s.store.Ads.StartAd(ctx, p.ID, models.AdPurpose(request.Body.Purpose), target, s.options.Season, s.now())
	if err != nil {
		return nil, err
	}
	return StartAd200JSONResponse{Ticket: ticket.Ticket, BlockID: s.options.Ads.BlockID, ExpiresAt: ticket.ExpiresAt()}, nil
}

// CompleteAd reports whether a ticket is confirmed; if the app is trusted, it confirms the ticket.
func (s *Server) CompleteAd(ctx context.Context, request CompleteAdRequestObject) (CompleteAdResponseObject, error) {
	p := player(ctx)
	if err := p.CanRequest(); err != nil {
		return nil, err
	}
	confirmed, err := s.store.Ads.CompleteAd(ctx, p.ID, request.Body.Ticket, s.options.Ads.Trusted && s.options.Ads.BlockID != "", s.now())
	if err != nil {
		return nil, err
	}
	return CompleteAd200JSONResponse{Confirmed: confirmed}, nil
}

// RewardAd accepts the ad network's confirmation; checkAdSecret has checked the secret. An unknown ticket gets the same response, so
// that the network does not retry.
func (s *Server) RewardAd(ctx context.Context, request RewardAdRequestObject) (RewardAdResponseObject, error) {
	callback := ads.AdCallback{TelegramID: request.Params.UserID}
	if request.Params.Ticket != nil {
		callback.Ticket = *request.Params.Ticket
	}
	ticket, settled, err := s.store.Ads.ConfirmAd(ctx, callback, s.now())
	if err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "ad confirmed by the network", "telegram_id", callback.TelegramID,
		"settled", settled, "purpose", ticket.Purpose, "paid", ticket.Paid)
	return RewardAd200TextResponse("ok"), nil
}
