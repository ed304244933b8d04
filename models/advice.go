package models

import (
	"time"

	"mcbk/game"
)

// Advice is a player's advice of a UTC day.
type Advice struct {
	ID         int64
	PlayerID   PlayerID
	Day        game.Day
	TextNumber int // in the list of each language
	State      AdviceState
	Points     int64 // that it pays if not the default; else 0
	OfferedAt  time.Time
	SettledAt  *time.Time // UTC; when it was first claimed or doubled
}

// TableName implements schema.Tabler.
func (Advice) TableName() string { return "predictions" }

// AdviceState is the state of an advice.
type AdviceState string

// An offered advice is claimed or doubled on its day, or expires. One claimed while an ad was
// under way is doubled by that ad's confirmation.
const (
	AdviceOffered AdviceState = "offered"
	AdviceClaimed AdviceState = "claimed"
	AdviceDoubled AdviceState = "doubled"
	AdviceExpired AdviceState = "expired"
)

// AdviceSteps are the states that follow each state of an advice.
var AdviceSteps = Steps[AdviceState]{
	AdviceOffered: {AdviceClaimed, AdviceDoubled, AdviceExpired},
	AdviceClaimed: {AdviceDoubled},
	AdviceExpired: {AdviceClaimed, AdviceDoubled},
}

// Pays returns how many points the advice pays.
func (a Advice) Pays() int64 {
	if a.Points == 0 {
		return game.AdvicePoints
	}
	return a.Points
}
