package audit

import (
	"fmt"
	"strings"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/wheel"
)

// spinGrantMatches reports whether the spins of a day were given once, as many as the player could hold.
func spinGrantMatches(l *ledgerReplay, p models.Posting) bool {
	day, ok := ledger.ReferenceNumber(p, "spins")
	first := p.Line != 0 || game.Day(day) > l.wheel.SpinsGrantedDay
	l.wheel.SpinsGrantedDay = game.Day(day)
	before := l.held
	if p.Asset == models.AssetSpin {
		before.Spins -= p.Amount
	} else {
		before.AdSpins -= p.Amount
	}
	free, decoded := ledger.DecodeOrDefault(p.Memo, game.FreeSpinsADay)
	spins, adSpins := before.GivenSpins(int(free))
	return ok && first && decoded && free >= 0 && free <= game.MostSpins && game.DayOf(p.PostedAt) == game.Day(day) && matchesMove(p, []ledger.Move{
		{From: models.HouseWheel, To: models.AccountSpins, Asset: models.AssetSpin, Amount: spins},
		{From: models.HouseWheel, To: models.AccountAdSpins, Asset: models.AssetAdSpin, Amount: adSpins},
	})
}

// spinOf reads which spin an entry of a kind is about.
func spinOf(p models.Posting, kind string) (spin models.Spin, ok bool) {
	id, named := ledger.ReferenceNumber(p, kind)
	receipt, err := ledger.DecodeSpinReceipt(p.Memo)
	spin = models.Spin{ID: id, OddsVersion: receipt.OddsVersion, Segment: receipt.Segment, Chest: receipt.Chest, Golden: receipt.Golden}
	odds, known := game.OddsOf(spin.OddsVersion)
	drawn := spin.Segment >= 0 && spin.Segment < len(odds.Wheel) && spin.Chest >= game.NoChest && spin.Chest < len(odds.Chest)
	return spin, named && err == nil && known && drawn && p.Memo == receipt.Encode()
}

// rollMatches counts the spin, as the player's row did, and reports whether it cost what a spin costs and a golden one was earned.
func rollMatches(l *ledgerReplay, p models.Posting) bool {
	spin, ok := spinOf(p, "roll")
	earned := !spin.Golden || l.wheel.Golden()
	l.rolled++
	l.wheel = l.wheel.Spun(game.DayOf(p.PostedAt), spin.Golden)
	return ok && earned && matchesMove(p, []ledger.Move{{From: models.AccountSpins, To: models.HouseWheel, Asset: models.AssetSpin, Amount: 1}})
}

// prizeMatches reports whether a spin was paid what its outcome brings.
func prizeMatches(l *ledgerReplay, p models.Posting) bool {
	spin, ok := spinOf(p, "spin")
	if !ok {
		return false
	}
	before := models.Player{Balances: l.held}
	if p.Asset == models.AssetSpin {
		before.Balances.Spins -= p.Amount
	}
	l.countWon(p)
	return matchesMove(p, wheel.PrizeEntry(&before, spin).Moves)
}

// extraMatches reports whether an ad multiplied a spin's prize by the right factor.
func extraMatches(l *ledgerReplay, p models.Posting) bool {
	spin, ok := spinOf(p, "spin2")
	if !ok {
		return false
	}
	l.countWon(p)
	return matchesMove(p, ledger.RewardMoves(models.HouseWheel, spin.Odds().Extra(spin.Drawn())))
}

func (l *ledgerReplay) countWon(p models.Posting) {
	if p.Asset == models.AssetMCBK {
		l.wheel.Won += game.MicroMCBK(p.Amount)
	}
}

// adSpinMatches reports whether an ad brought one spin and its points, for an ad spin of its day.
func adSpinMatches(l *ledgerReplay, p models.Posting) bool {
	var day int64
	_, err := fmt.Sscan(p.Memo, &day)
	moves := []ledger.Move{
		{From: models.HouseWheel, To: models.AccountSpins, Asset: models.AssetSpin, Amount: 1},
		{From: models.HouseWheel, To: models.AccountGamePoints, Asset: models.AssetPoint, Amount: game.AdSpinPoints},
	}
	if game.Day(day) == l.wheel.SpinsGrantedDay {
		moves = append(moves, ledger.Move{From: models.AccountAdSpins, To: models.HouseWheel, Asset: models.AssetAdSpin, Amount: 1})
	}
	return err == nil && p.Memo == fmt.Sprint(day) && matchesMove(p, moves)
}

// loyaltyMatches reports whether the bonus of a day was paid on it.
func loyaltyMatches(_ *ledgerReplay, p models.Posting) bool {
	day, ok := ledger.ReferenceNumber(p, "loyal")
	return ok && p.Memo == "" && game.DayOf(p.PostedAt) == game.Day(day) && matchesMove(p, ledger.RewardMoves(models.HouseLoyalty, game.LoyaltyReward))
}

// wheelMatchesPostings reports whether a player's days at the wheel, spins and coins won follow from what was posted.
func wheelMatchesPostings(l *ledgerReplay) bool {
	return l.player.Wheel == l.wheel && l.player.Bag.Spins == l.rolled
}

// spinsWithinLimit reports whether a player holds no more spins than allowed, and no more ad spins than a day gives.
func spinsWithinLimit(l *ledgerReplay, _ models.Posting) bool {
	return l.held.Spins <= game.MostSpins && l.held.AdSpins <= game.AdSpinsADay
}

// findInvalidSpins lists players with a spin that was not posted as its state says, or with a posting of a spin that is not theirs.
var findInvalidSpins = findUnpaired(`SELECT player_id, 'roll:' || id AS reference FROM spins
	UNION ALL SELECT player_id, 'spin:' || id FROM spins WHERE state <> 'pending'
	UNION ALL SELECT player_id, 'spin2:' || id FROM spins WHERE state = 'doubled'`,
	"roll:%", "spin:%", "spin2:%")

// findInvalidOutcomes lists players with a spin that stopped elsewhere than its seeds say, or whose postings have another outcome.
func findInvalidOutcomes(tx *gorm.DB, s idRange) ([]models.PlayerID, error) {
	query := tx.Raw(`SELECT s.player_id, s.odds_version, s.segment, s.chest, s.golden, s.nonce, w.seed, w.client_seed, COALESCE(q.memo, '')
		FROM spins s JOIN wheel_seeds w ON w.id = s.seed_id
		LEFT JOIN postings q ON q.player_id = s.player_id AND q.line = 0
			AND q.reference IN ('roll:' || s.id, 'spin:' || s.id, 'spin2:' || s.id)
		WHERE s.player_id > @After AND s.player_id <= @UpTo ORDER BY s.player_id, s.id`, s)
	return findRows(query, func(row db.Row) (models.PlayerID, bool, error) {
		var (
			spin models.Spin
			seed models.ServerSeed
			memo string
		)
		err := row.Scan(&spin.PlayerID, &spin.OddsVersion, &spin.Segment, &spin.Chest, &spin.Golden, &spin.Nonce, &seed.Seed, &seed.ClientSeed, &memo)
		if err != nil {
			return 0, false, fmt.Errorf("read a spin: %w", err)
		}
		return spin.PlayerID, isDrawn(spin, seed) && memo == wheel.Receipt(spin), nil
	})
}

// isDrawn reports whether a spin's outcome follows from its seeds.
func isDrawn(spin models.Spin, seed models.ServerSeed) bool {
	odds, known := game.OddsOf(spin.OddsVersion)
	return known && odds.Draw(game.Rolls(seed.Server(), seed.ClientSeed, spin.Nonce)) == spin.Drawn().Outcome
}

// findInvalidSeeds lists players with a seed whose spins do not match its count, or do not have each nonce once, or who have one seed
// without the other.
var findInvalidSeeds = findPlayers(`SELECT player_id FROM (
		SELECT w.player_id FROM wheel_seeds w LEFT JOIN spins s ON s.seed_id = w.id
			WHERE w.player_id > @After AND w.player_id <= @UpTo GROUP BY w.player_id, w.id, w.nonce
			HAVING COUNT(s.id) <> w.nonce OR COALESCE(MAX(s.nonce), -1) <> w.nonce - 1
		UNION SELECT player_id FROM wheel_seeds WHERE player_id > @After AND player_id <= @UpTo AND state <> 'retired'
			GROUP BY player_id HAVING COUNT(*) <> 2
		UNION SELECT s.player_id FROM spins s JOIN wheel_seeds w ON w.id = s.seed_id
			WHERE s.player_id > @After AND s.player_id <= @UpTo AND w.player_id <> s.player_id
	) AS odd ORDER BY player_id LIMIT ?`)

// findInvalidLoyalty lists players who were paid a loyalty bonus for a day whose ads did not earn it.
var findInvalidLoyalty = findPlayers(`SELECT DISTINCT q.player_id FROM postings q
	WHERE q.player_id > @After AND q.player_id <= @UpTo AND q.reference LIKE 'loyal:%' AND 3 <> (
		SELECT COUNT(*) FROM (SELECT purpose FROM ad_tickets t
			WHERE t.player_id = q.player_id AND t.paid AND t.purpose IN ('spin', 'daily', 'prediction') AND 'loyal:' || t.day = q.reference
			GROUP BY purpose HAVING COUNT(*) >= CASE purpose WHEN 'spin' THEN ? ELSE 1 END) AS earned)
	ORDER BY q.player_id LIMIT ?`, game.AdSpinsADay)

// findInvalidLoyaltyDays lists players whose row names a day whose ads did not earn the bonus, or says otherwise than the postings
// whether it was claimed, or names none though the ads of their last check-in's day earned it.
var findInvalidLoyaltyDays = findPlayers(`SELECT p.id FROM players p WHERE p.id > @After AND p.id <= @UpTo AND (
		p.loyalty_claimed <> EXISTS (SELECT 1 FROM postings q WHERE q.player_id = p.id AND q.reference = 'loyal:' || p.loyalty_day)
		OR p.loyalty_day <> 0 AND NOT `+earnedLoyalty("loyalty_day")+`
		OR p.visits_doubled AND p.loyalty_day < p.visits_day AND `+earnedLoyalty("visits_day")+`)
	ORDER BY p.id LIMIT ?`, game.AdSpinsADay, game.AdSpinsADay)

// earnedLoyalty returns the SQL condition that the ads of the day in this column of player p have earned the loyalty bonus.
func earnedLoyalty(day string) string {
	return `3 = (SELECT COUNT(*) FROM (SELECT purpose FROM ad_tickets t
		WHERE t.player_id = p.id AND t.paid AND t.purpose IN ('spin', 'daily', 'prediction') AND t.day = p.` + day + `
		GROUP BY purpose HAVING COUNT(*) >= CASE purpose WHEN 'spin' THEN ? ELSE 1 END) AS earned)`
}

// likeAny returns the condition that a column is like one of these patterns.
func likeAny(column string, patterns []string) (where string, values []any) {
	each := make([]string, len(patterns))
	for i, pattern := range patterns {
		each[i] = column + " LIKE ?"
		values = append(values, pattern)
	}
	return "(" + strings.Join(each, " OR ") + ")", values
}
