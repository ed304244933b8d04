package game_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
)

// arrival is the start of these tests' bags.
var arrival = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

// usual are the default rules (decision 0005).
var usual = game.TapRules{TapRate: game.TapRate{Energy: 1, Coins: 1000}, PerSecond: 10, Most: 5_000, AtFirst: 50}

// pace is an independent model of the allowance, in whole milliseconds since the arrival (decision 0005: starts at 50, 10 a second, at
// most 5,000).
type pace struct {
	millis int64 // of the latest batch, since the arrival
	milli  int64 // thousandths of a tap that may be accepted
}

func newPace() pace { return pace{milli: 50_000} }

func (p *pace) at(now time.Time) int {
	if millis := now.Sub(arrival).Milliseconds(); millis > p.millis {
		p.milli = min(p.milli+(millis-p.millis)*10, 5_000_000)
		p.millis = millis
	}
	return int(p.milli / 1000)
}

func (p *pace) take(taps int) { p.milli -= int64(taps) * 1000 }

// moments are steps between batches: mostly play, sometimes a pause, a night, a clock set back.
func moments() *rapid.Generator[time.Duration] {
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.Int64Range(0, int64(2*time.Minute)).Draw(t, "play"))
		}),
		rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.Int64Range(0, int64(30*time.Hour)).Draw(t, "pause"))
		}),
		rapid.Custom(func(t *rapid.T) time.Duration {
			return -time.Duration(rapid.Int64Range(0, int64(30*time.Hour)).Draw(t, "back"))
		}),
	)
}

func TestBatchesNeverExceedEnergyOrPace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			bag   = game.NewBag(usual, arrival)
			now   = arrival
			model = newPace()
			today = arrival.Truncate(24 * time.Hour)
			spent int
		)
		bag.Spins = rapid.SampledFrom([]int{0, 320, 640, 960, 1600}).Draw(t, "spins")
		for range rapid.IntRange(1, 60).Draw(t, "batches") {
			now = now.Add(moments().Draw(t, "step"))
			sent := rapid.OneOf(rapid.IntRange(1, 400), rapid.IntRange(1, game.MaxTapBatch)).Draw(t, "sent")
			if rapid.IntRange(0, 9).Draw(t, "spin") == 0 {
				bag.Spins += rapid.IntRange(1, 400).Draw(t, "spun")
			}
			if day := now.Truncate(24 * time.Hour); day.After(today) {
				today, spent = day, 0
			}
			energy := game.LevelAt(bag.Spins).Energy
			want := min(sent, energy-spent, model.at(now))

			var accepted int
			if bag, accepted = bag.Tap(usual, sent, now); accepted != want {
				t.Fatalf("%d of %d accepted at %s, want %d", accepted, sent, now, want)
			}
			model.take(accepted)
			if spent += accepted; spent > energy {
				t.Fatalf("%d spent of %d on %s", spent, energy, today)
			}
			if bag.Energy() != energy-spent || bag.TapsToday != spent || bag.AllowanceMilli < 0 {
				t.Fatalf("bag %+v after %d taps of %d energy", bag, spent, energy)
			}
		}
	})
}

func TestEnergyRefillsAtMidnightUTC(t *testing.T) {
	midnight := time.Date(2026, time.March, 5, 0, 0, 0, 0, time.UTC)
	bag := game.NewBag(usual, arrival)
	bag, _ = bag.Tap(usual, 50, arrival)
	for _, c := range []struct {
		name   string
		at     time.Time
		energy int
	}{
		{"the last moment of the day", midnight.Add(-1), 950},
		{"the same moment told in Tokyo, where it is morning", midnight.Add(-1).In(time.FixedZone("JST", 9*60*60)), 950},
		{"midnight", midnight, 1000},
		{"midnight told in New York, where it is evening", midnight.In(time.FixedZone("EST", -5*60*60)), 1000},
		{"a clock set back a day", arrival.Add(-24 * time.Hour), 950},
	} {
		if energy := bag.At(c.at).Energy(); energy != c.energy {
			t.Errorf("%s: energy %d, want %d", c.name, energy, c.energy)
		}
	}
}

func TestNewPlayerTapsAreLimited(t *testing.T) {
	_, atOnce := game.NewBag(usual, arrival).Tap(usual, 1000, arrival.Add(time.Second))
	if atOnce != 60 {
		t.Errorf("%d accepted in one batch, want 60", atOnce)
	}
	rapid.Check(t, func(t *rapid.T) {
		bag, total := game.NewBag(usual, arrival), 0
		for _, at := range rapid.SliceOfN(rapid.Int64Range(0, int64(time.Second)), 1, 40).Draw(t, "at") {
			var accepted int
			bag, accepted = bag.Tap(usual, rapid.IntRange(1, 1000).Draw(t, "sent"), arrival.Add(time.Duration(at)))
			total += accepted
		}
		if total > 60 {
			t.Errorf("%d accepted within a second", total)
		}
	})
}

func TestAllowanceIsAtMostFiveThousandTaps(t *testing.T) {
	bag := game.NewBag(usual, arrival)
	bag.Spins = 1600
	if _, accepted := bag.Tap(usual, game.MaxTapBatch, arrival.Add(math.MaxInt64)); accepted != 5000 {
		t.Errorf("%d accepted after the longest pause", accepted)
	}
}

func TestTapNeedsClaim(t *testing.T) {
	for _, sent := range []int{0, -1, math.MinInt} {
		if bag, accepted := game.NewBag(usual, arrival).Tap(usual, sent, arrival); accepted != 0 || bag != game.NewBag(usual, arrival) {
			t.Errorf("%d taps sent: %d accepted, bag %+v", sent, accepted, bag)
		}
	}
}

func TestTapCostFollowsRules(t *testing.T) {
	rules := usual
	rules.Energy, rules.AtFirst = 3, 1000
	level := game.LevelAt(0)
	bag := game.NewBag(rules, arrival)
	bag.EnergySpent = level.Energy - 10
	after, accepted := bag.Tap(rules, 5, arrival)
	if accepted != 3 || after.EnergySpent != level.Energy-1 || after.Energy() != 1 {
		t.Errorf("with 10 energy %d taps of 3 are accepted, %d energy is left", accepted, after.Energy())
	}
}

func TestTapEarnsThousandthOfCoin(t *testing.T) {
	for taps, coins := range map[int]game.MicroMCBK{0: 0, 1: 1_000, 1000: game.MCBK, game.MaxTapBatch: 10 * game.MCBK} {
		if got := usual.Earns(taps); got != coins {
			t.Errorf("%d taps earn %d, want %d", taps, got, coins)
		}
	}
}
