package models

import (
	"fmt"
	"strconv"
	"time"
)

// ActionState is the stage of an admin's action.
type ActionState string

// A pending action (asked) is executed, cancelled, expired, or refused by the rules. An attempt that never became one is refused
// from the start.
const (
	ActionAsked     ActionState = "asked"
	ActionExecuted  ActionState = "executed"
	ActionCancelled ActionState = "cancelled"
	ActionExpired   ActionState = "expired"
	ActionRefused   ActionState = "refused"
)

// AdminActionSteps are the states that follow each state of an admin's action.
var AdminActionSteps = Steps[ActionState]{
	ActionAsked: {ActionExecuted, ActionCancelled, ActionExpired, ActionRefused},
}

// AdminAction is a row of the audit log.
type AdminAction struct {
	ID        int64
	AdminID   int64 // Telegram's id; of a refused attempt, of who made it
	ChatID    int64
	Action    Action
	Args      []string `gorm:"serializer:json"`
	State     ActionState
	NonceHash *string // nil for an attempt that was refused from the start
	AskedAt   time.Time
	ExpiresAt time.Time
	DecidedAt *time.Time // nil while it is pending
	Outcome   string     // the result, for people to read
}

// Action names what an admin can have done.
type Action string

// PendingAction is an admin's pending action, which waits for confirmation.
type PendingAction struct {
	Admin  int64 // Telegram's id, also of the private chat
	Action Action
	Args   []string
}

// Subject returns what an action is about: its first argument, a number.
func (a AdminAction) Subject() string {
	number, err := strconv.ParseInt(a.Arg(0), 10, 64)
	if err != nil {
		return a.Arg(0)
	}
	return fmt.Sprint(number)
}

// Arg returns an argument; empty if there are fewer.
func (a AdminAction) Arg(i int) string {
	if i >= len(a.Args) {
		return ""
	}
	return a.Args[i]
}

// ConfirmationTimeout is how long a pending action waits for its confirmation. (decision 0022: admins)
const ConfirmationTimeout = 120 * time.Second
