package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	telegram "github.com/go-telegram/bot"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/outbox"
)

// adminBroadcast previews a broadcast and requests its confirmation: the text after the command, or the message it replies to.
// Without either it shows the progress of broadcasts and offers to stop those under way.
func (h *adminHandler) adminBroadcast(ctx context.Context, message *message, payload string) (reply, error) {
	source := message.ReplyTo
	switch {
	case payload == "" && source == nil:
		return h.broadcastProgress(ctx, message.From.ID)
	case payload != "" && source != nil:
		return reply{text: "Either write a text after /broadcast, or /broadcast alone in reply to a message."}, nil
	}
	draft := models.Broadcast{AuthorID: message.From.ID, Text: payload}
	if source != nil {
		draft.SourceChatID, draft.SourceMessageID = source.Chat.ID, source.ID
	}
	if !draft.Sayable() {
		return reply{text: "A broadcast is a text of 1 to 4096 characters."}, nil
	}
	language, err := h.languageOf(ctx, message.From)
	if err != nil {
		return reply{}, err
	}
	err = h.sendBroadcast(ctx, message.Chat.ID, draft, language)
	if errors.Is(err, telegram.ErrorBadRequest) {
		return reply{text: "Telegram does not accept this message: " + html.EscapeString(reasonOf(err))}, nil
	}
	if err != nil {
		return reply{}, err
	}
	if draft, err = h.store.Outbox.DraftBroadcast(ctx, draft, h.now()); err != nil {
		return reply{}, err
	}
	return reply{
		text: fmt.Sprintf("Send the message above to %s? At 25 a second it takes %s. Meanwhile /broadcast without a text offers to stop it.",
			pluralize(draft.Audience, "player", "players"), sendDuration(draft.Audience)),
		action: outbox.ActionBroadcast, args: []string{strconv.FormatInt(draft.ID, 10)},
	}, nil
}

// reasonOf returns Telegram's description of a bad request.
func reasonOf(refused error) string {
	text := truncateError(refused)
	if _, reason, found := strings.Cut(text, "Bad Request: "); found {
		return reason
	}
	return text
}

// broadcastProgress offers to stop each broadcast under way, the newest last: a wrong one can be stopped while its correction is
// being sent. If none is under way it shows the newest.
func (h *adminHandler) broadcastProgress(ctx context.Context, admin int64) (reply, error) {
	going, err := h.store.Outbox.BroadcastsUnderWay(ctx)
	if err != nil {
		return reply{}, err
	}
	if len(going) == 0 {
		return h.newestBroadcast(ctx)
	}
	for _, earlier := range slices.Backward(going[1:]) {
		pending, err := h.stopAction(ctx, earlier)
		if err != nil {
			return reply{}, err
		}
		if err := h.sendReply(ctx, admin, pending); err != nil {
			return reply{}, err
		}
	}
	return h.stopAction(ctx, going[0])
}

func (h *adminHandler) newestBroadcast(ctx context.Context) (reply, error) {
	newest, err := h.store.Outbox.NewestBroadcast(ctx)
	if errors.Is(err, db.ErrNotFound) {
		return reply{text: "Nothing has been broadcast yet. /broadcast TEXT sends a message to all players."}, nil
	}
	if err != nil {
		return reply{}, err
	}
	text, err := h.progressOf(ctx, newest)
	return reply{text: text}, err
}

func (h *adminHandler) stopAction(ctx context.Context, broadcast models.Broadcast) (reply, error) {
	text, err := h.progressOf(ctx, broadcast)
	return reply{
		text:   text + "\nConfirm to stop it: what is still waiting will not be sent.",
		action: outbox.ActionStopBroadcast, args: []string{strconv.FormatInt(broadcast.ID, 10)},
	}, err
}

// progressOf describes a broadcast's progress and quotes the beginning of its text.
func (h *adminHandler) progressOf(ctx context.Context, broadcast models.Broadcast) (string, error) {
	says, recipients := "a copy of a message", pluralize(broadcast.Audience, "player", "players")
	if broadcast.Text != "" {
		says = "“" + html.EscapeString(excerpt(broadcast.Text, longestExcerpt)) + "”"
	}
	progress, err := h.progress(ctx, broadcast.ID)
	if errors.Is(err, db.ErrUnavailable) { // counting millions timed out; stopping must still be possible
		return fmt.Sprintf("<b>Broadcast %d</b> to %s: %s\nIts messages take too long to count.", broadcast.ID, recipients, says), nil
	}
	if err != nil {
		return "", err
	}
	if left := broadcast.Audience - progress.Sent - progress.Dead; broadcast.State == models.BroadcastFanning && left > progress.Queued {
		progress.Queued = left // not all are queued yet
	}
	return fmt.Sprintf("<b>Broadcast %d</b> to %s: %s\n%s\nSent: %d, not wanted or not reached: %d, waiting: %d",
		broadcast.ID, recipients, stateOf(broadcast.State, progress.Queued), says, progress.Sent, progress.Dead, progress.Queued), nil
}

// stateOf returns a broadcast's displayed state: with all messages queued, many may be unsent.
func stateOf(state models.BroadcastState, waiting int64) string {
	switch {
	case state == models.BroadcastCancelled:
		return "stopped"
	case state == models.BroadcastDone && waiting == 0:
		return "sent"
	}
	return "being sent"
}

// longestExcerpt is how many characters of a text an admin is shown to recognise it by.
const longestExcerpt = 80

func excerpt(text string, limit int) string {
	if shown := []rune(text); len(shown) > limit {
		return string(shown[:limit]) + "…"
	}
	return text
}

func sendDuration(messages int64) string {
	const perMinute, perHour = 25 * 60, 25 * 60 * 60
	switch {
	case messages < perMinute:
		return "less than a minute"
	case messages < 2*perHour:
		return fmt.Sprintf("about %d minutes", (messages+perMinute-1)/perMinute)
	}
	return fmt.Sprintf("about %d hours", (messages+perHour-1)/perHour)
}
