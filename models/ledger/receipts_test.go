package ledger_test

import (
	"testing"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
)

var balances = models.Balances{Game: 1, Referral: 2, Purchased: 3, GamePoints: 4, ReferralPoints: 5, Mine: 6, Spins: 7, AdSpins: 8}

// The memos are those that databases hold since the first release.
func TestReceiptsEncodeAsStored(t *testing.T) {
	taps := ledger.TapReceipt{Sent: 10, Accepted: 9, Spins: 3, EnergySpent: 90, Balances: balances, Rate: ledger.DefaultTapRate}
	fast := taps
	fast.Rate = game.TapRate{Energy: 2, Coins: 5000}
	last, lastFast := taps, fast
	last.Revision, lastFast.Revision = 77, 77
	dig := ledger.DigReceipt{Tournament: 1, Sent: 5, Accepted: 4, After: game.Digger{Level: 2, EnergySpent: 4, Ore: 8, Taps: 44}}
	for memo, receipt := range map[string]interface{ Encode() string }{
		"10 9 3 90 1 2 3 4 5 6 7 8":            taps,
		"10 9 3 90 1 2 3 4 5 6 7 8 2 5000":     fast,
		"10 9 3 90 1 2 3 4 5 6 7 8 r77":        last,
		"10 9 3 90 1 2 3 4 5 6 7 8 2 5000 r77": lastFast,
		"dig 1 5 4 2 4 8 44":                   dig,
		"dig 1 5 4 2 4 8 44 r77":               ledger.DigReceipt{Tournament: 1, Sent: 5, Accepted: 4, After: dig.After, Revision: 77},
		"1 3 -1 true":                          ledger.SpinReceipt{OddsVersion: 1, Segment: 3, Chest: game.NoChest, Golden: true},
		"7":                                    ledger.CheckInReceipt{Streak: 7},
		"7 2000000 30":                         ledger.CheckInReceipt{Streak: 7, Reward: game.Reward{Coins: 2 * game.MCBK, Points: 30}},
		"3000000 100":                          ledger.TaskReceipt{Reward: game.Reward{Coins: 3 * game.MCBK, Points: 100}},
		"1 2":                                  ledger.MineReceipt{Tournament: 1, Level: 2},
		"8 20531":                              ledger.OreReceipt{Ore: 8, LastDay: 20531},
	} {
		modelstest.Equal(t, receipt.Encode(), memo, receipt)
	}
	for _, receipt := range []ledger.TapReceipt{taps, fast, last, lastFast} {
		modelstest.Returns(ledger.DecodeTapReceipt(receipt.Encode()))(t, receipt)
	}
	modelstest.Returns(ledger.DecodeTapReceipt(lastFast.Encode()+" 1"))(t, lastFast, "with a field of a later version")
	modelstest.Returns(ledger.DecodeDigReceipt(dig.Encode()))(t, dig)
}

func TestBrokenReceiptsAreRefused(t *testing.T) {
	for _, memo := range []string{"", "1", "1 2 3 4 5 6 7 8 9 10 11", "1 2 3 4 5 6 7 8 9 10 11 x", "1 2 3 4 5 6 7 8 9 10  11 12 13"} {
		modelstest.FailsWith(ledger.DecodeTapReceipt(memo))(t, "", memo)
	}
	modelstest.FailsWith(ledger.DecodeDigReceipt("1 5 4 2 4 8 44"))(t, "", "of no mine")
}
