package models

import (
	"time"

	"mcbk/game"
)

// Checkin is the daily reward of a player on a UTC day. Coins and Points are 0 if it paid the default ones.
type Checkin struct {
	PlayerID    PlayerID `gorm:"primaryKey;autoIncrement:false"`
	Day         game.Day `gorm:"primaryKey;autoIncrement:false"`
	Streak      int      // days in a row, this one included
	CheckedInAt time.Time
	DoubledAt   *time.Time // UTC; nil until an ad has doubled it
	Coins       game.MicroMCBK
	Points      int64
}
