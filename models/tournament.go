package models

import (
	"time"

	"mcbk/game"
)

// Tournament is a tournament in the mines.
type Tournament struct {
	ID              int64
	game.Tournament `gorm:"embedded"`
	FinalAt         *time.Time // UTC; nil until its ranks are known and its ore is paid
	AwardedAt       *time.Time // UTC; nil until an admin has confirmed its prizes

	LeastPrizeOre *game.MicroMCBK // that a prize needs, set at the closing; nil after that means the default
}

// PrizeNeeds returns the ore that a prize needs: as of the closing or, before that, what admins have set.
func (t Tournament) PrizeNeeds(least game.MicroMCBK) game.MicroMCBK {
	if t.State == game.TournamentScheduled || t.State == game.TournamentRunning {
		return least
	}
	return t.PrizeNeeded()
}

// PrizeNeeded returns the ore that a prize of a closed tournament needs.
func (t Tournament) PrizeNeeded() game.MicroMCBK {
	if t.LeastPrizeOre != nil {
		return *t.LeastPrizeOre
	}
	return game.LeastPrizeOre // of one that closed before it was stored
}

// TournamentSteps are the states that follow each state of a tournament.
var TournamentSteps = Steps[game.TournamentState]{
	game.TournamentScheduled: {game.TournamentRunning, game.TournamentClosed},
	game.TournamentRunning:   {game.TournamentClosed},
	game.TournamentClosed:    {game.TournamentFinal},
	game.TournamentFinal:     {game.TournamentAwarded},
}
