package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/models/db"
)

// MessageState is the state of a message.
type MessageState string

// A message is queued until it is sent, or dead: given up, refused or unwanted.
const (
	MessageQueued MessageState = "queued"
	MessageSent   MessageState = "sent"
	MessageDead   MessageState = "dead"
)

// Urgency orders messages that are due at the same time.
type Urgency int

// News of one person goes before what all are told, and alarms before both.
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
)

// The kinds of reminders, with their params. A player gets one a UTC day, of one kind. (decision 0047)

// IsReminder reports whether a message of this kind is good only for the day on which it was queued.
func (k MessageKind) IsReminder() bool { return k == DailyReminder || k == EnergyFull }

// Message is something that the bot tells a person unasked. The bot words it from kind and params in the person's language when it
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

// BypassesOptOut reports whether the message is sent even to those who want no messages: it is not for a player.
func (m Message) BypassesOptOut() bool { return m.Urgency == UrgencyAlarm || m.Kind == AdminNotice }

// Enqueue stores messages in the transaction of their cause. A message with a known key changes nothing. They are sent at now or
// later.
func Enqueue(tx *gorm.DB, d db.Dialect, now time.Time, messages ...Message) error {
	if len(messages) == 0 {
		return nil
	}
	params := make([]string, len(messages))
	for i, m := range messages {
		text, err := json.Marshal(m.Params)
		if err != nil {
			return fmt.Errorf("params of message %q: %w", m.Key, err)
		}
		params[i] = string(text)
	}
	table, values := d.Values(
		db.Texts("key", messages, func(m Message) string { return m.Key }),
		db.Integers("chat_id", messages, func(m Message) int64 { return m.ChatID }),
		db.Texts("kind", messages, func(m Message) MessageKind { return m.Kind }),
		db.Texts("params", params, func(text string) string { return text }),
		db.Integers("urgency", messages, func(m Message) Urgency { return m.Urgency }),
		db.Times("now", messages, func(Message) time.Time { return db.Time(now) }),
	)
	err := tx.Exec(`INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, last_error)
		SELECT v.key, v.chat_id, v.kind, v.params, v.urgency, 'queued', 0, v.now, v.now, ''
		FROM `+table+` WHERE true ON CONFLICT (key) DO NOTHING`, values...).Error
	if err != nil {
		return fmt.Errorf("queue %d messages, the first %q: %w", len(messages), messages[0].Key, err)
	}
	return nil
}

// NoticeAdmins queues a text for each of some admins, in the transaction ctx carries if there is one. The key identifies the cause:
// with a known key nothing is queued again.
func (s *Store) NoticeAdmins(ctx context.Context, key, text string, urgency Urgency, admins []int64, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error { return s.noticeAdmins(tx, key, text, urgency, admins, now) })
}

// noticeAdmins is NoticeAdmins inside a transaction.
func (s *Store) noticeAdmins(tx *gorm.DB, key, text string, urgency Urgency, admins []int64, now time.Time) error {
	messages := make([]Message, 0, len(admins))
	for _, id := range admins {
		messages = append(messages, Message{
			Key: fmt.Sprintf("admin:%s:%d", key, id), ChatID: id, Kind: AdminNotice, Params: map[string]string{"text": text}, Urgency: urgency,
		})
	}
	return Enqueue(tx, s.db.Dialect, now, messages...)
}
