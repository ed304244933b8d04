package game_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"mcbk/game"
)

// The price of the first nine days and of each three days after them, in millionths of a dollar. (spec §9, Purchase and pricing)
var schedule = []game.MicroUSD{
	2000, 2000, 2300, 2600, 2900, 3200, 3500, 3800, 4100, 4400, 4700, 5000, 5300, 5600,
	5900, 6200, 6500, 6800, 7100, 7400, 7700, 8000, 8300, 8600, 8900, 9200, 9500, 10_000,
}

func TestPriceFollowsScheduleOnEachDay(t *testing.T) {
	for day := -10; day < 200; day++ {
		step := min(max((day-7)/3, 0), len(schedule)-1)
		if got := game.Price(day); got != schedule[step] {
			t.Errorf("day %d costs %d, want %d", day, got, schedule[step])
		}
	}
}

// worth is the valuation with unlimited numbers.
func worth(coins game.MicroMCBK, price game.MicroUSD) *big.Int {
	usd := new(big.Int).Mul(big.NewInt(int64(coins)), big.NewInt(int64(price)))
	cents := usd.Div(usd, big.NewInt(int64(game.MCBK)*int64(game.USD)/100))
	return cents.Mul(cents, big.NewInt(int64(game.USD)/100))
}

// Balances are non-negative BIGINT columns.
func TestCoinValueIsRoundedDownToCents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coins := game.MicroMCBK(rapid.OneOf(
			rapid.Int64Range(0, 1e13), rapid.Int64Range(0, math.MaxInt64), rapid.Just(int64(math.MaxInt64)),
		).Draw(t, "coins"))
		price := game.Price(rapid.IntRange(1, 90).Draw(t, "day"))
		if got, want := game.Worth(coins, price), worth(coins, price); big.NewInt(int64(got)).Cmp(want) != 0 {
			t.Errorf("%d at %d is worth %d, want %s", coins, price, got, want)
		}
	})
}

// Costs are exact to the cent for any amount and price.
func TestPurchaseCostIsRoundedDownToCents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(0, 2*int64(game.MostPurchase)).Draw(t, "nanoton")
		price := rapid.Int64Range(0, 1_000_000*int64(game.USD)).Draw(t, "micro-USD")
		cents := new(big.Int).Mul(big.NewInt(amount), big.NewInt(price))
		cents.Div(cents, big.NewInt(int64(game.TON)*int64(game.USD)/100))
		if got := game.Cost(game.Nanoton(amount), game.MicroUSD(price)); int64(got) != cents.Int64()*int64(game.USD)/100 {
			t.Fatalf("%d nanoton at %d cost %d, want %s cents", amount, price, got, cents)
		}
	})
}

func TestScheduleStepsAreConsecutive(t *testing.T) {
	for day, want := range map[int]game.PriceStep{
		1: {1, 2000, 1}, 9: {1, 2000, 1}, 10: {2, 2000, 10}, 12: {2, 2000, 10}, 13: {3, 2300, 13},
		87: {27, 9500, 85}, 88: {28, 10_000, 88}, 90: {28, 10_000, 88},
	} {
		if got := game.StepAt(day); got != want {
			t.Errorf("day %d: %+v, want %+v", day, got, want)
		}
	}
	for day := 1; day <= game.SeasonDays; day++ {
		later := day
		for later <= game.SeasonDays && game.Price(later) == game.Price(day) {
			later++
		}
		step := game.StepAt(day)
		if next, ok := step.Next(); step.Price != game.Price(day) || ok != (day < 88) || ok && next != game.StepAt(later) {
			t.Errorf("day %d: %+v, then %+v, %t", day, step, next, ok)
		}
	}
}
