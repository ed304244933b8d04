package models

import (
	"time"

	"mcbk/game"
)

// Spin is a turn of the wheel.
type Spin struct {
	ID          int64      `json:"i"`
	PlayerID    PlayerID   `json:"-"`
	SeedID      int64      `json:"-"`
	Nonce       int64      `json:"-"` // of the seed
	OddsVersion int        `json:"o"`
	Segment     int        `json:"s"` // of the wheel, 0 to 9
	Chest       int        `json:"c"` // place in the chest's table, or game.NoChest
	Golden      bool       `json:"g,omitempty"`
	StreakEnd   *game.Day  `json:"-"` // of a golden spin, UTC day of the last spin before it
	State       SpinState  `json:"t"`
	SpunAt      time.Time  `json:"-"`
	SettledAt   *time.Time `json:"-"` // UTC; when the spin was first paid, nil while pending
}

// TableName implements schema.Tabler.
func (Spin) TableName() string { return "spins" }

// SpinState is the state of a spin.
type SpinState string

// A prize of coins is credited at once; any other is pending until it is claimed or doubled, or paid with the next spin or after 24
// hours. Doubled also follows claimed, and credited if the spin was golden.
const (
	SpinCredited SpinState = "credited"
	SpinPending  SpinState = "pending"
	SpinClaimed  SpinState = "claimed"
	SpinDoubled  SpinState = "doubled"
)

// SpinSteps are the states that follow each state of a spin.
var SpinSteps = Steps[SpinState]{
	SpinCredited: {SpinDoubled},
	SpinPending:  {SpinClaimed, SpinDoubled},
	SpinClaimed:  {SpinDoubled},
}

// Drawn returns where the spin stopped.
func (s Spin) Drawn() game.Spin {
	return game.Spin{Outcome: game.Outcome{Segment: s.Segment, Chest: s.Chest}, Golden: s.Golden}
}

// Odds returns the odds that the spin was made under.
func (s Spin) Odds() game.Odds {
	odds, _ := game.OddsOf(s.OddsVersion) // verify reports a version that never existed
	return odds
}
