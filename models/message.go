package models

import "time"

// MessageState is the state of a message.
type MessageState string

// A message is queued until it is sent, or dead: given up, refused or unwanted.
const (
	MessageQueued MessageState = "queued"
	MessageSent   MessageState = "sent"
	MessageDead   MessageState = "dead"
)

// MessageSteps are the states that follow each state of a message.
var MessageSteps = Steps[MessageState]{
	MessageQueued: {MessageSent, MessageDead},
	MessageDead:   {MessageSent},
}

// Urgency orders messages that are due at the same time.
type Urgency int

// Alarms go before messages to one person, and these before broadcasts and reminders.
const (
	UrgencyAlarm Urgency = iota
	UrgencyPersonal
	UrgencyBulk
)

// MessageKind names a text of the bot.
type MessageKind string

// The kinds of messages, with their params.
const (
	FriendJoined  MessageKind = "friend_joined"   // to the inviter; name: the friend's
	FriendPaid    MessageKind = "friend_rewarded" // to the inviter; name: the friend's
	BroadcastCopy MessageKind = "broadcast"       // one player's copy of Message.BroadcastID
	AdminNotice   MessageKind = "admin"           // to an admin; text: all of it

	PurchaseCredited MessageKind = "purchase_credited" // to the buyer; coins: micro-MCBK
	PaymentUnmatched MessageKind = "payment_unmatched" // to the player whose wallet sent what names no order; nanoton

	// StarRefund is no text: it has Telegram give Stars back. charge: its id. (decision 0048: Stars)
	StarRefund    MessageKind = "star_refund"
	StarsRefunded MessageKind = "stars_refunded" // to the payer; stars

	ShareCard MessageKind = "share_card" // a picture that the player asked for; of: CardOfSeason or CardOfTournament, tournament: its id

	// A player gets one reminder a UTC day, of one kind. (decision 0014)
	DailyReminder MessageKind = "daily_reminder" // streak: days in a row up to yesterday
	EnergyFull    MessageKind = "energy_full"    // of: "bag" or "mine", what is full again
)

// What a ShareCard shows.
const (
	CardOfSeason     = "season"
	CardOfTournament = "tournament"
)

// IsReminder reports whether a message of this kind is good only for the day on which it was queued.
func (k MessageKind) IsReminder() bool { return k == DailyReminder || k == EnergyFull }

// Message is a message of the bot that answers nothing. The bot words it from kind and params in the person's language when it
// is sent. The first five fields are the sender's.
type Message struct {
	Key     string // unique: the same key again is no second message
	ChatID  int64  // Telegram's id of the person
	Kind    MessageKind
	Params  map[string]string `gorm:"serializer:json"` // parameters of the kind's text, unescaped
	Urgency Urgency

	ID          int64
	State       MessageState
	Tries       int       // started so far, including the current one
	NextTryAt   time.Time // UTC; for a message that was taken, when its hold ends
	QueuedAt    time.Time
	FinishedAt  *time.Time // nil while it is queued
	LastError   string
	BroadcastID *int64     // nil for a message of no broadcast
	QuietUntil  *time.Time // until then nothing else goes to this chat; nil before the first try
}

// TableName implements schema.Tabler.
func (Message) TableName() string { return "outbox" }

// BypassesOptOut reports whether the message is sent even to those who want no messages: it is not for a player,
// gives one's money back, or was asked for.
func (m Message) BypassesOptOut() bool {
	return m.Urgency == UrgencyAlarm || m.Kind == AdminNotice || m.Kind == StarRefund || m.Kind == ShareCard
}
