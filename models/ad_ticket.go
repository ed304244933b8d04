package models

import (
	"time"

	"mcbk/game"
)

// AdTicketAge is how long after its opening a ticket can be confirmed.
const AdTicketAge = 60 * time.Minute

// AdPurpose is the reward that an ad is watched for.
type AdPurpose string

// The ad purposes.
const (
	AdDaily      AdPurpose = "daily"
	AdPrediction AdPurpose = "prediction"
	AdSpin       AdPurpose = "spin"     // one more free spin
	AdRoulette   AdPurpose = "roulette" // a spin's prize, multiplied
)

// AdTicket is issued before an ad is shown.
type AdTicket struct {
	Ticket         string `gorm:"primaryKey"` // 32 hex digits
	PlayerID       PlayerID
	Purpose        AdPurpose
	TargetID       int64    // the advice or spin; 0 where the day says enough
	Day            game.Day // UTC, of opening: what is paid belongs to it
	OpenedAt       time.Time
	State          AdState
	SettledAt      *time.Time // UTC; nil until confirmed
	Paid           bool       // the confirmation still found something to pay
	AcknowledgedAt *time.Time `gorm:"column:told_at"` // UTC; nil until the player was shown what it paid
}

// AdState is the state of a ticket.
type AdState string

// A ticket is open until it is confirmed, or too old for that.
const (
	AdOpen    AdState = "open"
	AdSettled AdState = "settled"
	AdExpired AdState = "expired"
)

// AdTicketSteps are the states that follow each state of an ad ticket.
var AdTicketSteps = Steps[AdState]{
	AdOpen: {AdSettled, AdExpired},
}

// ExpiresAt returns the time from which the ticket can no longer be confirmed, UTC.
func (t AdTicket) ExpiresAt() time.Time { return t.OpenedAt.Add(AdTicketAge).UTC() }
