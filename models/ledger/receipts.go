package ledger

import (
	"fmt"
	"strconv"
	"strings"

	"mcbk/game"
	"mcbk/models"
)

// BatchReference returns the reference of a batch's entry, at the bag or in a mine: a key serves one of the two.
func BatchReference(key string) string { return "tap:" + key }

// IsDigReceipt reports whether a receipt is of a batch in a mine.
func IsDigReceipt(memo string) bool { return strings.HasPrefix(memo, DigMark) }

// TapReceipt returns the answer to a batch in few bytes, stored with its posting for a repeated request: every number that the
// player's later life may change, in recall's order. A rate that an admin has changed is added.
func TapReceipt(sent, accepted int, rate game.TapRate, bag game.Bag, b models.Balances) string {
	numbers := []int64{
		int64(sent), int64(accepted), int64(bag.Spins), int64(bag.EnergySpent), int64(b.Game), int64(b.Referral), int64(b.Purchased),
		b.GamePoints, b.ReferralPoints, int64(b.Mine), b.Spins, b.AdSpins,
	}
	if rate != DefaultTapRate {
		numbers = append(numbers, int64(rate.Energy), int64(rate.Coins))
	}
	receipt := make([]byte, 0, 64) // enough for most
	for i, number := range numbers {
		if i > 0 {
			receipt = append(receipt, ' ')
		}
		receipt = strconv.AppendInt(receipt, number, 10)
	}
	return string(receipt)
}

// DefaultTapRate is the rate of a receipt that names none.
var DefaultTapRate = game.TapRate{Energy: game.EnergyPerTap, Coins: game.CoinsPerTap}

// receiptNumbers is how many numbers every receipt of taps has.
const receiptNumbers = 12

// HasRate reports whether a receipt names a rate of its own, after the numbers that all have.
func HasRate(receipt string) bool { return strings.Count(receipt, " ") >= receiptNumbers }

// EncodeUnlessDefault returns the receipt of a number: empty if it is the default.
func EncodeUnlessDefault(number, standard int64) string {
	if number == standard {
		return ""
	}
	return fmt.Sprint(number)
}

// DecodeOrDefault reads a receipt of EncodeUnlessDefault.
func DecodeOrDefault(receipt string, standard int64) (number int64, ok bool) {
	if receipt == "" {
		return standard, true
	}
	number, err := strconv.ParseInt(receipt, 10, 64)
	return number, err == nil && receipt == EncodeUnlessDefault(number, standard)
}

// SpinsReference returns the reference of the entry of a day's spins.
func SpinsReference(day game.Day) string { return fmt.Sprint("spins:", day) }

// DigMark begins the receipt of a batch of a mine.
const DigMark = "dig "
