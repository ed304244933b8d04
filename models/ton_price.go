package models

import (
	"time"

	"mcbk/game"
)

// TONPrice is a reading of the price of TON.
type TONPrice struct {
	ReadAt   time.Time `gorm:"primaryKey"`
	Price    game.MicroUSD
	Doubtful bool // the price services differed
}
