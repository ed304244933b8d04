package game_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcbk/game"
)

// For any batches of a day, a task is completed by exactly one of them, if their sum reaches the target.
func TestExactlyOneBatchReachesTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		task := game.TaskTerms{
			Action: rapid.SampledFrom([]game.TaskAction{game.TapCount, game.EnergySpend, game.RouletteSpin}).Draw(t, "action"),
			Target: rapid.Int64Range(1, 700).Draw(t, "target"),
		}
		counted := func(n int) game.DayCounts { // the others count twice as fast
			counts := game.DayCounts{Taps: 2 * n, EnergySpent: 2 * n, Spins: 2 * n}
			*map[game.TaskAction]*int{game.TapCount: &counts.Taps, game.EnergySpend: &counts.EnergySpent, game.RouletteSpin: &counts.Spins}[task.Action] = n
			return counts
		}
		done, reached := 0, 0
		for _, batch := range rapid.SliceOf(rapid.IntRange(0, 300)).Draw(t, "batches") {
			if task.ReachedBy(counted(done), counted(done+batch)) {
				reached++
			}
			done += batch
		}
		if want := min(int64(done)/task.Target, 1); int64(reached) != want {
			t.Fatalf("%d of %d: reached %d times", done, task.Target, reached)
		}
	})
}

func TestRowCountsOnlyTapsEnergyAndSpins(t *testing.T) {
	full := game.DayCounts{Taps: 10_000, EnergySpent: 10_000, Spins: 10_000}
	for _, action := range []game.TaskAction{game.RouletteSpin, game.TapCount, game.WatchAds, game.GetPrediction, game.InviteFriends, game.EnergySpend} {
		task := game.TaskTerms{Action: action, Target: 500}
		done, counted := task.Progress(full)
		if counts := slices.Contains([]game.TaskAction{game.TapCount, game.EnergySpend, game.RouletteSpin}, task.Action); counted != counts || (counted && done != task.Target) {
			t.Errorf("%s: %d, %t", task.Action, done, counted)
		}
		if task.ReachedBy(game.DayCounts{}, full) != counted {
			t.Errorf("%s is reached", task.Action)
		}
	}
}

func TestPercentagesAreRoundedDown(t *testing.T) {
	task := game.TaskTerms{Target: 3}
	for done, want := range map[int64]int{0: 0, 1: 33, 2: 66, 3: 100, 9: 100} {
		if got := task.Percentage(done); got != want {
			t.Errorf("%d of 3 are %d %%", done, got)
		}
	}
}
