package bot

import (
	"context"

	tg "github.com/go-telegram/bot/models"
)

// The commands of parts of the game that are not built. They are read and checked as they will
// be; whoever builds such a part gives its forms something to do.

func (b *Bot) adminPayouts() func(context.Context, *tg.Message, string) (reply, error) {
	const part = "payouts"
	return b.written("payouts",
		form{"", notOpen(part)},
		form{"approve ID", b.notOpenTo(part, "payouts approve")},
		form{"sent ID HASH", b.notOpenTo(part, "payouts sent")},
	)
}

func (b *Bot) adminTournament() func(context.Context, *tg.Message, string) (reply, error) {
	const part = "the tournament"
	return b.written("tournament",
		form{"status", notOpen(part)},
		form{"award", b.notOpenTo(part, "tournament award")},
		form{"new START", b.notOpenTo(part, "tournament new")},
	)
}
