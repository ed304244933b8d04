package game_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
)

// For any batches, a task is completed by exactly one of them, if their sum reaches the target.
func TestExactlyOneBatchReachesTarget(t *testing.T) {
	rules := game.TapRules{TapRate: game.TapRate{Energy: 1, Coins: 1}, PerSecond: 10, Most: 5000, AtFirst: 5000}
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC)
		rules.Energy = rapid.IntRange(1, 3).Draw(t, "energy")
		task := game.TaskTerms{
			Action: rapid.SampledFrom([]game.TaskAction{game.TapCount, game.EnergySpend}).Draw(t, "action"),
			Target: rapid.Int64Range(1, 700).Draw(t, "target"),
		}
		bag := game.NewBag(rules, now)
		crossings := map[game.Day]int{}
		done := map[game.Day]int64{}
		for _, batch := range rapid.SliceOf(rapid.IntRange(0, 300)).Draw(t, "batches") {
			now = now.Add(time.Duration(batch) * 2 * time.Minute)
			after, accepted := bag.Tap(rules, batch, now)
			var before game.DayCounts
			if bag.Day == after.Day {
				before = game.DayCounts{Taps: bag.TapsToday, EnergySpent: bag.EnergySpent}
			}
			if task.ReachedBy(before, game.DayCounts{Taps: after.TapsToday, EnergySpent: after.EnergySpent}) {
				crossings[after.Day]++
			}
			bag = after
			if task.Action == game.EnergySpend {
				accepted *= rules.Energy
			}
			done[bag.Day] += int64(accepted)
		}
		for day, n := range done {
			want := 0
			if n >= task.Target {
				want = 1
			}
			if crossings[day] != want {
				t.Fatalf("day %d: %d of %d, reached %d times", day, n, task.Target, crossings[day])
			}
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
