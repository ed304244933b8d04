package models

import "time"

// MineLevel is a mine that a payment has opened.
type MineLevel struct {
	TournamentID int64    `gorm:"primaryKey;autoIncrement:false"`
	PlayerID     PlayerID `gorm:"primaryKey;autoIncrement:false"`
	Level        int      `gorm:"primaryKey;autoIncrement:false"`
	OrderID      int64
	PaymentID    int64
	UnlockedAt   time.Time
}
