package models

import (
	"context"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// Look gives a player the spins of now's UTC day when they first look at the wheel on that day, and returns the player after that.
// It changes nothing outside of the season. (decision 0029: the wheel)
func (s *Store) Look(ctx context.Context, p Player, season game.Season, now time.Time) (Player, error) {
	if open := season.Open(now) == nil; p.hasLooked(now) || !open {
		return p, nil
	}
	free := s.RuntimeSettings(ctx, now).FreeSpins
	err := s.DB.inTx(ctx, func(tx *gorm.DB) error {
		return s.post(tx, []PlayerID{p.ID}, func(locked map[PlayerID]*Player, all *journal) error {
			if err := giveSpins(locked[p.ID], free, all, now); err != nil {
				return err
			}
			if _, _, err := s.renewedSeedsOf(tx, p.ID, now); err != nil { // seeds are drawn before there is a spin that needs them
				return err
			}
			p = *locked[p.ID]
			return nil
		})
	})
	return p, err
}

// giveSpins gives a locked player the spins of now's day, unless they have them already.
func giveSpins(p *Player, free int, all *journal, now time.Time) error {
	if p.hasLooked(now) {
		return nil
	}
	wheel := p.Wheel
	wheel.LookedDay = game.DayOf(now)
	setWheel(all, p, wheel)
	spins, adSpins := p.Balances.givenSpins(free)
	return all.record(p, entry{reference: spinsReference(wheel.LookedDay), memo: toldUnless(int64(free), game.FreeSpinsADay), moves: []move{
		{from: houseWheel, to: AccountSpins, asset: AssetSpin, amount: spins},
		{from: houseWheel, to: AccountAdSpins, asset: AssetAdSpin, amount: adSpins},
	}}, now)
}

// SpinsAt returns the spins and ad spins that a player has once they look, by the settings this process knows.
func (s *Store) SpinsAt(p Player, season game.Season, now time.Time) (spins, adSpins int64) {
	return p.spinsAt(season, s.knownSettings().FreeSpins, now)
}

// setWheel changes the wheel of a locked player, for whom an entry is recorded too.
func setWheel(j *journal, p *Player, wheel game.Wheel) {
	if p.Wheel != wheel {
		j.columns = wheelColumns
	}
	p.Wheel = wheel
}

func wheelColumns(players []*Player) []column {
	return []column{
		integers("wheel_looked_day", players, func(p *Player) game.Day { return p.Wheel.LookedDay }),
		integers("wheel_spun_day", players, func(p *Player) game.Day { return p.Wheel.SpunDay }),
		integers("wheel_streak", players, func(p *Player) int { return p.Wheel.Streak }),
		integers("wheel_won", players, func(p *Player) game.MicroMCBK { return p.Wheel.Won }),
	}
}
