package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"

	"mcbk/bot/chart"
	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/db"
	"mcbk/models/mines"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/treasury"
)

// Callback data of a confirmation's buttons; its nonce follows.
const (
	confirmData = "confirm:"
	cancelData  = "cancel:"
)

// adminCommand is a command for admins in a private chat. Replies are English, the language of the audit log.
type adminCommand struct {
	name  string
	usage string // what follows the name
	does  phrase // one line, for Telegram's list and /help
	reply func(h *adminHandler, ctx context.Context, message *message, payload string) (reply, error)
	forms []subcommand // in place of reply
}

// reply is a command's response. With an action it is a confirmation: nothing is done until the admin presses Confirm.
type reply struct {
	text    string // HTML
	picture []byte // a PNG, whose caption the text is; nil for a text alone
	action  models.Action
	args    []string
}

// errUsage is a malformed command; it may be wrapped with what is wrong.
var errUsage = errors.New("usage")

func usageError(wrong string) error { return fmt.Errorf("%w: %s", errUsage, wrong) }

// adminHandler serves admin commands and presses on Confirm and Cancel.
type adminHandler struct {
	*sender

	draw     func(chart.Stats) ([]byte, error)                            // chart.Draw
	progress func(ctx context.Context, id int64) (outbox.Progress, error) // of a broadcast: Store.BroadcastProgress
}

// adminCommands are in the order of /help.
func adminCommands() []adminCommand {
	return []adminCommand{
		{"stats", "", texts.doesStats, (*adminHandler).adminStats, nil},
		{"player", "ID", texts.doesPlayer, (*adminHandler).adminPlayer, nil},
		{"friends", "ID|reject ID", texts.doesFriends, nil, []subcommand{
			{syntax: "reject ID", run: (*adminHandler).rejectFriend, ofPlayer: true},
			{syntax: "ID", run: (*adminHandler).showFriends, ofPlayer: true},
		}},
		{"ban", "ID REASON", texts.doesBan, (*adminHandler).adminBan, nil},
		{"unban", "ID", texts.doesUnban, (*adminHandler).adminUnban, nil},
		{"erase", "ID", texts.doesErase, (*adminHandler).adminErase, nil},
		{"settings", "[KEY [VALUE]]", texts.doesSettings, (*adminHandler).adminSettings, nil},
		{"maintenance", "on|off", texts.doesMaintenance, (*adminHandler).adminMaintenance, nil},
		{"broadcast", "[TEXT]", texts.doesBroadcast, (*adminHandler).adminBroadcast, nil},
		{"task", "list|add|retire", texts.doesTask, nil, []subcommand{
			{syntax: "list", run: (*adminHandler).listTasks},
			{syntax: "add exchange_join URL TITLE", run: addTask(game.ExchangeJoin)},
			{syntax: "add telegram_subscription URL|@CHANNEL TITLE", run: addTask(game.TelegramSubscription)},
			{syntax: "retire ID", run: (*adminHandler).retireTask},
		}},
		{"match", "[PAYMENT ORDER|PLAYER|refund]", texts.doesMatch, nil, []subcommand{
			{syntax: "", run: (*adminHandler).listHeld},
			{syntax: "PAYMENT ORDER|PLAYER|refund", run: (*adminHandler).matchPayment},
		}},
		{"stars", "[refund CHARGE]", texts.doesStars, nil, []subcommand{
			{syntax: "", run: (*adminHandler).showStars},
			{syntax: "refund CHARGE", run: (*adminHandler).refundStars},
		}},
		{"payouts", "[show ID|approve ID|sent ID HASH|cancel ID REASON]", texts.doesPayouts, nil, []subcommand{
			{syntax: "", run: (*adminHandler).listPayouts},
			{syntax: "approve ID", run: confirmPayout(treasury.ActionApprove, models.PayoutDue)},
			{syntax: "sent ID HASH", run: confirmPayout(treasury.ActionSent, models.PayoutApproved, models.PayoutSent)},
			{syntax: "cancel ID REASON", run: confirmPayout(treasury.ActionCancelPayout, models.PayoutDue, models.PayoutApproved)},
			{syntax: "show ID", run: (*adminHandler).showPayout},
		}},
		{"tournament", "status|award|new START", texts.doesTournament, nil, []subcommand{
			{syntax: "status", run: (*adminHandler).listTournaments},
			{syntax: "award", run: (*adminHandler).askAward},
			{syntax: "new START", run: (*adminHandler).askTournament},
		}},
		{"audit", "[N|refused [N]]", texts.doesAudit, (*adminHandler).adminAudit, nil},
	}
}

func findAdminCommand(name string) (c adminCommand, found bool) {
	all := adminCommands()
	if i := slices.IndexFunc(all, func(c adminCommand) bool { return c.name == name }); i >= 0 {
		return all[i], true
	}
	return adminCommand{}, false
}

// answer responds to an admin in their own chat. Anybody else gets no reply, which would reveal the commands; the attempt is audited.
func (h *adminHandler) answer(ctx context.Context, c adminCommand, message *message, payload string) error {
	if why := h.refusalReason(message); why != "" {
		attempt := models.AdminAction{ChatID: message.Chat.ID, Action: models.Action(c.name), Outcome: why}
		if message.From != nil {
			attempt.AdminID = message.From.ID
		}
		return h.store.Admin.RefuseCommand(ctx, attempt, h.now())
	}
	var (
		r   reply
		err error
	)
	if c.reply == nil {
		r, err = h.answerForms(ctx, c, payload)
	} else {
		r, err = c.reply(h, ctx, message, payload)
	}
	if said, known := c.explain(err); known {
		r, err = reply{text: said}, nil
	}
	if err != nil {
		return fmt.Errorf("answer /%s: %w", c.name, err)
	}
	return h.sendReply(ctx, message.From.ID, r)
}

// refusalReason returns why a command is refused in this message; "" if it is allowed.
func (h *adminHandler) refusalReason(message *message) string {
	switch {
	case !isPrivate(message):
		return "not in a private chat"
	case !h.settings.isAdmin(message.From.ID):
		return "not an admin"
	case message.ForwardOrigin != nil:
		return "forwarded"
	case message.ViaBot != nil:
		return "written by another bot"
	}
	return ""
}

// explain describes an error that the admin can act on.
func (c adminCommand) explain(err error) (said string, known bool) {
	var (
		refusal   *game.Refusal
		namesakes *players.NamesakesError
	)
	switch {
	case errors.Is(err, errUsage):
		if _, wrong, found := strings.Cut(err.Error(), errUsage.Error()+": "); found {
			said = html.EscapeString(wrong) + ".\n"
		}
		return said + "Usage: " + html.EscapeString(strings.TrimSpace("/"+c.name+" "+c.usage)), true
	case errors.Is(err, db.ErrNotFound):
		return "No such player. A player has opened the game at least once.", true
	case errors.Is(err, db.ErrUnavailable): // a command only reads: a lost one changed nothing and can be repeated
		return "The database did not answer in time. Send the command again.", true
	case errors.As(err, &namesakes):
		return listNamesakes(namesakes), true
	case errors.As(err, &refusal):
		return "That cannot be done: " + html.EscapeString(explainRefusal(models.Action(c.name), string(refusal.Code))) + ".", true
	}
	return "", false
}

func (h *adminHandler) sendReply(ctx context.Context, admin int64, r reply) error {
	if r.picture != nil {
		return h.sendPicture(ctx, admin, r.picture, r.text, nil)
	}
	if r.action == "" {
		for _, part := range splitMessage(r.text) {
			if err := h.send(ctx, admin, part, nil); err != nil {
				return err
			}
		}
		return nil
	}
	nonce, err := h.store.Admin.RequestConfirmation(ctx, models.PendingAction{Admin: admin, Action: r.action, Args: r.args}, h.now())
	if err != nil {
		return fmt.Errorf("send confirmation: %w", err)
	}
	return h.send(ctx, admin, truncateMessage(r.text), &keyboard{[][]button{{
		{Text: "Confirm", CallbackData: confirmData + nonce},
		{Text: "Cancel", CallbackData: cancelData + nonce},
	}}})
}

// answerDecision handles a press on Confirm or Cancel: a toast, and the confirmation is replaced by its outcome.
func (h *adminHandler) answerDecision(ctx context.Context, query *callbackQuery) error {
	press := admin.Confirmation{Admin: query.From.ID, ChatID: query.From.ID, Admins: h.settings.AdminIDs}
	message := query.editableMessage()
	if message != nil {
		press.ChatID = message.Chat.ID
	}
	decide := h.store.Admin.ConfirmAction
	var confirms bool
	if press.Nonce, confirms = strings.CutPrefix(string(query.Data), confirmData); !confirms {
		press.Nonce = strings.TrimPrefix(string(query.Data), cancelData)
		decide = h.store.Admin.CancelAction
	}
	decision, err := decide(ctx, press, h.now())
	if err != nil {
		return fmt.Errorf("decide confirmation: %w", err)
	}
	if err := h.acknowledge(ctx, query, toast(decision)); err != nil {
		return err
	}
	if message == nil || decision.Action.ID == 0 {
		return nil
	}
	text := h.describeOutcome(decision.Action)
	if decision.Action.State == models.ActionExecuted {
		next, err := h.nextStep(ctx, decision.Action)
		if err != nil {
			return err
		}
		text += next
	}
	return h.edit(ctx, message, truncateMessage(text), nil)
}

func toast(d admin.Decision) string {
	switch d.Refusal {
	case "":
		return map[models.ActionState]string{
			models.ActionExecuted: "Done.", models.ActionCancelled: "Nothing was done.", models.ActionRefused: "Not done.",
		}[d.Action.State]
	case admin.PressNotTheirs:
		return "This is not yours to decide."
	case admin.PressTooLate:
		return "Too late: a question waits two minutes. Send the command again."
	case admin.PressRepeated:
		return "This was already decided."
	}
	return "There is no such question."
}

// describeOutcome returns the HTML that replaces a confirmation.
func (h *adminHandler) describeOutcome(a models.AdminAction) string {
	asked := h.settings.displayText(strings.Join(append([]string{humanize(string(a.Action))}, a.Args...), " "))
	switch a.State {
	case models.ActionExecuted:
		return "<b>Done:</b> " + h.settings.displayText(a.Outcome) + "."
	case models.ActionCancelled:
		return "<b>Nothing was done:</b> " + asked
	case models.ActionExpired:
		return "<b>Too late, nothing was done:</b> " + asked
	case models.ActionRefused:
		return "<b>Not done:</b> " + asked + ": " + html.EscapeString(explainRefusal(a.Action, a.Outcome)) + "."
	}
	return asked
}

// nextStep returns the admin's next step after an action, in HTML.
func (h *adminHandler) nextStep(ctx context.Context, a models.AdminAction) (string, error) {
	switch {
	case a.Action == treasury.ActionMatch && len(a.Args) == 2 && a.Args[1] == treasury.MatchRefund:
		payment, err := h.store.Treasury.Payment(ctx, a.Args[0])
		if err != nil {
			return "", err
		}
		if payment.ChargeID != nil {
			return "\nTelegram is requested to make it: /match shows when it has.", nil
		}
		return "\nNext: /payouts", nil
	case a.Action == mines.ActionAward:
		return "\nNext: /payouts", nil
	case a.Action == outbox.ActionBroadcast:
		return "\nTo see how far it is, or to stop it: /broadcast", nil
	case a.Action == treasury.ActionApprove && len(a.Args) > 0:
		p, err := h.store.Treasury.Payout(ctx, a.Args[0])
		if err != nil || p.State != models.PayoutApproved {
			return "", err
		}
		if p.Unmatched > 0 {
			return "\n\n" + h.describePayout(p), nil
		}
		return "\n\nNext: pay it, once.\n" + h.describePayout(p), nil
	}
	return "", nil
}

func humanize(code string) string { return strings.ReplaceAll(code, "_", " ") }
