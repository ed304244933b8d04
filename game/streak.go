package game

// GoldenStreak is how many UTC days in a row with a spin make a golden spin.
const GoldenStreak = 7

// Wheel is a player's record at the wheel. The zero Wheel is of a player who has never looked at it.
type Wheel struct {
	LookedDay Day       // UTC day whose free spins were given
	SpunDay   Day       // UTC day of the last spin
	Streak    int       // days in a row with a spin up to SpunDay, at most GoldenStreak
	Won       MicroMCBK // coins won, ever
}

// StreakAt is the streak as it stands on a day: a missed day ends it, unless a golden spin was earned.
func (w Wheel) StreakAt(today Day) int {
	if w.Golden() || today <= w.SpunDay+1 {
		return w.Streak
	}
	return 0
}

// Golden tells that a golden spin is there. It stays until it is used.
func (w Wheel) Golden() bool { return w.Streak >= GoldenStreak }

// Spun is the record after a spin on a day. A golden spin ends the streak, and its day counts for
// no other.
func (w Wheel) Spun(today Day, golden bool) Wheel {
	streak := w.StreakAt(today)
	switch {
	case golden:
		streak = 0
	case today > w.SpunDay && streak < GoldenStreak:
		streak++
	}
	w.SpunDay, w.Streak = max(today, w.SpunDay), streak
	return w
}
