package models

import "mcbk/game"

// DailyTotal is a row of daily_totals.
type DailyTotal struct {
	Day   game.Day `gorm:"primaryKey;autoIncrement:false"`
	What  string   `gorm:"primaryKey"`
	Total int64
}

// TableName implements schema.Tabler.
func (DailyTotal) TableName() string { return "daily_totals" }
