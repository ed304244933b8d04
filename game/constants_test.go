package game_test

import (
	"testing"
	"time"

	"mcbk/game"
)

// The numbers of the specification and the decisions, written independently.
func TestConstantsMatchSpecification(t *testing.T) {
	const coin = 1_000_000 // micro-MCBK
	for name, c := range map[string]struct{ is, want any }{
		"a tap's energy":                    {game.EnergyPerTap, 1},
		"a tap's coins":                     {int64(game.CoinsPerTap), int64(coin / 1000)},
		"taps in a batch":                   {game.MaxTapBatch, 10_000},
		"taps in a batch from a mine":       {game.MaxDigBatch, 1_000},
		"energy of a tap in a mine":         {game.EnergyPerDig, 10},
		"the loyalty bonus":                 {game.LoyaltyReward, game.Reward{Coins: 3 * coin, Points: 150}},
		"points for advice":                 {game.AdvicePoints, 25},
		"days that make a friend":           {game.FriendDays, 14},
		"friends rewarded a day":            {game.FriendsADay, 20},
		"the reward for a friend":           {game.FriendReward, game.Reward{Coins: 50 * coin, Points: 10}},
		"how long a mine's order is open":   {game.MineOrderOpen, 15 * time.Minute},
		"hours that a person is awake":      {game.HoursAwake, 20},
		"the oldest price":                  {game.PriceFresh, 10 * time.Minute},
		"how often a price is read":         {game.PriceInterval, 2 * time.Minute},
		"the least purchase":                {int64(game.LeastPurchase), int64(100_000_000)},
		"the largest purchase":              {int64(game.MostPurchase), int64(1000_000_000_000)},
		"the goal of sales":                 {int64(game.SalesGoal), int64(30_000_000 * coin)},
		"by how much a payment may be late": {game.PaymentGrace, time.Minute},
	} {
		if c.is != c.want {
			t.Errorf("%s: %v, want %v", name, c.is, c.want)
		}
	}
}

func TestOnlyFourteenthCheckInCompletesFriend(t *testing.T) {
	for total := range 30 {
		if makes := (game.Visits{Total: total}).MakesFriend(); makes != (total == 14) {
			t.Errorf("after %d check-ins: %t", total, makes)
		}
	}
}

func TestCheckInDoublesOnceOnItsDay(t *testing.T) {
	const today = game.Day(20_516)
	for name, c := range map[string]struct {
		visits game.Visits
		may    bool
	}{
		"never there":        {game.Visits{}, false},
		"there today":        {game.Visits{Day: today, Streak: 1, Total: 1}, true},
		"doubled already":    {game.Visits{Day: today, Streak: 1, Total: 1, Doubled: true}, false},
		"there yesterday":    {game.Visits{Day: today - 1, Streak: 1, Total: 1}, false},
		"on another's today": {game.Visits{Day: today + 1, Streak: 1, Total: 1}, false},
	} {
		if c.visits.MayDouble(today) != c.may {
			t.Errorf("%s: %t", name, !c.may)
		}
	}
	if (game.Visits{}).MayDouble(0) {
		t.Error("the first day of all is doubled for who was never there")
	}
}
