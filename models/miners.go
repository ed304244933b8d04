package models

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// Miner is the state of a player in a tournament. A transaction that changes it has locked the player.
type Miner struct {
	TournamentID int64
	PlayerID     PlayerID
	game.Digger

	// The result, once the tournament is final.
	Rank     *int // from 1; equal ore has the same rank
	Prize    game.Prize
	OreCoins game.MicroMCBK // coins that the ore became
	PaidAt   *time.Time     // when the ore was paid, UTC
	PrizedAt *time.Time     // when the prize was given, UTC; nil also without one
}

// fields returns the targets of a row's columns, in the order of minerColumns.
func (m *Miner) fields() []any {
	return []any{
		&m.TournamentID, &m.PlayerID, &m.Level, &m.Window, &m.EnergySpent, &m.AllowanceMilli, &m.AllowanceAt, &m.Ore, &m.Taps,
		&m.FirstDay, &m.LastDay, &m.Days, &m.Rank, &m.Prize.TON, &m.Prize.Coins, &m.OreCoins, &m.PaidAt, &m.PrizedAt,
	}
}

var allMinerColumns = []string{
	"tournament_id", "player_id", "level", "energy_window", "energy_spent", "allowance_milli", "allowance_at", "ore", "taps",
	"first_day", "last_day", "days", "place", "prize_ton", "prize_coins", "ore_coins", "paid_at", "prized_at",
}

// minerColumns names every column of a miner's row in the table called m, in the order of fields.
var minerColumns = "m." + strings.Join(allMinerColumns, ", m.")

// minerOf returns a player's row; before the first mine is open it is empty except for player and tournament.
func minerOf(tx *gorm.DB, tournament int64, player PlayerID) (Miner, error) {
	m := Miner{TournamentID: tournament, PlayerID: player}
	err := tx.Raw("SELECT "+minerColumns+" FROM miners m WHERE m.tournament_id = ? AND m.player_id = ?", tournament, player).Row().Scan(m.fields()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Miner{}, fmt.Errorf("read miner %d: %w", player, err)
	}
	return m, nil
}

// open stores a deeper mine of a locked player; the first one creates the row.
func (m *Miner) open(tx *gorm.DB, pace game.TapRules, now time.Time) error {
	if m.Level > 0 {
		m.Level++
		err := changeOne(tx, "UPDATE miners SET level = ? WHERE tournament_id = ? AND player_id = ? AND level = ?", m.Level, m.TournamentID, m.PlayerID, m.Level-1)
		if err != nil {
			return fmt.Errorf("open mine %d of player %d: %w", m.Level, m.PlayerID, err)
		}
		return nil
	}
	m.Digger = game.NewDigger(pace, stored(now))
	err := tx.Exec(`INSERT INTO miners (tournament_id, player_id, level, energy_window, energy_spent, allowance_milli, allowance_at, ore, taps, first_day, last_day, days)
		VALUES (?, ?, ?, ?, 0, ?, ?, 0, 0, ?, 0, 0)`,
		m.TournamentID, m.PlayerID, m.Level, m.Window, m.AllowanceMilli, m.AllowanceAt, m.FirstDay).Error
	if err != nil {
		return fmt.Errorf("make a miner of player %d: %w", m.PlayerID, err)
	}
	return nil
}

// saveMiners stores what digging changes.
func saveMiners(d dialect, rows []*Miner) statement {
	changed := []column{
		integers("energy_window", rows, func(m *Miner) game.Window { return m.Window }),
		integers("energy_spent", rows, func(m *Miner) int { return m.EnergySpent }),
		integers("allowance_milli", rows, func(m *Miner) int64 { return m.AllowanceMilli }),
		times("allowance_at", rows, func(m *Miner) time.Time { return m.AllowanceAt }),
		integers("ore", rows, func(m *Miner) game.MicroMCBK { return m.Ore }),
		integers("taps", rows, func(m *Miner) int64 { return m.Taps }),
		integers("last_day", rows, func(m *Miner) game.Day { return m.LastDay }),
		integers("days", rows, func(m *Miner) int { return m.Days }),
	}
	sets := make([]string, len(changed))
	for i, c := range changed {
		sets[i] = c.name + " = v." + c.name
	}
	table, values := d.values(append([]column{
		integers("tournament_id", rows, func(m *Miner) int64 { return m.TournamentID }),
		integers("player_id", rows, func(m *Miner) PlayerID { return m.PlayerID }),
	}, changed...)...)
	return statement{"UPDATE miners SET " + strings.Join(sets, ", ") + " FROM " + table +
		" WHERE miners.tournament_id = v.tournament_id AND miners.player_id = v.player_id", values}
}
