package game_test

import (
	"testing"

	"pgregory.net/rapid"

	"mcbk/game"
)

// spec §3, Energy levels
var energyTable = []game.EnergyLevel{
	{Level: 1, Energy: 1000, Spins: 0},
	{Level: 2, Energy: 2000, Spins: 320},
	{Level: 3, Energy: 3000, Spins: 640},
	{Level: 4, Energy: 4000, Spins: 960},
	{Level: 5, Energy: 5000, Spins: 1600},
}

func TestEnergyLevelsMatchSpecification(t *testing.T) {
	if len(game.EnergyLevels) != len(energyTable) {
		t.Fatalf("%d levels, want %d", len(game.EnergyLevels), len(energyTable))
	}
	for i, want := range energyTable {
		if got := game.EnergyLevels[i]; got != want {
			t.Errorf("level %d is %+v, want %+v", i+1, got, want)
		}
	}
}

func TestLevelIsReachedAtItsLastSpin(t *testing.T) {
	for spins, level := range map[int]int{
		0: 1, 319: 1, 320: 2, 321: 2, 639: 2, 640: 3, 959: 3, 960: 4, 1599: 4, 1600: 5, 1601: 5, 1 << 30: 5,
	} {
		if got := game.LevelAt(spins); got != energyTable[level-1] {
			t.Errorf("%d spins reach %+v, want level %d", spins, got, level)
		}
	}
}

func TestHighestLevelHasNoNext(t *testing.T) {
	for i, level := range energyTable {
		next, more := level.Next()
		if highest := i == len(energyTable)-1; more == highest || (more && next != energyTable[i+1]) {
			t.Errorf("after level %d comes %+v, %t", level.Level, next, more)
		}
	}
}

func TestProgressRunsFromZeroToOneWithinALevel(t *testing.T) {
	for _, c := range []struct {
		spins    int
		progress float64
		missing  int
	}{
		{0, 0, 320},
		{160, 0.5, 160},
		{319, 319.0 / 320, 1},
		{320, 0, 320},
		{480, 0.5, 160},
		{639, 319.0 / 320, 1},
		{640, 0, 320},
		{960, 0, 640},
		{1280, 0.5, 320},
		{1599, 639.0 / 640, 1},
		{1600, 1, 0},
		{5000, 1, 0},
	} {
		level := game.LevelAt(c.spins)
		if progress, missing := level.Progress(c.spins), level.SpinsToNext(c.spins); progress != c.progress || missing != c.missing {
			t.Errorf("%d spins: progress %v and %d missing, want %v and %d", c.spins, progress, missing, c.progress, c.missing)
		}
	}
}

func TestMoreSpinsNeverTakeALevelAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spins := rapid.IntRange(0, 4000).Draw(t, "spins")
		more := spins + rapid.IntRange(0, 4000).Draw(t, "more")
		level, later := game.LevelAt(spins), game.LevelAt(more)
		if later.Level < level.Level || later.Energy < level.Energy {
			t.Errorf("%d spins reach level %d, %d only %d", spins, level.Level, more, later.Level)
		}
		progress := level.Progress(spins)
		if progress < 0 || progress > 1 {
			t.Errorf("progress %v at %d spins", progress, spins)
		}
		if next, ok := level.Next(); ok && game.LevelAt(spins+level.SpinsToNext(spins)) != next {
			t.Errorf("%d spins and the %d missing do not reach level %d", spins, level.SpinsToNext(spins), next.Level)
		}
	})
}
