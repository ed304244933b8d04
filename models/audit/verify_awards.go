package audit

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/mines"
)

// oreMatches reports whether ore was turned, all at once, into the coins that its miner's days make of it.
func oreMatches(l *ledgerReplay, p models.Posting) bool {
	id, ok := ledger.ReferenceNumber(p, "ore")
	receipt, err := ledger.DecodeOreReceipt(p.Memo)
	if !ok || err != nil {
		return false
	}
	ore, last := receipt.Ore, receipt.LastDay
	at := l.minerReplayOf(id)
	at.paid = true
	coins := at.digger.Pays(game.Tournament{End: (last + 1).Start()})
	return ore == at.digger.Ore && matchesMove(p, []ledger.Move{
		{From: models.AccountMine, To: models.HouseMines, Asset: models.AssetOre, Amount: int64(ore)},
		{From: models.HouseMines, To: models.AccountGame, Asset: models.AssetMCBK, Amount: int64(coins)},
	})
}

// tournamentPrizeMatches reports whether a prize is coins; findInvalidAwards checks how many.
func tournamentPrizeMatches(_ *ledgerReplay, p models.Posting) bool {
	_, ok := ledger.ReferenceNumber(p, "prize")
	return ok && matchesMove(p, []ledger.Move{{From: models.HousePrizes, To: models.AccountGame, Asset: models.AssetMCBK, Amount: p.Amount}})
}

// awarded is a miner's row with what was posted and is owed for it.
type awarded struct {
	models.Miner
	state       game.TournamentState
	end         time.Time
	ore, prize  *string // memos
	coins, gave *int64
	due         *int64
}

// findInvalidAwards lists players whose ore or prize of a tournament was paid otherwise than their row says, or without one.
func findInvalidAwards(tx *gorm.DB, s idRange) ([]models.PlayerID, error) {
	unpaired, err := findUnpaidMiners(tx, s)
	if err != nil {
		return nil, err
	}
	query := tx.Raw(`SELECT `+models.MinerColumns+`, t.state, t.ends_at, o.memo, z.memo, c.amount, z.amount, y.amount
		FROM miners m JOIN tournaments t ON t.id = m.tournament_id
		LEFT JOIN postings o ON o.player_id = m.player_id AND o.reference = 'ore:' || m.tournament_id AND o.line = 0
		LEFT JOIN postings c ON c.player_id = m.player_id AND c.reference = 'ore:' || m.tournament_id AND c.line = 1
		LEFT JOIN postings z ON z.player_id = m.player_id AND z.reference = 'prize:' || m.tournament_id AND z.line = 0
		LEFT JOIN payables y ON y.player_id = m.player_id AND y.tournament_id = m.tournament_id
		WHERE m.player_id > @After AND m.player_id <= @UpTo ORDER BY m.player_id, m.tournament_id`, s)
	invalid, err := findRows(query, func(row db.Row) (models.PlayerID, bool, error) {
		var a awarded
		if err := row.Scan(append(a.ScanFields(), &a.state, &a.end, &a.ore, &a.prize, &a.coins, &a.gave, &a.due)...); err != nil {
			return 0, false, fmt.Errorf("read a miner: %w", err)
		}
		return a.PlayerID, a.matches(), nil
	})
	return append(invalid, unpaired...), err
}

var findUnpaidMiners = findUnpaired(`SELECT player_id, 'prize:' || tournament_id AS reference FROM miners WHERE prized_at IS NOT NULL AND prize_coins > 0
	UNION ALL SELECT player_id, 'ore:' || tournament_id FROM miners WHERE paid_at IS NOT NULL AND ore > 0`, "prize:%", "ore:%")

func (a awarded) matches() bool {
	if a.PaidAt == nil { // not ranked yet
		return a.state != game.TournamentFinal && a.state != game.TournamentAwarded && a.ore == nil && a.prize == nil && a.due == nil
	}
	if (a.ore == nil) != (a.Ore == 0) || a.state == game.TournamentScheduled || a.state == game.TournamentRunning {
		return false
	}
	last := game.DayOf(a.end.Add(-time.Nanosecond))
	if a.ore != nil && (*a.ore != fmt.Sprint(int64(a.Ore), " ", last) || a.coins == nil || *a.coins != int64(a.OreCoins)) {
		return false
	}
	expected := a.PrizedAt != nil
	if expected && a.state != game.TournamentAwarded {
		return false
	}
	return isRecorded(a.gave, expected, int64(a.Prize.Coins)) && isRecorded(a.due, expected, int64(a.Prize.TON)) && (a.prize == nil || *a.prize == fmt.Sprint(*a.Rank))
}

// isRecorded reports whether an amount was recorded if and only if something was given, and whether it is right. For an amount of 0 there
// is no record.
func isRecorded(there *int64, expected bool, amount int64) bool {
	if !expected || amount == 0 {
		return there == nil
	}
	return there != nil && *there == amount
}

// findInvalidRanks lists miners whose rank or prize does not follow from the ore of all, and tournaments that were not ended or awarded
// although the job that does so has run.
func findInvalidRanks(ctx context.Context, s *Auditor, now time.Time) (invalid []string, err error) {
	ended, err := mines.FindTournaments(s.db.Read(ctx).Where("state IN ('final', 'awarded')").Order("id"))
	if err != nil {
		return nil, err
	}
	for _, t := range ended {
		err := s.db.Snapshot(ctx, func(tx *gorm.DB) error {
			some, err := misrankedIn(tx, t)
			invalid = append(invalid, some...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for _, stale := range []databaseCheck{findUngivenPrizes, findOverdueTournaments} {
		found, err := stale(ctx, s, now)
		if err != nil {
			return nil, err
		}
		invalid = append(invalid, found...)
	}
	return invalid, nil
}

var (
	findUngivenPrizes = staleRows(mines.TournamentsJob, "tournament %s is not given its prizes",
		"SELECT id FROM tournaments WHERE state = 'awarded' AND awarded_at < ? AND EXISTS (SELECT 1 FROM miners m WHERE m.tournament_id = tournaments.id AND "+mines.PrizeDue+") LIMIT ?")
	findOverdueTournaments = staleRows(mines.TournamentsJob, "tournament %s is not closed",
		"SELECT id FROM tournaments WHERE state IN ('scheduled', 'running') AND ends_at < ? LIMIT ?")
)

func misrankedIn(tx *gorm.DB, t models.Tournament) (invalid []string, err error) {
	var rows []struct {
		PlayerID   models.PlayerID
		Ore        game.MicroMCBK
		Rank       int
		PrizeTON   game.Nanoton `gorm:"column:prize_ton"`
		PrizeCoins game.MicroMCBK
	}
	err = tx.Raw("SELECT player_id, ore, COALESCE(place, 0) AS rank, prize_ton, prize_coins FROM miners WHERE tournament_id = ? ORDER BY ore DESC, player_id", t.ID).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the miners of tournament %d: %w", t.ID, err)
	}
	ores := make([]game.MicroMCBK, len(rows))
	for i, row := range rows {
		ores[i] = row.Ore
	}
	for i, at := range game.Standings(ores, t.PrizeNeeded()) {
		row := rows[i]
		if at != (game.Standing{Rank: row.Rank, Prize: game.Prize{TON: row.PrizeTON, Coins: row.PrizeCoins}}) && len(invalid) < mostListed {
			invalid = append(invalid, fmt.Sprintf("player %d in tournament %d", row.PlayerID, t.ID))
		}
	}
	return invalid, nil
}
