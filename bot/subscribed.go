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

// errPaused says that Telegram has asked for a pause.
var errPaused = errors.New("silence was asked for")

// Subscribed asks Telegram whether a person is in a public channel, named as @channel, which the bot must administer. An error
// means that it is unknown: Telegram is away, has asked for a pause, or the bot may not see who is in the channel. A person whom
// Telegram does not know there is not in it. ctx sets the timeout.
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
		b.sender.log.ErrorContext(ctx, "the bot cannot see who is in a channel: make it an administrator there, or retire the task",
			"channel", channel, "error", truncateError(err))
	}
	return false, fmt.Errorf("ask who is in %s: %s", channel, truncateError(err))
}

// unknownMember reports whether Telegram sees into the channel and does not know the person: they never wrote to the bot, or were
// never there.
func unknownMember(err error) bool {
	return errors.Is(err, telegram.ErrorBadRequest) && slices.ContainsFunc([]string{"PARTICIPANT_ID_INVALID", "member not found", "user not found"},
		func(reason string) bool { return strings.Contains(err.Error(), reason) })
}

// isIn reports whether a member's status means being in the chat.
func isIn(member *tg.ChatMember) bool {
	switch member.Type {
	case tg.ChatMemberTypeOwner, tg.ChatMemberTypeAdministrator, tg.ChatMemberTypeMember:
		return true
	case tg.ChatMemberTypeRestricted:
		return member.Restricted != nil && member.Restricted.IsMember
	}
	return false
}
