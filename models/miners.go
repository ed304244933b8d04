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

// minerOf returns a player's row; before the first mine is open it is empty except for player and tournament.
func minerOf(tx *gorm.DB, tournament int64, player PlayerID) (Miner, error) {
	m := Miner{TournamentID: tournament, PlayerID: player}
	err := tx.Raw("SELECT "+minerColumns+" FROM miners m WHERE m.tournament_id = ? AND m.player_id = ?", tournament, player).Row().Scan(m.fields()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Miner{}, fmt.Errorf("read miner %d: %w", player, err)
	}
	return m, nil
}

// openMine stores a deeper mine of a locked player; the first one creates the row.
func openMine(tx *gorm.DB, m *Miner, pace game.TapRules, now time.Time) error {
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
