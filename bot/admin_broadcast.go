package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

// adminBroadcast shows what all players would be told, as they would see it, and asks whether to
// send it: the text behind the command, or the message the command answers. Alone it tells how
// far the newest broadcast has come, and asks whether to stop it.
func (b *Bot) adminBroadcast(ctx context.Context, message *tg.Message, payload string) (reply, error) {
	source := message.ReplyToMessage
	switch {
	case payload == "" && source == nil:
		return b.broadcastProgress(ctx)
	case payload != "" && source != nil:
		return reply{text: "Either a text behind /broadcast, or /broadcast alone as an answer to a message."}, nil
	}
	draft := models.Broadcast{AuthorID: message.From.ID, Text: payload}
	if source != nil {
		draft.SourceChatID, draft.SourceMessageID = source.Chat.ID, source.ID
	}
	draft, err := b.store.DraftBroadcast(ctx, draft, b.now())
	if errors.Is(err, models.ErrBroadcastContent) {
		return reply{text: "A broadcast is a text of 1 to 4096 characters."}, nil
	}
	if err != nil {
		return reply{}, err
	}
	audience, err := b.store.BroadcastAudience(ctx)
	if err != nil {
		return reply{}, err
	}
	language, err := b.languageOf(ctx, message.From)
	if err != nil {
		return reply{}, err
	}
	if err := b.show(ctx, message.Chat.ID, draft, language); err != nil {
		return reply{}, err
	}
	return reply{
		text:   fmt.Sprintf("Send the message above to %s? At 25 a second it takes %s.", playersIn(audience), lasting(audience)),
		action: models.ActionBroadcast, args: []string{strconv.FormatInt(draft.ID, 10)},
	}, nil
}

// broadcastProgress tells of the newest broadcast; while messages wait it is a question.
func (b *Bot) broadcastProgress(ctx context.Context) (reply, error) {
	newest, err := b.store.NewestBroadcast(ctx)
	if errors.Is(err, models.ErrNotFound) {
		return reply{text: "Nothing was broadcast yet. /broadcast TEXT tells all players something."}, nil
	}
	if err != nil {
		return reply{}, err
	}
	progress, err := b.store.BroadcastProgress(ctx, newest.ID)
	if err != nil {
		return reply{}, err
	}
	lines := []string{
		fmt.Sprintf("<b>Broadcast %d</b> to %s: %s", newest.ID, playersIn(newest.Audience), newest.State),
		fmt.Sprintf("Sent: %d, not wanted or not reached: %d, waiting: %d", progress.Sent, progress.Dead, progress.Queued),
	}
	if newest.State == models.BroadcastCancelled || (newest.State == models.BroadcastDone && progress.Queued == 0) {
		return reply{text: strings.Join(lines, "\n")}, nil
	}
	lines = append(lines, "Confirm to stop it: what waits is not sent.")
	return reply{
		text:   strings.Join(lines, "\n"),
		action: models.ActionStopBroadcast, args: []string{strconv.FormatInt(newest.ID, 10)},
	}, nil
}

func playersIn(count int64) string {
	if count == 1 {
		return "1 player"
	}
	return fmt.Sprintf("%d players", count)
}

// lasting is how long so many messages take, in words.
func lasting(messages int64) string {
	const aMinute = 25 * 60
	if messages < aMinute {
		return "less than a minute"
	}
	return fmt.Sprintf("about %d minutes", (messages+aMinute-1)/aMinute)
}
