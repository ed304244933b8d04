package api

import (
	"context"
	"errors"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// GetRecap returns the player's season so far.
func (s *Server) GetRecap(ctx context.Context, _ GetRecapRequestObject) (GetRecapResponseObject, error) {
	p := player(ctx)
	if err := s.limits.take(ctx, historiesOfPlayer, who(p)); err != nil {
		return nil, err
	}
	recap, err := s.store.Players.Recap(ctx, p)
	if err != nil {
		return nil, err
	}
	answer := GetRecap200JSONResponse{
		Days: recap.Days, Taps: recap.Taps, MCBK: Coins(recap.Coins), Friends: recap.Friends,
		BestWinMCBK: Coins(recap.BestWin.Coins), BestWinPoints: recap.BestWin.Points,
	}
	if recap.Rank > 0 {
		answer.Rank = &recap.Rank
	}
	return answer, nil
}

// SendCard has the bot send a picture of the player's season or tournament.
func (s *Server) SendCard(ctx context.Context, request SendCardRequestObject) (SendCardResponseObject, error) {
	p, now := player(ctx), s.now()
	if err := p.CanRequest(); err != nil {
		return nil, err
	}
	var tournament int64
	if request.Body.Of == CardSubjectTournament {
		mines, err := s.store.Mines.Mines(ctx, p.ID, now)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return nil, err
		}
		if mineResult(mines) == nil || mines.Miner.Ore == 0 {
			return nil, game.Refuse(models.NotEligible)
		}
		tournament = mines.ID
	}
	if err := s.store.Outbox.QueueCard(ctx, p, string(request.Body.Of), tournament, now); err != nil {
		return nil, err
	}
	return SendCard202JSONResponse{Queued: true}, nil
}
