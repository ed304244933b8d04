package mines

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// FindMiner returns a player's row; before the first mine is open it is empty except for player and tournament.
func FindMiner(tx *gorm.DB, tournament int64, player models.PlayerID) (models.Miner, error) {
	m := models.Miner{TournamentID: tournament, PlayerID: player}
	err := tx.Raw("SELECT "+models.MinerColumns+" FROM miners m WHERE m.tournament_id = ? AND m.player_id = ?", tournament, player).Row().Scan(m.ScanFields()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return models.Miner{}, fmt.Errorf("read miner %d: %w", player, err)
	}
	return m, nil
}

// openMine stores a deeper mine of a locked player; the first one creates the row.
func openMine(tx *gorm.DB, m *models.Miner, pace game.TapRules, now time.Time) error {
	if m.Level > 0 {
		m.Level++
		err := db.UpdateOne(tx.Model(&models.Miner{}).
			Where("tournament_id = ? AND player_id = ? AND level = ?", m.TournamentID, m.PlayerID, m.Level-1).Update("level", m.Level))
		return db.Wrap(err, "open mine %d of player %d", m.Level, m.PlayerID)
	}
	m.Digger = game.NewDigger(pace, db.Time(now))
	err := tx.Exec(`INSERT INTO miners (tournament_id, player_id, level, energy_window, energy_spent, allowance_milli, allowance_at, ore, taps, first_day, last_day, days)
		VALUES (?, ?, ?, ?, 0, ?, ?, 0, 0, ?, 0, 0)`,
		m.TournamentID, m.PlayerID, m.Level, m.Window, m.AllowanceMilli, m.AllowanceAt, m.FirstDay).Error
	return db.Wrap(err, "make a miner of player %d", m.PlayerID)
}

// saveMiners stores what digging changes.
func saveMiners(d db.Dialect, rows []*models.Miner) db.Statement {
	changed := []db.Column{
		db.Integers("energy_window", rows, func(m *models.Miner) game.Window { return m.Window }),
		db.Integers("energy_spent", rows, func(m *models.Miner) int { return m.EnergySpent }),
		db.Integers("allowance_milli", rows, func(m *models.Miner) int64 { return m.AllowanceMilli }),
		db.Times("allowance_at", rows, func(m *models.Miner) time.Time { return m.AllowanceAt }),
		db.Integers("ore", rows, func(m *models.Miner) game.MicroMCBK { return m.Ore }),
		db.Integers("taps", rows, func(m *models.Miner) int64 { return m.Taps }),
		db.Integers("last_day", rows, func(m *models.Miner) game.Day { return m.LastDay }),
		db.Integers("days", rows, func(m *models.Miner) int { return m.Days }),
	}
	key := []db.Column{
		db.Integers("tournament_id", rows, func(m *models.Miner) int64 { return m.TournamentID }),
		db.Integers("player_id", rows, func(m *models.Miner) models.PlayerID { return m.PlayerID }),
	}
	const same = "miners.tournament_id = v.tournament_id AND miners.player_id = v.player_id"
	return d.Update("miners", db.Assignments(changed), same, append(key, changed...)...)
}
