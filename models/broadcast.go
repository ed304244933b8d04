package models

import (
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// LongestMessage is the longest text that Telegram takes, in UTF-16 units.
const LongestMessage = 4096

// BroadcastState is the state of a broadcast.
type BroadcastState string

// A broadcast is a draft until an admin confirms it, fans out to the players, and is done once
// all its messages are in the outbox; until the last is sent it can be cancelled.
const (
	BroadcastDraft     BroadcastState = "draft"
	BroadcastFanning   BroadcastState = "fanning"
	BroadcastDone      BroadcastState = "done"
	BroadcastCancelled BroadcastState = "cancelled"
)

// BroadcastSteps are the states that follow each state of a broadcast.
var BroadcastSteps = Steps[BroadcastState]{
	BroadcastDraft:   {BroadcastFanning},
	BroadcastFanning: {BroadcastDone, BroadcastCancelled},
	BroadcastDone:    {BroadcastCancelled},
}

// Broadcast is a message of an admin to all players: a text, or a copy of a message. Either Text or
// both of Source… are set. The first four fields are the author's.
type Broadcast struct {
	AuthorID        int64  // the admin's Telegram id
	Text            string // without markup
	SourceChatID    int64
	SourceMessageID int

	ID        int64
	State     BroadcastState
	Cursor    PlayerID // the last player whose message was queued
	Audience  int64    // players it was meant for when it was drafted
	Queued    int64    // messages put into the outbox so far
	DraftedAt time.Time
	StartedAt *time.Time
	EndedAt   *time.Time // when it was done or cancelled
}

// Sayable reports whether Telegram would accept the broadcast: a text of 1 to 4096 characters, or a copy of a message.
func (b Broadcast) Sayable() bool {
	if b.SourceMessageID > 0 && b.SourceChatID != 0 {
		return b.Text == ""
	}
	return b.SourceMessageID == 0 && b.SourceChatID == 0 && strings.TrimSpace(b.Text) != "" && utf8.ValidString(b.Text) &&
		!strings.ContainsRune(b.Text, 0) && len(utf16.Encode([]rune(b.Text))) <= LongestMessage
}
