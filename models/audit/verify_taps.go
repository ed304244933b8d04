package audit

import (
	"fmt"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/taps"
)

// countTaps keeps the day's counters as the player's row did: a new day begins with its first tap, and a process whose clock is
// behind counts on the day that has begun.
func (l *life) countTaps(p models.Posting) {
	if p.Source != models.HouseTaps {
		return
	}
	rate := ledger.DefaultTapRate
	if ledger.HasRate(p.Memo) {
		rate = rateOfReceipt(p)
	}
	taps := int(p.Amount / int64(rate.Coins))
	l.bag = l.bag.At(p.PostedAt)
	l.bag.TapsToday += taps
	l.bag.EnergySpent += taps * rate.Energy
	l.bags[l.bag.Day] = l.bag
}

// rateOfReceipt returns the rate that a receipt names; the usual one if it names none or cannot be read.
func rateOfReceipt(p models.Posting) game.TapRate {
	var sent int
	if _, err := fmt.Sscan(p.Memo, &sent); err != nil {
		return ledger.DefaultTapRate
	}
	first, err := taps.DecodeReceipt(p, models.Player{}, sent)
	if err != nil || first.Rate.Energy < 1 || first.Rate.Coins < 1 {
		return ledger.DefaultTapRate
	}
	return first.Rate
}

// tapReceiptMatches reports whether the answer stored with a batch follows from its posting and those before it.
func tapReceiptMatches(l *life, p models.Posting) bool {
	var sent int
	if _, err := fmt.Sscan(p.Memo, &sent); err != nil || sent < 1 || sent > game.MaxTapBatch {
		return false
	}
	first, err := taps.DecodeReceipt(p, models.Player{}, sent)
	if err != nil || first.Accepted < 0 || first.Accepted > sent || first.Rate.Earns(first.Accepted) != game.MicroMCBK(p.Amount) {
		return false
	}
	replayed := game.Bag{Spins: l.rolled, EnergySpent: l.bag.EnergySpent}
	return p.Line == 0 && p.Source == models.HouseTaps && p.Destination == models.AccountGame &&
		first.Rate.Energy > 0 && p.Memo == ledger.TapReceipt(sent, first.Accepted, first.Rate, replayed, l.held)
}

// tapsWithinEnergy reports whether taps are within the energy of the level that the spins before them had reached.
func tapsWithinEnergy(l *life, p models.Posting) bool {
	return p.Source != models.HouseTaps || l.bag.EnergySpent <= game.LevelAt(l.rolled).Energy
}

// countersAreSums reports whether the day's counters are the sums of its postings; a row may have begun a day on which nothing was
// tapped yet.
func countersAreSums(l *life) bool {
	row, replayed := l.player.Bag, l.bag
	if row.Day > replayed.Day {
		replayed = game.Bag{Day: row.Day}
	}
	return row.Day == replayed.Day && row.TapsToday == replayed.TapsToday && row.EnergySpent == replayed.EnergySpent
}
