package models

import "time"

// OutboxPace says when messages may be sent, by all processes together. It is one row.
type OutboxPace struct {
	ID          int16
	NextSlotAt  time.Time // the next message of the outbox
	SilentUntil time.Time // anything at all
}

// TableName implements schema.Tabler.
func (OutboxPace) TableName() string { return "outbox_pace" }
