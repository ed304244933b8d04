package bot

import (
	"context"
	"strings"
	"unicode"

	tg "github.com/go-telegram/bot/models"
)

// command is a slash command of the bot.
type command struct {
	name   string
	does   phrase // one line, for Telegram's list and /help
	answer func(ctx context.Context, message *tg.Message, payload string) error
}

// commands are the commands for everybody, in the order Telegram lists them.
func (b *Bot) commands() []command {
	return []command{
		{"start", texts.doesStart, b.answerStart},
		{"play", texts.doesPlay, b.answerPlay},
		{"help", texts.doesHelp, b.answerHelp},
		{"language", texts.doesLanguage, b.answerLanguage},
		{"privacy", texts.doesPrivacy, b.answerPrivacy},
		{"paysupport", texts.doesPaysupport, b.answerPaysupport},
	}
}

// listen registers a handler for every kind of update; the rest goes to answerText.
func (b *Bot) listen() {
	b.client.RegisterHandlerMatchFunc(
		func(update *tg.Update) bool {
			_, _, _, ok := b.adminCommandIn(update)
			return ok
		},
		reported(b.answerAdmin),
	)
	for _, c := range b.commands() {
		b.client.RegisterHandlerMatchFunc(
			func(update *tg.Update) bool {
				name, _, ok := b.commandIn(update)
				return ok && name == c.name
			},
			reported(func(ctx context.Context, update *tg.Update) error {
				_, payload, _ := b.commandIn(update)
				return c.answer(ctx, update.Message, payload)
			}),
		)
	}
	b.client.RegisterHandlerMatchFunc(
		func(update *tg.Update) bool { return update.CallbackQuery != nil },
		reported(b.answerCallback),
	)
}

// commandIn reads a private message as a command.
func (b *Bot) commandIn(update *tg.Update) (name, payload string, ok bool) {
	if !isPrivate(update.Message) {
		return "", "", false
	}
	return b.commandOf(update.Message.Text)
}

// commandOf reads a text as "/name payload" or "/name@thisbot payload". A command addressed to another bot is ignored.
func (b *Bot) commandOf(text string) (name, payload string, ok bool) {
	text, ok = strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		text, payload = text[:end], strings.TrimSpace(text[end:])
	}
	name, address, addressed := strings.Cut(text, "@")
	// Until our name is known any address counts as ours: nobody but us reads this chat.
	if own := b.Username(); addressed && own != "" && !strings.EqualFold(address, own) {
		return "", "", false
	}
	return strings.ToLower(name), payload, true
}

// isPrivate reports whether a message came from one person alone; groups get no answer.
func isPrivate(message *tg.Message) bool {
	return message != nil && message.Chat.Type == tg.ChatTypePrivate && message.From != nil && message.From.ID > 0
}
