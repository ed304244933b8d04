package models

import (
	"time"

	"mcbk/game"
)

// ChainCursor identifies a transaction of the treasury; the zero value is before the first.
type ChainCursor struct {
	LT   int64  // logical time, ascending
	Hash string // hex
}

// Treasury is the account that payments go to, and how far its history is known.
type Treasury struct {
	Network    string
	Address    string      // raw
	Since      ChainCursor // the record begins after it
	Cursor     ChainCursor
	KnownUntil time.Time // zero before the first reading
	Sold       game.MicroMCBK
}
