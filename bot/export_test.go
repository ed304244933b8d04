package bot

import (
	"context"
	"time"

	"mcbk/bot/chart"
	"mcbk/models/outbox"
)

// Wake wakes the workers, as an arriving update does.
func (b *Bot) Wake() { b.inbox.wake() }

// WorkOnce handles one update; false if none is due.
func (b *Bot) WorkOnce(ctx context.Context) bool { return b.updates.workOnce(ctx) }

// DeliverOnce sends one message; it returns the delay before the next.
func (b *Bot) DeliverOnce(ctx context.Context) time.Duration { return b.outbox.deliverOnce(ctx) }

// FanOnce queues one batch of a broadcast; false when no work is left.
func (b *Bot) FanOnce(ctx context.Context) bool { return b.outbox.fanOutOnce(ctx) }

func AdminCommands() (names []string) {
	for _, c := range adminCommands() {
		names = append(names, c.name)
	}
	return names
}

// DrawWith replaces the drawing of charts.
func (b *Bot) DrawWith(draw func(chart.Stats) ([]byte, error)) { b.admin.draw = draw }

// ProgressWith replaces the count of a broadcast's messages.
func (b *Bot) ProgressWith(progress func(ctx context.Context, id int64) (outbox.Progress, error)) {
	b.admin.progress = progress
}

// Named loads the bot's name.
func (b *Bot) Named(ctx context.Context) error { return b.profile.loadName(ctx) }

var (
	MinesText  = minesText
	PlaceWords = placeWords
	Lasting    = sendDuration
	Reminder   = reminder
)
