package game

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSevenDaysEarnGoldenSpin(t *testing.T) {
	var w Wheel
	for day := Day(100); day < 107; day++ {
		if w.Golden() {
			t.Errorf("golden before day %d", day)
		}
		w = w.Spun(day, false).Spun(day, false)
	}
	if !w.Golden() || w.StreakAt(106) != 7 {
		t.Fatalf("after seven days: %+v", w)
	}
	if later := w.Spun(120, false); !later.Golden() || later.StreakAt(200) != 7 {
		t.Errorf("what was earned is gone: %+v", later)
	}
	used := w.Spun(107, true)
	if used.Golden() || used.StreakAt(107) != 0 {
		t.Errorf("after the golden spin: %+v", used)
	}
	if same := used.Spun(107, false); same.Streak != 0 {
		t.Errorf("the day of the golden spin counts again: %+v", same)
	}
	if next := used.Spun(108, false); next.Streak != 1 {
		t.Errorf("the day after: %+v", next)
	}
}

// A golden spin is available exactly when seven consecutive days were not used yet.
func TestSpinStreakDependsOnlyOnDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w Wheel
		day, row, last := Day(100), 0, Day(0)
		for range rapid.IntRange(0, 60).Draw(t, "spins") {
			day += Day(rapid.SampledFrom([]int{0, 0, 1, 1, 1, 1, 1, 2}).Draw(t, "days later"))
			golden := w.Golden() && rapid.Bool().Draw(t, "golden")
			switch {
			case golden:
				row = 0
			case row >= 7:
			case day > last+1:
				row = 1
			case day > last:
				row++
			}
			last = day
			if w = w.Spun(day, golden); w.StreakAt(day) != row || w.StreakAt(day+1) != row || w.Golden() != (row >= 7) {
				t.Fatalf("on day %d: %+v, want %d in a row", day, w, row)
			}
			if missed := w.StreakAt(day + 2); missed != row/7*row { // only what was earned stays
				t.Fatalf("with a day missed after %+v: %d in a row", w, missed)
			}
		}
	})
}

// A program that counts no spins leaves the count of an earlier day.
func TestSpinsOfAnEarlierDayDoNotCount(t *testing.T) {
	w := Wheel{SpunDay: 101, SpinsToday: 10, CountedDay: 100}
	if w = w.Spun(101, false); w.SpinsToday != 1 || w.CountedDay != 101 {
		t.Errorf("counted %+v", w)
	}
	if w = w.Spun(100, false).Spun(101, false); w.SpinsToday != 2 {
		t.Errorf("counted %+v", w)
	}
}
