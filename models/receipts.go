package models

import (
	"fmt"
	"strconv"
	"strings"

	"mcbk/game"
)

// batchReference returns the reference of a batch's entry, at the bag or in a mine: a key serves one of the two.
func batchReference(key string) string { return "tap:" + key }

func isDigReceipt(memo string) bool { return strings.HasPrefix(memo, digMark) }

// tapReceipt returns the answer to a batch in few bytes, kept with its posting for a repeated request: every number that the
// player's later life may change, in recall's order. A rate that an admin has changed is added.
func tapReceipt(sent, accepted int, rate game.TapRate, bag game.Bag, b Balances) string {
	numbers := []int64{
		int64(sent), int64(accepted), int64(bag.Spins), int64(bag.EnergySpent), int64(b.Game), int64(b.Referral), int64(b.Purchased),
		b.GamePoints, b.ReferralPoints, int64(b.Mine), b.Spins, b.AdSpins,
	}
	if rate != usualTapRate {
		numbers = append(numbers, int64(rate.Energy), int64(rate.Coins))
	}
	receipt := make([]byte, 0, 64) // the usual size
	for i, number := range numbers {
		if i > 0 {
			receipt = append(receipt, ' ')
		}
		receipt = strconv.AppendInt(receipt, number, 10)
	}
	return string(receipt)
}

// usualTapRate is the rate of a receipt that names none.
var usualTapRate = game.TapRate{Energy: game.EnergyPerTap, Coins: game.CoinsPerTap}

// receiptNumbers is how many numbers every receipt of taps has.
const receiptNumbers = 12

// tellsRate reports whether a receipt names a rate of its own, after the numbers that all have.
func tellsRate(receipt string) bool { return strings.Count(receipt, " ") >= receiptNumbers }

// toldUnless returns the receipt of a number: empty if it is the usual one.
func toldUnless(number, usual int64) string {
	if number == usual {
		return ""
	}
	return fmt.Sprint(number)
}

// toldOr reads a receipt of toldUnless.
func toldOr(receipt string, usual int64) (number int64, ok bool) {
	if receipt == "" {
		return usual, true
	}
	number, err := strconv.ParseInt(receipt, 10, 64)
	return number, err == nil && receipt == toldUnless(number, usual)
}

// spinsReference returns the reference of the entry of a day's spins.
func spinsReference(day game.Day) string { return fmt.Sprint("spins:", day) }

// digMark begins the receipt of a batch of a mine.
const digMark = "dig "
