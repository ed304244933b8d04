package bot

import (
	"cmp"
	"context"
	"strings"
	"unicode"

	tg "github.com/go-telegram/bot/models"
)

// command is a slash command for all users.
type command struct {
	name string
	does phrase // one line, for Telegram's list and /help
}

// commands are in Telegram's menu order; dispatch handles each.
var commands = []command{
	{"start", texts.doesStart},
	{"play", texts.doesPlay},
	{"help", texts.doesHelp},
	{"language", texts.doesLanguage},
	{"privacy", texts.doesPrivacy},
	{"paysupport", texts.doesPaysupport},
	{"terms", texts.doesTerms},
}

// dispatch handles an update by its kind. Admin commands are recognised in any chat, others in private ones; groups, pictures and
// notices get no reply.
func (h *updateHandler) dispatch(ctx context.Context, update *update) error {
	message := cmp.Or(update.Message, update.ChannelPost)
	var name, payload string
	isCommand, private := false, isPrivate(update.Message)
	if message != nil {
		name, payload, isCommand = parseCommand(string(message.Text), h.profile.username())
	}
	switch command, isAdminCommand := findAdminCommand(name); {
	case update.Message != nil && (update.Message.SuccessfulPayment.inStars() || update.Message.RefundedPayment.inStars()):
		return h.receivePayment(ctx, update.Message)
	case isAdminCommand:
		return h.admin.answer(ctx, command, message, payload)
	case private && name == "start":
		return h.answerStart(ctx, message, payload)
	case private && name == "play":
		return h.sendWithPlayButton(ctx, message, texts.invitation.in)
	case private && name == "help":
		return h.answerHelp(ctx, message)
	case private && name == "language":
		return h.answerLanguage(ctx, message)
	case private && name == "privacy":
		return h.answerPrivacy(ctx, message)
	case private && name == "paysupport":
		return h.answerPaysupport(ctx, message)
	case private && name == "terms":
		return h.sendWithPlayButton(ctx, message, texts.terms.in)
	case update.CallbackQuery != nil:
		return h.answerCallback(ctx, update.CallbackQuery)
	case private && isCommand && h.settings.isAdmin(message.From.ID):
		return h.send(ctx, message.Chat.ID, mistyped(name), nil)
	case private && message.Text != "":
		return h.sendWithPlayButton(ctx, message, texts.pointer.in)
	}
	return nil
}

// parseCommand parses "/name payload" or "/name@own payload". A command addressed to another bot is none.
func parseCommand(text, own string) (name, payload string, isCommand bool) {
	text, isCommand = strings.CutPrefix(text, "/")
	if !isCommand {
		return "", "", false
	}
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		text, payload = text[:end], strings.TrimSpace(text[end:])
	}
	name, address, addressed := strings.Cut(text, "@")
	// Until the bot's name is known any address counts as its own: only it reads this chat.
	if addressed && own != "" && !strings.EqualFold(address, own) {
		return "", "", false
	}
	return strings.ToLower(name), payload, true
}

// isPrivate reports whether a message comes from one person alone.
func isPrivate(message *message) bool {
	return message != nil && message.Chat.Type == tg.ChatTypePrivate && message.From != nil && message.From.ID > 0
}
