package wheel

import (
	"context"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/ledger"
)

// GrantDailySpins gives a player the spins of now's UTC day at their first request about the wheel on that day, and returns the player
// after that. It changes nothing outside of the season. (decision 0029: the wheel)
func (s *Store) GrantDailySpins(ctx context.Context, p models.Player, season game.Season, now time.Time) (models.Player, error) {
	if open := season.Open(now) == nil; p.SpinsGranted(now) || !open {
		return p, nil
	}
	free := s.settings.RuntimeSettings(ctx, now).FreeSpins
	_, p, err := s.renewSeeds(ctx, p.TelegramID, "", now, func(c *commit.Scope) error { // before there is a spin that needs them
		return giveSpins(c.Player, free, &c.Tx, now)
	})
	return p, err
}

// giveSpins gives a locked player the spins of now's day, unless they have them already.
func giveSpins(p *models.Player, free int, all *ledger.Tx, now time.Time) error {
	if p.SpinsGranted(now) {
		return nil
	}
	p.Wheel.SpinsGrantedDay = game.DayOf(now)
	spins, adSpins := p.Balances.GivenSpins(free)
	return all.Record(p, ledger.Entry{Reference: ledger.SpinsReference(p.Wheel.SpinsGrantedDay), Memo: ledger.EncodeUnlessDefault(int64(free), game.FreeSpinsADay), Moves: []ledger.Move{
		{From: models.HouseWheel, To: models.AccountSpins, Asset: models.AssetSpin, Amount: spins},
		{From: models.HouseWheel, To: models.AccountAdSpins, Asset: models.AssetAdSpin, Amount: adSpins},
	}}, now)
}

// SpinsAt returns the spins and ad spins that a player has once those of the day are granted, by the settings this process knows.
func (s *Store) SpinsAt(p models.Player, season game.Season, now time.Time) (spins, adSpins int64) {
	return p.SpinsAt(season, s.settings.Cached().FreeSpins, now)
}
