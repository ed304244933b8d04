package audit

import (
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// minerReplay is what a player's postings say about a tournament.
type minerReplay struct {
	digger game.Digger
	paid   bool // the ore was paid
}

// minerReplayOf returns the replay of a tournament, empty before its first mine.
func (l *ledgerReplay) minerReplayOf(tournament int64) *minerReplay {
	if l.minerReplays[tournament] == nil {
		l.minerReplays[tournament] = &minerReplay{}
	}
	return l.minerReplays[tournament]
}

// mineMatches reports whether an entry of an opened mine brings nothing, and is about the next one; findInvalidPayments checks its payment.
func mineMatches(l *ledgerReplay, p models.Posting) bool {
	receipt, err := ledger.DecodeMineReceipt(p.Memo)
	if err != nil || !matchesMove(p, []ledger.Move{{From: models.HouseMines, To: models.AccountMine, Asset: models.AssetOre, Amount: 0}}) {
		return false
	}
	level, d := receipt.Level, &l.minerReplayOf(receipt.Tournament).digger
	if level != d.Level+1 || level > len(game.Mines) {
		return false
	}
	if level == 1 {
		d.Window, d.FirstDay = game.WindowOf(p.PostedAt), game.DayOf(p.PostedAt)
	}
	d.Level = level
	return true
}

// batchMatches checks a batch of the bag or of the mines, whichever it is.
func batchMatches(l *ledgerReplay, p models.Posting) bool {
	if ledger.IsDigReceipt(p.Memo) {
		return digMatches(l, p)
	}
	return tapReceiptMatches(l, p)
}

// digMatches reports whether a batch of a mine dug what its taps dig on that level, within its energy, and has the right sums.
func digMatches(l *ledgerReplay, p models.Posting) bool {
	receipt, err := ledger.DecodeDigReceipt(p.Memo)
	if err != nil {
		return false
	}
	at := l.minerReplayOf(receipt.Tournament)
	d := at.digger.At(p.PostedAt)
	ore := game.MicroMCBK(receipt.Accepted) * d.Mine().PerTap
	d.EnergySpent += receipt.Accepted * game.EnergyPerDig
	d.Ore += ore
	d.Taps += int64(receipt.Accepted)
	if day := game.DayOf(p.PostedAt); receipt.Accepted > 0 && day > d.LastDay {
		d.LastDay = day
		d.Days++
	}
	at.digger = d
	return !at.paid && d.Level > 0 && receipt.Sent >= 1 && receipt.Sent <= game.MaxDigBatch && receipt.Accepted >= 0 && receipt.Accepted <= receipt.Sent &&
		d.EnergySpent <= d.Mine().Energy && p.Memo == (ledger.DigReceipt{Tournament: receipt.Tournament, Sent: receipt.Sent, Accepted: receipt.Accepted, After: d, Revision: receipt.Revision}).Encode() &&
		matchesMove(p, []ledger.Move{{From: models.HouseMines, To: models.AccountMine, Asset: models.AssetOre, Amount: int64(ore)}})
}

// findInvalidMiners lists players whose miner's row does not match what was posted and paid: levels from 1 on without a gap, each with a
// paid order of its price, and the sums of the last batch.
var findInvalidMiners = findPlayers(`SELECT player_id FROM (
		SELECT m.player_id FROM miners m WHERE m.player_id > @After AND m.player_id <= @UpTo AND (m.level <> (`+openLevels+`) OR m.level <> (`+openLevels+` AND u.level <= m.level)
			OR m.ore <> (SELECT COALESCE(SUM(q.amount), 0) FROM postings q WHERE q.player_id = m.player_id AND q.source = ? AND q.destination = ?
				AND q.memo LIKE 'dig ' || m.tournament_id || ' %'))
		UNION SELECT u.player_id FROM mine_levels u LEFT JOIN orders o ON o.id = u.order_id AND o.player_id = u.player_id AND o.state = 'paid'
				AND o.tournament_id = u.tournament_id AND o.mine_level = u.level
			LEFT JOIN payments p ON p.id = u.payment_id AND p.order_id = u.order_id AND p.player_id = u.player_id AND p.state = 'credited' AND p.amount = o.amount AND p.coins = 0
			LEFT JOIN postings q ON q.player_id = u.player_id AND q.reference = 'mine:' || u.payment_id AND q.memo = u.tournament_id || ' ' || u.level
			LEFT JOIN miners m ON m.tournament_id = u.tournament_id AND m.player_id = u.player_id
			WHERE u.player_id > @After AND u.player_id <= @UpTo AND (o.id IS NULL OR p.id IS NULL OR q.id IS NULL OR m.player_id IS NULL OR o.currency = 'TON' AND o.amount <> `+mineCost("u.level")+`)
		UNION SELECT o.player_id FROM orders o LEFT JOIN mine_levels u ON u.order_id = o.id
			WHERE o.kind = 'mine' AND o.state = 'paid' AND u.order_id IS NULL AND o.player_id > @After AND o.player_id <= @UpTo
	) AS odd ORDER BY player_id LIMIT ?`, models.HouseMines, models.AccountMine)

// openLevels counts the mines of miner m that are open.
const openLevels = "SELECT COUNT(*) FROM mine_levels u WHERE u.tournament_id = m.tournament_id AND u.player_id = m.player_id"

// mineCost returns the expression for the price, in nanoton, of a mine whose level is given as an expression.
func mineCost(level string) string {
	var cases strings.Builder
	for _, mine := range game.Mines {
		fmt.Fprintf(&cases, " WHEN %d THEN %d", mine.Level, mine.Cost)
	}
	return "CASE " + level + cases.String() + " END"
}

// minersOf returns the miners of a range by player.
func minersOf(tx *gorm.DB, s idRange) (map[models.PlayerID][]models.Miner, error) {
	miners := map[models.PlayerID][]models.Miner{}
	query := tx.Raw("SELECT "+models.MinerColumns+" FROM miners m WHERE m.player_id > @After AND m.player_id <= @UpTo", s)
	err := db.Each(query, func(row db.Row) error {
		var m models.Miner
		if err := row.Scan(m.ScanFields()...); err != nil {
			return fmt.Errorf("read a miner: %w", err)
		}
		miners[m.PlayerID] = append(miners[m.PlayerID], m)
		return nil
	})
	return miners, err
}

// daysAreDug reports whether the days with taps in the miners' rows, which double what ore pays, are those of the postings.
func daysAreDug(l *ledgerReplay) bool {
	return !slices.ContainsFunc(l.miners, func(m models.Miner) bool {
		dug := l.minerReplayOf(m.TournamentID).digger
		return m.Days != dug.Days || m.LastDay != dug.LastDay
	})
}

// findInvalidDigs lists players whose miner's row differs from the receipt of the last batch.
func findInvalidDigs(tx *gorm.DB, s idRange) ([]models.PlayerID, error) {
	query := tx.Raw(`SELECT `+models.MinerColumns+`, COALESCE((SELECT q.memo FROM postings q WHERE q.player_id = m.player_id
				AND q.memo LIKE 'dig ' || m.tournament_id || ' %' ORDER BY q.id + 0 DESC LIMIT 1), '')
		FROM miners m WHERE m.player_id > @After AND m.player_id <= @UpTo ORDER BY m.player_id, m.tournament_id`, s)
	return findRows(query, func(row db.Row) (models.PlayerID, bool, error) {
		var m models.Miner
		var memo string
		if err := row.Scan(append(m.ScanFields(), &memo)...); err != nil {
			return 0, false, fmt.Errorf("read a miner: %w", err)
		}
		return m.PlayerID, matchesReceipt(m, memo), nil
	})
}

// matchesReceipt reports whether a row is what its last receipt says; a deeper mine may have been opened since.
func matchesReceipt(m models.Miner, memo string) bool {
	if memo == "" {
		return m.Ore == 0 && m.Taps == 0 && m.EnergySpent == 0 && m.Days == 0 && m.LastDay == 0
	}
	receipt, err := ledger.DecodeDigReceipt(memo)
	return err == nil && m.Ore == receipt.After.Ore && m.Taps == receipt.After.Taps && m.EnergySpent == receipt.After.EnergySpent && m.Level >= receipt.After.Level
}
