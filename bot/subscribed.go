package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"
)

// errPaused: Telegram has requested a pause (429).
var errPaused = errors.New("sending is paused")

// Subscribed checks a user's membership of a public channel (@channel), which the bot must administer. An error means unknown:
// Telegram is unavailable, has paused requests, or the bot can't list members. A user unknown to Telegram is no member. ctx sets
// the timeout.
func (b *Bot) Subscribed(ctx context.Context, channel string, telegramID int64) (bool, error) {
	if !b.pause.allows(ctx) {
		return false, errPaused
	}
	member, err := b.sender.client.GetChatMember(ctx, &telegram.GetChatMemberParams{ChatID: channel, UserID: telegramID})
	var tooMany *telegram.TooManyRequestsError
	switch {
	case err == nil:
		return isIn(member), nil
	case errors.As(err, &tooMany):
		return false, errors.Join(errPaused, b.sender.store.Outbox.PauseSending(context.WithoutCancel(ctx), b.pause.begin(tooMany)))
	case unknownMember(err):
		return false, nil
	case errors.Is(err, telegram.ErrorBadRequest), errors.Is(err, telegram.ErrorForbidden):
		b.sender.log.ErrorContext(ctx, "read channel members: make the bot an administrator there, or retire the task",
			"channel", channel, "error", truncateError(err))
	}
	return false, fmt.Errorf("read members of %s: %s", channel, truncateError(err))
}

// unknownMember reports whether Telegram does not know the user: they never wrote to the bot, or never joined.
func unknownMember(err error) bool {
	return errors.Is(err, telegram.ErrorBadRequest) && slices.ContainsFunc([]string{"PARTICIPANT_ID_INVALID", "member not found", "user not found"},
		func(reason string) bool { return strings.Contains(err.Error(), reason) })
}

// isIn reports whether a status means membership.
func isIn(member *tg.ChatMember) bool {
	switch member.Type {
	case tg.ChatMemberTypeOwner, tg.ChatMemberTypeAdministrator, tg.ChatMemberTypeMember:
		return true
	case tg.ChatMemberTypeRestricted:
		return member.Restricted != nil && member.Restricted.IsMember
	}
	return false
}
