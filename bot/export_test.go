package bot

import (
	"context"
	"time"

	"mcbk/bot/chart"
	"mcbk/models/outbox"
)

// Wake makes the workers look into the inbox now, as an arriving update does.
func (b *Bot) Wake() { b.inbox.wake() }

// WorkOnce is one look of a worker into the inbox; false when there was nothing to do.
func (b *Bot) WorkOnce(ctx context.Context) bool { return b.updates.workOnce(ctx) }

// DeliverOnce is one look into the outbox; it returns how long to wait for the next.
func (b *Bot) DeliverOnce(ctx context.Context) time.Duration { return b.outbox.deliverOnce(ctx) }

// FanOnce queues one batch of a broadcast; false when there is none.
func (b *Bot) FanOnce(ctx context.Context) bool { return b.outbox.fanOutOnce(ctx) }

// AdminCommands are the names of all.
func AdminCommands() (names []string) {
	for _, c := range adminCommands() {
		names = append(names, c.name)
	}
	return names
}

// DrawWith makes the bot draw with something else.
func (b *Bot) DrawWith(draw func(chart.Stats) ([]byte, error)) { b.admin.draw = draw }

// ProgressWith makes the bot count a broadcast's messages with something else.
func (b *Bot) ProgressWith(progress func(ctx context.Context, id int64) (outbox.Progress, error)) {
	b.admin.progress = progress
}

// MinesText words what happened to a player in the mines.
var MinesText = minesText

// Lasting words how long a broadcast takes.
var Lasting = sendDuration

// Reminder words what a player may come back for.
var Reminder = reminder
