package models

import (
	"encoding/json"
	"time"

	"mcbk/game"
)

// Spin is a turn of the wheel.
type Spin struct {
	ID          int64
	PlayerID    PlayerID
	SeedID      int64
	Nonce       int64 // of the seed
	OddsVersion int
	Segment     int // of the wheel, 0 to 9
	Chest       int // place in the chest's table, or game.NoChest
	Golden      bool
	StreakEnd   *game.Day // of a golden spin, UTC day of the last spin before it
	State       SpinState
	SpunAt      time.Time
	SettledAt   *time.Time // UTC; when the spin was first paid, nil while pending
}

// storedFields are the fields of a spin in a stored answer; new ones come last.
func (s *Spin) storedFields() []any {
	return []any{&s.ID, &s.OddsVersion, &s.Segment, &s.Chest, &s.Golden, &s.State}
}

// MarshalJSON implements json.Marshaler, for stored answers.
func (s Spin) MarshalJSON() ([]byte, error) { return json.Marshal(s.storedFields()) }

// UnmarshalJSON implements json.Unmarshaler.
func (s *Spin) UnmarshalJSON(stored []byte) error {
	fields := s.storedFields()
	return json.Unmarshal(stored, &fields)
}

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

// Paid returns the coins and points that the spin has paid, or will pay without an ad.
func (s Spin) Paid() game.Reward {
	odds, drawn := s.Odds(), s.Drawn()
	paid := odds.Prize(drawn).Reward
	if s.State == SpinDoubled {
		extra := odds.Extra(drawn)
		paid.Coins, paid.Points = paid.Coins+extra.Coins, paid.Points+extra.Points
	}
	return paid
}
