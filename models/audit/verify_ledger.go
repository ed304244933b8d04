package audit

import (
	"mcbk/game"
	"mcbk/models"
)

// ledgerReplay is a player's state computed from their postings alone, from the first to the last, beside the row that says how they stand.
type ledgerReplay struct {
	player       models.Player             // the row; it is missing if there is no Telegram id
	held         models.Balances           // after the postings so far
	accounts     map[models.Account]*int64 // of held
	bag          game.Bag                  // day and counters after the postings so far
	bags         map[game.Day]game.Bag     // of each day with taps
	tasks        []models.Task             // completed, that a bag counts
	miners       []models.Miner            // the rows
	visits       game.Visits               // as the check-ins so far make them
	checkIns     map[game.Day]game.Visits  // of each day with one
	wheel        game.Wheel                // as the spins given, spun and won so far make it
	rolled       int                       // spins so far
	friends      map[game.Day]int          // rewarded on each day
	minerReplays map[int64]*minerReplay    // by tournament
}

func newLedgerReplay(p models.Player) *ledgerReplay {
	l := &ledgerReplay{
		player: p, bag: game.Bag{Day: game.DayOf(p.CreatedAt)}, bags: map[game.Day]game.Bag{},
		checkIns: map[game.Day]game.Visits{}, friends: map[game.Day]int{}, minerReplays: map[int64]*minerReplay{},
	}
	l.accounts = l.held.Amounts()
	return l
}

// post applies one posting. A player's row is locked before a posting gets its id, so the order of ids is the order in which they
// happened.
func (l *ledgerReplay) post(p models.Posting) {
	if from, ok := l.accounts[p.Source]; ok {
		*from -= p.Amount
	}
	if to, ok := l.accounts[p.Destination]; ok {
		*to += p.Amount
	}
	l.countTaps(p)
}

// hasValidAccounts reports whether both accounts exist, differ and hold the asset. One row moves both sides, so that every entry
// then sums to zero per asset.
func hasValidAccounts(l *ledgerReplay, p models.Posting) bool {
	return l.player.TelegramID != 0 && moveOf(p).Possible()
}

// findIncompleteEntries lists players with an entry of which a line is missing or duplicated.
var findIncompleteEntries = findPlayers(`SELECT DISTINCT player_id FROM (
	SELECT player_id FROM postings WHERE player_id > @After AND player_id <= @UpTo GROUP BY player_id, reference
	HAVING MIN(line) <> 0 OR MAX(line) <> COUNT(*) - 1 OR COUNT(DISTINCT line) <> COUNT(*)
	) AS torn ORDER BY player_id LIMIT ?`)

// balancesAreSums reports whether the balances are the sums of the postings; without postings all are zero.
func balancesAreSums(l *ledgerReplay) bool { return l.player.Balances == l.held }

func isCovered(l *ledgerReplay, p models.Posting) bool {
	from, ok := l.accounts[p.Source]
	return !ok || *from >= 0
}

func noNegativeBalance(l *ledgerReplay) bool {
	for _, amount := range l.player.Balances.Amounts() {
		if *amount < 0 {
			return false
		}
	}
	return true
}

// matchesChecksum reports whether a posting matches its checksum. Postings older than checksums have none, and pass.
func matchesChecksum(_ *ledgerReplay, p models.Posting) bool {
	return p.Mark == 0 || p.Mark == p.Checksum()
}
