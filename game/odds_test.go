package game

import (
	"math"
	"testing"
)

// prizes are the published prizes: without an ad, with one, and both for a golden spin.
var prizes = []struct {
	name                               string
	spin, withAd, golden, goldenWithAd Reward
	spins                              int64 // never multiplied
	atOnce                             bool
}{
	{"coins_1", Reward{1e6, 0}, Reward{1e6, 0}, Reward{5e6, 0}, Reward{10e6, 0}, 0, true},
	{"coins_2", Reward{2e6, 0}, Reward{2e6, 0}, Reward{10e6, 0}, Reward{20e6, 0}, 0, true},
	{"coins_3", Reward{3e6, 0}, Reward{3e6, 0}, Reward{15e6, 0}, Reward{30e6, 0}, 0, true},
	{"points_10", Reward{0, 10}, Reward{0, 20}, Reward{0, 50}, Reward{0, 100}, 0, false},
	{"points_20", Reward{0, 20}, Reward{0, 40}, Reward{0, 100}, Reward{0, 200}, 0, false},
	{"points_50", Reward{0, 50}, Reward{0, 100}, Reward{0, 250}, Reward{0, 500}, 0, false},
	{"points_100", Reward{0, 100}, Reward{0, 200}, Reward{0, 500}, Reward{0, 1000}, 0, false},
	{"points_200", Reward{0, 200}, Reward{0, 600}, Reward{0, 1000}, Reward{0, 2000}, 0, false},
	{"bonus_spin", Reward{0, 10}, Reward{0, 10}, Reward{0, 50}, Reward{0, 50}, 1, false},
	{"coin_2_points_75", Reward{2e6, 75}, Reward{6e6, 225}, Reward{10e6, 375}, Reward{20e6, 750}, 0, false},
	{"coins_5", Reward{5e6, 0}, Reward{10e6, 0}, Reward{25e6, 0}, Reward{50e6, 0}, 0, false},
	{"points_150", Reward{0, 150}, Reward{0, 300}, Reward{0, 750}, Reward{0, 1500}, 0, false},
	{"spins_2", Reward{}, Reward{}, Reward{}, Reward{}, 2, false},
	{"coin_3_spin_1", Reward{3e6, 0}, Reward{6e6, 0}, Reward{15e6, 0}, Reward{30e6, 0}, 1, false},
}

func TestPrizesMatchPublishedOdds(t *testing.T) {
	odds := CurrentOdds()
	outcomes := map[string]Outcome{}
	for i, segment := range odds.Wheel {
		if segment.Type != ChestType {
			outcomes[segment.Type] = Outcome{i, NoChest}
		}
	}
	for i, content := range odds.Chest {
		outcomes[content.Type] = Outcome{0, i}
	}
	if len(outcomes) != len(prizes) {
		t.Errorf("%d prizes, published %d", len(outcomes), len(prizes))
	}
	for _, p := range prizes {
		at, there := outcomes[p.name]
		if !there {
			t.Errorf("there is no %s", p.name)
		}
		for _, of := range []struct {
			golden       bool
			alone, inAll Reward
		}{{false, p.spin, p.withAd}, {true, p.golden, p.goldenWithAd}} {
			s := Spin{at, of.golden}
			prize, extra := odds.Prize(s), odds.Extra(s)
			if prize.Reward != of.alone || prize.Spins != p.spins {
				t.Errorf("%s, golden %t, pays %+v, want %+v and %d spins", p.name, of.golden, prize, of.alone, p.spins)
			}
			if inAll := (Reward{prize.Coins + extra.Coins, prize.Points + extra.Points}); inAll != of.inAll {
				t.Errorf("%s, golden %t, pays %+v with an ad, want %+v", p.name, of.golden, inAll, of.inAll)
			}
			if may := odds.WithAd(s) > 1; may != (of.alone != of.inAll) {
				t.Errorf("%s, golden %t: an ad is offered: %t", p.name, of.golden, may)
			}
			if odds.AtOnce(s) != p.atOnce {
				t.Errorf("%s, golden %t, is paid at once: %t", p.name, of.golden, odds.AtOnce(s))
			}
		}
	}
}

func TestWeightsOfEveryVersionSumToHundred(t *testing.T) {
	for i, odds := range allOdds {
		wheel, chest := 0, 0
		for _, s := range odds.Wheel {
			wheel += s.Weight
		}
		for _, s := range odds.Chest {
			chest += s.Weight
		}
		if wheel != 100 || chest != 100 || odds.Version != i+1 {
			t.Errorf("version %d, number %d: the wheel's weights make %d, the chest's %d", odds.Version, i+1, wheel, chest)
		}
		if got, ok := OddsOf(odds.Version); !ok || got.Version != odds.Version {
			t.Errorf("version %d is found as %d, %t", odds.Version, got.Version, ok)
		}
	}
	for _, never := range []int{-1, 0, len(allOdds) + 1} {
		if _, ok := OddsOf(never); ok {
			t.Errorf("there is a version %d", never)
		}
	}
}

func TestEachRollMatchesWeights(t *testing.T) {
	odds := CurrentOdds()
	for _, table := range []struct {
		name    string
		of      []Segment
		weights []int
	}{
		{"wheel", odds.Wheel[:], []int{6, 10, 11, 4, 7, 16, 8, 13, 15, 10}},
		{"chest", odds.Chest, []int{40, 25, 20, 10, 5}},
	} {
		got := make([]int, len(table.of))
		last := 0
		for roll := range 100 {
			at := place(table.of, roll)
			if at < last {
				t.Errorf("%s: roll %d falls back to %d", table.name, roll, at)
			}
			last = at
			got[at]++
		}
		for i, want := range table.weights {
			if got[i] != want || table.of[i].Weight != want {
				t.Errorf("%s: place %d takes %d rolls and shows %d, want %d", table.name, i, got[i], table.of[i].Weight, want)
			}
		}
	}
}

// A million spins with a fixed seed, so the result is deterministic. Chance exceeds the limits once in a thousand.
func TestMillionSpinsMatchPublishedOdds(t *testing.T) {
	const spins = 1_000_000
	odds := CurrentOdds()
	seed := ServerSeed{0: 0x6d, 1: 0x63, 2: 0x62, 3: 0x6b}
	var wheel, chest [10]int
	chests := 0
	for nonce := range int64(spins) {
		at := odds.Draw(Rolls(seed, "a-million-spins", nonce))
		wheel[at.Segment]++
		if at.Chest != NoChest {
			chest[at.Chest]++
			chests++
		}
	}
	for _, of := range []struct {
		name  string
		table []Segment
		got   []int
		total int
		limit float64 // chi-square of p = 0.001
	}{
		{"wheel", odds.Wheel[:], wheel[:], spins, 27.877}, // 9 degrees of freedom
		{"chest", odds.Chest, chest[:5], chests, 18.467},  // 4
	} {
		var chi float64
		for i, s := range of.table {
			expected := float64(of.total) * float64(s.Weight) / 100
			chi += math.Pow(float64(of.got[i])-expected, 2) / expected
		}
		if chi >= of.limit {
			t.Errorf("%s: chi-square %.3f, limit %.3f", of.name, chi, of.limit)
		}
	}
}
