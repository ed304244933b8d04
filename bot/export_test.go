package bot

import "context"

// Wake makes the workers look into the inbox now, as an arriving update does.
func (b *Bot) Wake() { b.wake() }

// WorkOnce is one look of a worker into the inbox; false when there was nothing to do.
func (b *Bot) WorkOnce(ctx context.Context) bool { return b.workOnce(ctx) }
