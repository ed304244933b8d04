package game_test

import (
	"slices"
	"testing"

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
	if !slices.Equal(game.EnergyLevels[:], energyTable) {
		t.Errorf("the levels are %+v, want %+v", game.EnergyLevels, energyTable)
	}
}

func TestSpinsReachLevelsAndProgressWithinThem(t *testing.T) {
	for _, c := range []struct {
		spins, level int
		progress     float64
		missing      int
	}{
		{0, 1, 0, 320},
		{160, 1, 0.5, 160},
		{319, 1, 319.0 / 320, 1},
		{320, 2, 0, 320},
		{639, 2, 319.0 / 320, 1},
		{640, 3, 0, 320},
		{959, 3, 319.0 / 320, 1},
		{960, 4, 0, 640},
		{1280, 4, 0.5, 320},
		{1599, 4, 639.0 / 640, 1},
		{1600, 5, 1, 0},
		{1 << 30, 5, 1, 0},
	} {
		level := game.LevelAt(c.spins)
		if progress, missing := level.Progress(c.spins), level.SpinsToNext(c.spins); level != energyTable[c.level-1] || progress != c.progress || missing != c.missing {
			t.Errorf("%d spins: %+v, progress %v and %d missing, want level %d, %v and %d", c.spins, level, progress, missing, c.level, c.progress, c.missing)
		}
		if next, more := level.Next(); more != (c.level < 5) || more && next != energyTable[c.level] {
			t.Errorf("after level %d comes %+v, %t", c.level, next, more)
		}
	}
}
