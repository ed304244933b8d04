package game

// GoldenStreak is the number of consecutive UTC days with a spin for a golden spin.
const GoldenStreak = 7

// Wheel is a player's record at the wheel.
type Wheel struct {
	SpinsGrantedDay Day       `gorm:"column:looked_day"` // UTC day of the latest daily spins
	SpunDay         Day       // UTC day of the last spin
	Streak          int       // consecutive days with a spin up to SpunDay, at most GoldenStreak
	Won             MicroMCBK // coins won, ever
	SpinsToday      int       // spins on CountedDay
	CountedDay      Day       // UTC day of the newest spin that was counted: a program that counts none moves only SpunDay
}

// StreakAt returns the streak as of a day: a missed day ends it, unless a golden spin was earned.
func (w Wheel) StreakAt(today Day) int {
	if w.Golden() || today <= w.SpunDay+1 {
		return w.Streak
	}
	return 0
}

// Golden reports whether a golden spin is available; it remains until used.
func (w Wheel) Golden() bool { return w.Streak >= GoldenStreak }

// Spun returns the record after a spin. A golden spin ends the streak, and its day does not count towards the next one. A spin before
// CountedDay, by a clock that is behind, is none of that day's.
func (w Wheel) Spun(today Day, golden bool) Wheel {
	streak := w.StreakAt(today)
	switch {
	case golden:
		streak = 0
	case today > w.SpunDay && streak < GoldenStreak:
		streak++
	}
	if today > w.CountedDay {
		w.CountedDay, w.SpinsToday = today, 0
	}
	if today == w.CountedDay {
		w.SpinsToday++
	}
	w.SpunDay, w.Streak = max(today, w.SpunDay), streak
	return w
}
