package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"

	"mcbk/game"
	"mcbk/models"
)

// Callback data of the buttons below a question; its nonce follows.
const (
	confirmData = "confirm:"
	cancelData  = "cancel:"
)

// adminCommand is a command that only admins may give, in a private chat. Its answers are English: it is a tool, and all admins
// read the audit log that it writes.
type adminCommand struct {
	name  string
	usage string // what follows the name
	does  phrase // one line, for Telegram's list and /help
	reply func(ctx context.Context, message *tg.Message, payload string) (reply, error)
}

// reply is the answer to a command. With an action it is a question: nothing is done until the admin presses Confirm.
type reply struct {
	text    string // HTML
	picture []byte // a PNG, whose caption the text is; nil for a text alone
	action  models.Action
	args    []string
}

// errUsage is the error of a command that is not written as it should be; it may be wrapped with what is wrong.
var errUsage = errors.New("usage")

// badly wraps errUsage with what is wrong, in a few words.
func badly(wrong string) error { return fmt.Errorf("%w: %s", errUsage, wrong) }

// adminCommands are in the order of /help. A command is one line; its answer is in a file of its group, its effect in models.
func (b *Bot) adminCommands() []adminCommand {
	return []adminCommand{
		{"stats", "", texts.doesStats, b.adminStats},
		{"player", "ID", texts.doesPlayer, b.adminPlayer},
		{"friends", "ID|reject ID", texts.doesFriends, b.adminFriends},
		{"ban", "ID REASON", texts.doesBan, b.adminBan},
		{"unban", "ID", texts.doesUnban, b.adminUnban},
		{"erase", "ID", texts.doesErase, b.adminErase},
		{"settings", "[KEY [VALUE]]", texts.doesSettings, b.adminSettings},
		{"maintenance", "on|off", texts.doesMaintenance, b.adminMaintenance},
		{"broadcast", "[TEXT]", texts.doesBroadcast, b.adminBroadcast},
		{"task", "list|add|retire", texts.doesTask, b.adminTask},
		{"match", "[PAYMENT ORDER|PLAYER|refund]", texts.doesMatch, b.adminMatch},
		{"payouts", "[show ID|approve ID|sent ID HASH|cancel ID REASON]", texts.doesPayouts, b.adminPayouts},
		{"tournament", "status|award|new START", texts.doesTournament, b.adminTournament},
		{"audit", "[N|refused [N]]", texts.doesAudit, b.adminAudit},
	}
}

// isAdmin reports whether someone is an admin now: whoever was one when a message came may be one no longer.
func (b *Bot) isAdmin(id int64) bool { return slices.Contains(b.settings.AdminIDs, id) }

// adminCommandIn finds an admin command in any message, in whatever chat.
func (b *Bot) adminCommandIn(update *tg.Update) (c adminCommand, message *tg.Message, payload string, ok bool) {
	message = update.Message
	if message == nil {
		message = update.ChannelPost
	}
	if message == nil {
		return c, nil, "", false
	}
	name, payload, ok := b.commandOf(message.Text)
	if !ok {
		return c, nil, "", false
	}
	for _, c := range b.adminCommands() {
		if c.name == name {
			return c, message, payload, true
		}
	}
	return c, nil, "", false
}

// answerAdmin answers an admin who writes a command themselves, in their own chat. Anybody else gets no answer, so that nobody
// learns which commands there are; the attempt is recorded.
func (b *Bot) answerAdmin(ctx context.Context, update *tg.Update) error {
	c, message, payload, ok := b.adminCommandIn(update)
	if !ok {
		return nil
	}
	if why := b.refuses(message); why != "" {
		attempt := models.AdminAction{ChatID: message.Chat.ID, Action: models.Action(c.name), Outcome: why}
		if message.From != nil {
			attempt.AdminID = message.From.ID
		}
		return b.store.RefuseCommand(ctx, attempt, b.now())
	}
	r, err := c.reply(ctx, message, payload)
	if said, explained := c.explain(err); explained {
		r, err = reply{text: said}, nil
	}
	if err != nil {
		return fmt.Errorf("answer /%s: %w", c.name, err)
	}
	return b.sendReply(ctx, message.From.ID, r)
}

// refuses returns why nobody may give a command in this message; empty if it may be given.
func (b *Bot) refuses(message *tg.Message) string {
	switch {
	case !isPrivate(message):
		return "not in a private chat"
	case !b.isAdmin(message.From.ID):
		return "not an admin"
	case message.ForwardOrigin != nil:
		return "forwarded"
	case message.ViaBot != nil:
		return "written by another bot"
	}
	return ""
}

// explain words an error that the admin can act on.
func (c adminCommand) explain(err error) (said string, explained bool) {
	var (
		refusal   *game.Refusal
		namesakes *models.NamesakesError
	)
	switch {
	case errors.Is(err, errUsage):
		if _, wrong, told := strings.Cut(err.Error(), errUsage.Error()+": "); told {
			said = html.EscapeString(wrong) + ".\n"
		}
		return said + "Usage: " + html.EscapeString(strings.TrimSpace("/"+c.name+" "+c.usage)), true
	case errors.Is(err, models.ErrNotFound):
		return "No such player. A player has opened the game at least once.", true
	case errors.Is(err, models.ErrTryAgain): // a command only asks: one that is lost has changed nothing, and the next one need not wait for it
		return "The database did not answer in time. Send the command again.", true
	case errors.As(err, &namesakes):
		return whichOf(namesakes), true
	case errors.As(err, &refusal):
		return "That cannot be done: " + html.EscapeString(whyNot(models.Action(c.name), string(refusal.Code))) + ".", true
	}
	return "", false
}

// sendReply sends a reply, with its buttons when it is a question.
func (b *Bot) sendReply(ctx context.Context, admin int64, r reply) error {
	if r.picture != nil {
		return b.sendPicture(ctx, admin, r.picture, r.text, nil)
	}
	if r.action == "" {
		for _, part := range parts(r.text) {
			if err := b.send(ctx, admin, part, nil); err != nil {
				return err
			}
		}
		return nil
	}
	nonce, err := b.store.AskAdmin(ctx, models.Question{Admin: admin, Action: r.action, Args: r.args}, b.now())
	if err != nil {
		return fmt.Errorf("ask an admin: %w", err)
	}
	return b.send(ctx, admin, cut(r.text), &keyboard{[][]button{{
		{Text: "Confirm", CallbackData: confirmData + nonce},
		{Text: "Cancel", CallbackData: cancelData + nonce},
	}}})
}

// answerDecision handles a press on Confirm or Cancel. The press is answered with a toast, and the question is replaced by its
// outcome.
func (b *Bot) answerDecision(ctx context.Context, query *tg.CallbackQuery) error {
	press := models.Press{Admin: query.From.ID, ChatID: query.From.ID, Admins: b.settings.AdminIDs}
	message := query.Message.Message
	if message != nil {
		press.ChatID = message.Chat.ID
	}
	decide := b.store.ConfirmAction
	var confirms bool
	if press.Nonce, confirms = strings.CutPrefix(query.Data, confirmData); !confirms {
		press.Nonce = strings.TrimPrefix(query.Data, cancelData)
		decide = b.store.CancelAction
	}
	decision, err := decide(ctx, press, b.now())
	if err != nil {
		return fmt.Errorf("decide an admin's question: %w", err)
	}
	if err := b.acknowledge(ctx, query, toast(decision)); err != nil {
		return err
	}
	if message == nil || decision.Action.ID == 0 {
		return nil
	}
	text := b.ending(decision.Action)
	if decision.Action.State == models.ActionExecuted {
		next, err := b.next(ctx, decision.Action)
		if err != nil {
			return err
		}
		text += next
	}
	return b.edit(ctx, message, cut(text), nil)
}

// toast is the short answer to a press.
func toast(d models.Decision) string {
	switch d.Refusal {
	case "":
		return map[models.ActionState]string{
			models.ActionExecuted: "Done.", models.ActionCancelled: "Nothing was done.", models.ActionRefused: "Not done.",
		}[d.Action.State]
	case models.PressNotTheirs:
		return "This is not yours to decide."
	case models.PressTooLate:
		return "Too late: a question waits two minutes. Send the command again."
	case models.PressRepeated:
		return "This was already decided."
	}
	return "There is no such question."
}

// ending returns the text that replaces a question, in HTML.
func (b *Bot) ending(a models.AdminAction) string {
	asked := b.legible(strings.Join(append([]string{wordsOf(string(a.Action))}, a.Args...), " "))
	switch a.State {
	case models.ActionExecuted:
		return "<b>Done:</b> " + b.legible(a.Outcome) + "."
	case models.ActionCancelled:
		return "<b>Nothing was done:</b> " + asked
	case models.ActionExpired:
		return "<b>Too late, nothing was done:</b> " + asked
	case models.ActionRefused:
		return "<b>Not done:</b> " + asked + ": " + html.EscapeString(whyNot(a.Action, a.Outcome)) + "."
	}
	return asked
}

// next returns what is to be done after an action, in HTML.
func (b *Bot) next(ctx context.Context, a models.AdminAction) (string, error) {
	switch {
	case a.Action == models.ActionMatch && len(a.Args) == 2 && a.Args[1] == models.MatchRefund, a.Action == models.ActionAward:
		return "\nNext: /payouts", nil
	case a.Action == models.ActionBroadcast:
		return "\nTo see how far it is, or to stop it: /broadcast", nil
	case a.Action == models.ActionApprove && len(a.Args) > 0:
		p, err := b.store.Payable(ctx, a.Args[0])
		if err != nil || p.State != models.PayableApproved {
			return "", err
		}
		if p.Stray > 0 {
			return "\n\n" + b.describedPayout(p), nil
		}
		return "\n\nNext: pay it, once.\n" + b.describedPayout(p), nil
	}
	return "", nil
}

// wordsOf writes a code as words.
func wordsOf(code string) string { return strings.ReplaceAll(code, "_", " ") }

// edit replaces the text of one of the bot's messages. It is no error if the message has that text already, or is gone.
func (b *Bot) edit(ctx context.Context, message *tg.Message, text string, buttons *keyboard) error {
	edited := &telegram.EditMessageTextParams{ChatID: message.Chat.ID, MessageID: message.ID, Text: text, ParseMode: tg.ParseModeHTML}
	if buttons != nil {
		edited.ReplyMarkup = buttons
	}
	_, err := b.client.EditMessageText(ctx, edited)
	if errors.Is(err, telegram.ErrorBadRequest) && strings.Contains(err.Error(), "message is not modified") {
		return nil // pressed twice
	}
	return err
}
