package audit

import (
	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/daily"
	"mcbk/models/ledger"
)

// checkInMatches counts the check-in, as the player's row did, and reports whether it paid what its receipt says, which is the default
// reward if it names none.
func checkInMatches(l *ledgerReplay, p models.Posting) bool {
	day, ok := ledger.ReferenceNumber(p, "checkin")
	if p.Line == 0 {
		visits, first := l.visits.CheckIn(game.Day(day))
		if receipt, err := ledger.DecodeCheckInReceipt(p.Memo); err == nil && receipt.Reward.Coins >= 0 && receipt.Reward.Points > 0 {
			visits = visits.PaidAs(receipt.Reward)
		}
		if l.visits = visits; !first || game.DayOf(p.PostedAt) != game.Day(day) {
			return false
		}
		l.checkIns[visits.Day] = visits
	}
	return ok && game.Day(day) == l.visits.Day && p.Memo == daily.Receipt(l.visits) && paysReward(p, models.HouseDaily, l.visits.Paid())
}

// doubledMatches reports whether a day with a check-in was paid the same again.
func doubledMatches(l *ledgerReplay, p models.Posting) bool {
	day, ok := ledger.ReferenceNumber(p, "checkin2")
	visits, checkedIn := l.checkIns[game.Day(day)]
	if l.visits.Day == game.Day(day) {
		l.visits.Doubled = true
	}
	return ok && checkedIn && p.Memo == daily.Receipt(visits) && paysReward(p, models.HouseDaily, visits.Paid())
}

// adviceMatches returns a check that an advice was paid its points: the default ones unless its receipt names others.
func adviceMatches(kind string) func(l *ledgerReplay, p models.Posting) bool {
	return func(_ *ledgerReplay, p models.Posting) bool {
		_, ok := ledger.ReferenceNumber(p, kind)
		points, decoded := ledger.DecodeOrDefault(p.Memo, game.AdvicePoints)
		return ok && decoded && points > 0 && paysReward(p, models.HouseAdvice, game.Reward{Points: points})
	}
}

// visitsMatchPostings reports whether a player's days, streak and whether the last was doubled follow from what was paid.
func visitsMatchPostings(l *ledgerReplay) bool { return l.player.Visits == l.visits }

// findInvalidCheckIns lists players with a day whose row and payment differ.
var findInvalidCheckIns = findUnpairedRows(`SELECT player_id, 'checkin:' || day AS reference FROM checkins
	UNION ALL SELECT player_id, 'checkin2:' || day FROM checkins WHERE doubled_at IS NOT NULL`, "checkin")

// findInvalidStreaks lists players with a day whose row has another streak or reward than was paid.
var findInvalidStreaks = findPlayers(`SELECT DISTINCT c.player_id FROM checkins c
		JOIN postings q ON q.player_id = c.player_id AND q.reference = 'checkin:' || c.day AND q.line = 0
	WHERE c.player_id > @After AND c.player_id <= @UpTo
		AND q.memo <> c.streak || CASE WHEN c.points > 0 THEN ' ' || c.coins || ' ' || c.points ELSE '' END ORDER BY c.player_id LIMIT ?`)

// findInvalidAdvisedDays lists players whose row names another day than that of their newest advice.
var findInvalidAdvisedDays = findPlayers(`SELECT p.id FROM players p WHERE p.id > @After AND p.id <= @UpTo AND p.advised_day <> COALESCE((
		SELECT MAX(a.day) FROM predictions a WHERE a.player_id = p.id AND a.state IN ('claimed', 'doubled')), 0)
	ORDER BY p.id LIMIT ?`)

// findInvalidAdvice lists players with an advice whose state and points do not match what was paid for it.
func findInvalidAdvice(tx *gorm.DB, s idRange) ([]models.PlayerID, error) {
	invalid, err := findUnpaidAdvice(tx, s)
	if err != nil || len(invalid) > 0 {
		return invalid, err
	}
	return findMispaidAdvice(tx, s)
}

var (
	findUnpaidAdvice = findUnpairedRows(`SELECT player_id, 'pred:' || id AS reference FROM predictions WHERE state IN ('claimed', 'doubled')
		UNION ALL SELECT player_id, 'pred2:' || id FROM predictions WHERE state = 'doubled'`, "pred")
	findMispaidAdvice = findPlayers(`SELECT DISTINCT a.player_id FROM predictions a
			JOIN postings q ON q.player_id = a.player_id AND q.reference IN ('pred:' || a.id, 'pred2:' || a.id) AND q.line = 0
		WHERE a.player_id > @After AND a.player_id <= @UpTo AND q.memo <> CASE WHEN a.points > 0 THEN CAST(a.points AS TEXT) ELSE '' END ORDER BY a.player_id LIMIT ?`)
)

// findUnpairedRows is findUnpaired for the entries of a kind together with those that an ad adds to them.
func findUnpairedRows(rows, kind string) playerCheck {
	return findUnpaired(rows, kind+":%", kind+"2:%")
}

// findInvalidTickets lists players whom more than one ad paid the same thing.
var findInvalidTickets = findPlayers(`SELECT player_id FROM ad_tickets WHERE player_id > @After AND player_id <= @UpTo AND state = 'settled' AND paid
		GROUP BY player_id, purpose, CASE purpose WHEN 'daily' THEN day ELSE 0 END, CASE purpose WHEN 'spin' THEN ticket ELSE CAST(target_id AS TEXT) END
		HAVING COUNT(*) > 1
	ORDER BY player_id LIMIT ?`)

// findInvalidAdRewards lists players with a ticket that paid and left no entry, or with an entry that only an ad pays and no ticket for it.
var findInvalidAdRewards = findUnpaired(`SELECT player_id, CASE purpose WHEN 'daily' THEN 'checkin2:' || day WHEN 'prediction' THEN 'pred2:' || target_id
			WHEN 'roulette' THEN 'spin2:' || target_id ELSE 'adspin:' || ticket END AS reference
		FROM ad_tickets WHERE state = 'settled' AND paid`,
	"checkin2:%", "pred2:%", "spin2:%", "adspin:%")
