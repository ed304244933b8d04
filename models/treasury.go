package models

import (
	"time"

	"mcbk/game"
)

// ChainCursor identifies a transaction of the treasury; the zero value is before the first.
type ChainCursor struct {
	LT   int64  `gorm:"column:lt"` // logical time, ascending
	Hash string // hex
}

// Treasury is the account that payments go to, and how far its history is known.
type Treasury struct {
	ID         int64
	Network    string
	Address    string      // raw
	Since      ChainCursor `gorm:"embedded;embeddedPrefix:since_"` // the record begins after it
	Cursor     ChainCursor `gorm:"embedded"`
	KnownUntil time.Time   // zero (NULL) before the first reading
	Sold       game.MicroMCBK
}

// TableName implements schema.Tabler.
func (Treasury) TableName() string { return "treasury" }

// TreasuryTransaction is a transaction of the treasury on the chain.
type TreasuryTransaction struct {
	LT          int64 `gorm:"column:lt;primaryKey;autoIncrement:false"`
	Hash        string
	PrevLT      int64 `gorm:"column:prev_lt"`
	PrevHash    string
	HappenedAt  time.Time // chain time, UTC, in whole seconds
	Kind        string
	Source      string // raw address of the sender; empty when there was none
	Amount      game.Nanoton
	Comment     string
	CommentKind string
	BoC         []byte `gorm:"column:boc"`
	SeenAt      time.Time
	ShownBy     int // lite servers; 0 where a single one is configured
}

// TreasuryTransfer is TON that left the treasury by a transaction.
type TreasuryTransfer struct {
	LT          int64  `gorm:"column:lt;primaryKey;autoIncrement:false"`
	Line        int    `gorm:"primaryKey;autoIncrement:false"` // place within the transaction, from 0
	Destination string // raw
	Amount      game.Nanoton
	Comment     string
	ReturnedLT  *int64 `gorm:"column:returned_lt"` // of the transaction by which it came back
}
