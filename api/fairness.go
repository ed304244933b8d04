package api

import (
	"context"
	"encoding/hex"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/wheel"
)

// GetFairness returns the odds, the hashes of current seeds and the retired seeds.
func (s *Server) GetFairness(ctx context.Context, request GetFairnessRequestObject) (GetFairnessResponseObject, error) {
	page := pageOf(request.Params.Limit, request.Params.Offset)
	f, err := s.store.Wheel.Fairness(ctx, player(ctx), page, s.now())
	if err != nil {
		return nil, err
	}
	f.More = goesOn(f.More, page)
	return GetFairness200JSONResponse(fairness(f)), nil
}

// SetClientSeed replaces the current server seed by a new one, combined with the player's client seed.
func (s *Server) SetClientSeed(ctx context.Context, request SetClientSeedRequestObject) (SetClientSeedResponseObject, error) {
	f, err := s.store.Wheel.SetClientSeed(ctx, player(ctx), request.Body.ClientSeed, pageOf(nil, nil), s.now())
	if err != nil {
		return nil, err
	}
	return SetClientSeed200JSONResponse(fairness(f)), nil
}

func fairness(f wheel.Fairness) Fairness {
	odds := game.CurrentOdds()
	answer := Fairness{
		ServerSeedHash: f.Present.Hash(), NextServerSeedHash: f.Next.Hash(),
		ClientSeed: f.Present.ClientSeed, Nonce: f.Present.Nonce,
		Retired: db.MapSlice(f.Retired, retiredSeed), HasMore: f.More,
	}
	for _, segment := range odds.Wheel {
		answer.Odds = append(answer.Odds, SpinOdds{SpinType(segment.Type), segment.Weight})
	}
	for _, content := range odds.Chest {
		answer.ChestOdds = append(answer.ChestOdds, ChestOdds{ChestType(content.Type), content.Weight})
	}
	return answer
}

func retiredSeed(seed wheel.RetiredSeed) RetiredSeed {
	return RetiredSeed{
		ServerSeed: hex.EncodeToString(seed.Seed), ServerSeedHash: seed.Hash(), ClientSeed: seed.ClientSeed,
		RetiredAt: seed.RetiredAt.UTC(), Spins: db.MapSlice(seed.Spins, pastSpin),
	}
}

func pastSpin(spin models.Spin) PastSpin {
	odds := spin.Odds()
	past := PastSpin{
		SpinID: spin.ID, Nonce: spin.Nonce, Segment: spin.Segment, Type: SpinType(odds.Wheel[spin.Segment].Type),
		IsGolden: spin.Golden, CreatedAt: spin.SpunAt.UTC(),
	}
	if spin.Chest != game.NoChest {
		past.ChestType = new(ChestType(odds.Chest[spin.Chest].Type))
	}
	return past
}
