package models

import "time"

// UpdateState is the state of an update.
type UpdateState string

// An update waits until it is done, or dead after five failed tries.
const (
	UpdateWaiting UpdateState = "waiting"
	UpdateDone    UpdateState = "done"
	UpdateDead    UpdateState = "dead"
)

// BotUpdateSteps are the states that follow each state of an update.
var BotUpdateSteps = Steps[UpdateState]{
	UpdateWaiting: {UpdateDone, UpdateDead},
}

// BotUpdate is one update as Telegram sent it. The first three fields are the sender's.
type BotUpdate struct {
	UpdateID int64  `gorm:"primaryKey;autoIncrement:false"`
	ChatID   int64  // updates of one chat are worked on in order; 0 when it belongs to none
	Body     []byte // the JSON Telegram sent; empty once it is done

	State      UpdateState
	Tries      int       // started so far, including the current one
	NextTryAt  time.Time // UTC; for an update that was taken, when its hold ends
	ReceivedAt time.Time
	FinishedAt *time.Time // nil while it waits
	LastError  string
}
