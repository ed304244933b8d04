package audit

import (
	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
)

// countTaps keeps the day's counters as the player's row did: a new day begins with its first tap, and a process whose clock is
// behind counts on the day that has begun.
func (l *ledgerReplay) countTaps(p models.Posting) {
	if p.Source != models.HouseTaps {
		return
	}
	rate := ledger.DefaultTapRate // of a receipt that cannot be read, too
	if receipt, err := ledger.DecodeTapReceipt(p.Memo); err == nil && receipt.Rate.Energy > 0 && receipt.Rate.Coins > 0 {
		rate = receipt.Rate
	}
	taps := int(p.Amount / int64(rate.Coins))
	l.bag = l.bag.At(p.PostedAt)
	l.bag.TapsToday += taps
	l.bag.EnergySpent += taps * rate.Energy
	l.bags[l.bag.Day] = l.bag
}

// tapReceiptMatches reports whether the answer stored with a batch follows from its posting and those before it.
func tapReceiptMatches(l *ledgerReplay, p models.Posting) bool {
	receipt, err := ledger.DecodeTapReceipt(p.Memo)
	if err != nil || receipt.Sent < 1 || receipt.Sent > game.MaxTapBatch || receipt.Accepted < 0 || receipt.Accepted > receipt.Sent ||
		receipt.Rate.Energy < 1 || receipt.Rate.Earns(receipt.Accepted) != game.MicroMCBK(p.Amount) {
		return false
	}
	replayed := ledger.TapReceipt{
		Sent: receipt.Sent, Accepted: receipt.Accepted, Rate: receipt.Rate, Spins: l.rolled, EnergySpent: l.bag.EnergySpent, Balances: l.held, Revision: receipt.Revision,
	}
	return p.Line == 0 && p.Source == models.HouseTaps && p.Destination == models.AccountGame && p.Memo == replayed.Encode()
}

// tapsWithinEnergy reports whether taps are within the energy of the level that the spins before them had reached.
func tapsWithinEnergy(l *ledgerReplay, p models.Posting) bool {
	return p.Source != models.HouseTaps || l.bag.EnergySpent <= game.LevelAt(l.rolled).Energy
}

// countersAreSums reports whether the day's counters are the sums of its postings; a row may have begun a day on which nothing was
// tapped yet.
func countersAreSums(l *ledgerReplay) bool {
	row, replayed := l.player.Bag, l.bag
	if row.Day > replayed.Day {
		replayed = game.Bag{Day: row.Day}
	}
	return row.Day == replayed.Day && row.TapsToday == replayed.TapsToday && row.EnergySpent == replayed.EnergySpent
}
