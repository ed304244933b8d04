package models

import (
	"fmt"
	"time"

	"mcbk/game"
)

// Payout is TON that is owed: a prize, or a refund. People pay it; the program holds no key.
type Payout struct {
	ID           int64
	PlayerID     *PlayerID // nil for a payment that belongs to no order
	TournamentID *int64    // of a prize
	PaymentID    *int64    // of a refund
	Amount       game.Nanoton
	State        PayoutState
	Address      *string // raw, frozen when it was approved
	ReportedHash *string // hex, the transaction that paid it according to an admin
	DueAt        time.Time
	ApprovedAt   *time.Time
	SentAt       *time.Time
	SettledAt    *time.Time
	SettledLT    *int64 `gorm:"column:settled_lt"`
	SettledLine  *int
	ReturnedLT   *int64 `gorm:"column:returned_lt"` // of the transfer that came back last
	Reason       string // why it was cancelled

	Target    *string      `gorm:"->"`              // raw, where it would be paid to now; nil while its player has proven no wallet
	Unmatched game.Nanoton `gorm:"->;column:stray"` // left with its comment without settling it, since it last came back
	Banned    bool         `gorm:"->"`              // its player, who can prove no wallet then
	Erased    bool         `gorm:"->"`              // their account, so that nobody can have it any longer
}

// TableName implements schema.Tabler.
func (Payout) TableName() string { return "payables" }

// PayoutState is the state of a payout.
type PayoutState string

// A payout is due until an admin approves it. Then a person pays it from a wallet, an admin may report the transaction, and it is
// settled once the chain shows it.
const (
	PayoutDue       PayoutState = "due"
	PayoutApproved  PayoutState = "approved"
	PayoutSent      PayoutState = "sent"
	PayoutSettled   PayoutState = "settled"
	PayoutCancelled PayoutState = "cancelled"
)

// PayoutSteps are the states that follow each state of a payout.
var PayoutSteps = Steps[PayoutState]{
	PayoutDue:      {PayoutApproved, PayoutCancelled},
	PayoutApproved: {PayoutSent, PayoutSettled, PayoutCancelled},
	PayoutSent:     {PayoutSettled, PayoutDue},
	PayoutSettled:  {PayoutDue},
}

// PayoutCommentPrefix is the prefix of the comment by which the chain shows what a transfer paid.
const PayoutCommentPrefix = "MCBK-"

// Comment returns the comment that its payment must have.
func (p Payout) Comment() string { return PayoutCommentPrefix + fmt.Sprint(p.ID) }
