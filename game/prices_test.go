package game_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"mcbk/game"
)

// The schedule of 90 days, in millionths of a dollar. (spec §9, Purchase and pricing)
var schedule = []struct {
	from, to int
	price    game.MicroUSD
}{
	{1, 9, 2000},
	{10, 12, 2000},
	{13, 15, 2300},
	{16, 18, 2600},
	{19, 21, 2900},
	{22, 24, 3200},
	{25, 27, 3500},
	{28, 30, 3800},
	{31, 33, 4100},
	{34, 36, 4400},
	{37, 39, 4700},
	{40, 42, 5000},
	{43, 45, 5300},
	{46, 48, 5600},
	{49, 51, 5900},
	{52, 54, 6200},
	{55, 57, 6500},
	{58, 60, 6800},
	{61, 63, 7100},
	{64, 66, 7400},
	{67, 69, 7700},
	{70, 72, 8000},
	{73, 75, 8300},
	{76, 78, 8600},
	{79, 81, 8900},
	{82, 84, 9200},
	{85, 87, 9500},
	{88, 90, 10000},
}

func TestPriceFollowsScheduleOnEachDay(t *testing.T) {
	next := 1
	for _, period := range schedule {
		for ; next <= period.to; next++ {
			if next < period.from {
				t.Fatalf("the schedule has no price for day %d", next)
			}
			if got := game.Price(next); got != period.price {
				t.Errorf("day %d costs %d, want %d", next, got, period.price)
			}
		}
	}
	if next != game.SeasonDays+1 {
		t.Errorf("the schedule ends before day %d", next)
	}
}

func TestPriceNeverFalls(t *testing.T) {
	for d := -10; d < 200; d++ {
		if game.Price(d+1) < game.Price(d) {
			t.Errorf("day %d costs less than day %d", d+1, d)
		}
	}
	if before, after := game.Price(0), game.Price(91); before != 2000 || after != 10_000 {
		t.Errorf("%d before the schedule and %d after it", before, after)
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

func TestOnlyWholeCentsAreShown(t *testing.T) {
	for _, c := range []struct {
		coins game.MicroMCBK
		price game.MicroUSD
		worth game.MicroUSD
	}{
		{0, 2000, 0},
		{5*game.MCBK - 1, 2000, 0},
		{5 * game.MCBK, 2000, 10_000},
		{10*game.MCBK - 1, 2000, 10_000},
		{1234*game.MCBK + 567_000, 2000, 2_460_000},    // 2.469134
		{1234*game.MCBK + 567_000, 10_000, 12_340_000}, // 12.34567
		{30_000_000 * game.MCBK, 10_000, 300_000 * game.USD},
		{math.MaxInt64, 10_000, 92_233_720_368_540_000}, // 92233720368.54775807
	} {
		if got := game.Worth(c.coins, c.price); got != c.worth {
			t.Errorf("%d at %d is worth %d, want %d", c.coins, c.price, got, c.worth)
		}
	}
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
		step := game.StepAt(day)
		next, ok := step.Next()
		for later := day; later < next.From; later++ {
			if game.Price(later) != step.Price {
				t.Errorf("from day %d the price is %d, before %+v begins", later, game.Price(later), next)
			}
		}
		if step.Price != game.Price(day) || ok != (day < 88) || ok && (game.Price(next.From) != next.Price || next.Price == step.Price) {
			t.Errorf("day %d: %+v, then %+v, %t", day, step, next, ok)
		}
	}
}
