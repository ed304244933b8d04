package models

import (
	"strings"
	"time"

	"mcbk/game"
)

// Miner is the state of a player in a tournament. A transaction that changes it has locked the player.
type Miner struct {
	TournamentID int64    `gorm:"primaryKey;autoIncrement:false"`
	PlayerID     PlayerID `gorm:"primaryKey;autoIncrement:false"`
	game.Digger  `gorm:"embedded"`

	// The result, once the tournament is final.
	Rank     *int           `gorm:"column:place"` // from 1; equal ore has the same rank
	Prize    game.Prize     `gorm:"embedded;embeddedPrefix:prize_"`
	OreCoins game.MicroMCBK // coins that the ore became
	PaidAt   *time.Time     // when the ore was paid, UTC
	PrizedAt *time.Time     // when the prize was given, UTC; nil also without one
}

// ScanFields returns the targets of a row's columns, in the order of MinerColumns.
func (m *Miner) ScanFields() []any {
	return []any{
		&m.TournamentID, &m.PlayerID, &m.Level, &m.Window, &m.EnergySpent, &m.AllowanceMilli, &m.AllowanceAt, &m.Ore, &m.Taps,
		&m.FirstDay, &m.LastDay, &m.Days, &m.Rank, &m.Prize.TON, &m.Prize.Coins, &m.OreCoins, &m.PaidAt, &m.PrizedAt,
	}
}

var allMinerColumns = []string{
	"tournament_id", "player_id", "level", "energy_window", "energy_spent", "allowance_milli", "allowance_at", "ore", "taps",
	"first_day", "last_day", "days", "place", "prize_ton", "prize_coins", "ore_coins", "paid_at", "prized_at",
}

// MinerColumns names every column of a miner's row in the table called m, in the order of fields.
var MinerColumns = "m." + strings.Join(allMinerColumns, ", m.")
