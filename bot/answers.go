package bot

import (
	"context"
	_ "embed"
	"fmt"
	"html"
	"regexp"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/game"
	"mcbk/models"
)

//go:embed greeting.png
var greeting []byte

// startCode matches the payload of a start link.
var startCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// languageData prefixes the callback data of language buttons.
const languageData = "lang:"

// answerStart stores the link's code until the player is created, and greets. A malformed code is ignored. An admin's chat begins
// here too, so its command list is set.
func (h *updateHandler) answerStart(ctx context.Context, message *message, payload string) error {
	address := h.settings.WebAppURL
	if startCode.MatchString(payload) {
		if err := h.store.Outbox.RememberStart(ctx, message.From.ID, payload, h.now()); err != nil {
			return fmt.Errorf("save start code: %w", err)
		}
		address += "?start=" + payload
	}
	language, err := h.languageOf(ctx, message.From)
	if err != nil {
		return err
	}
	if h.settings.isAdmin(message.From.ID) {
		if err := h.profile.setAdminCommands(ctx, message.From.ID, message.From.LanguageCode); err != nil {
			h.log.WarnContext(ctx, "set admin commands", "error", truncateError(err))
		}
	}
	text := fmt.Sprintf(texts.greeting.in(language), nameOr(string(message.From.FirstName), texts.friend.in(language)))
	keyboard := appButton(texts.play.in(language), address)
	return h.sendPicture(ctx, message.Chat.ID, greeting, text, keyboard)
}

func (h *updateHandler) answerHelp(ctx context.Context, message *message) error {
	return h.sendWithPlayButton(ctx, message, func(language string) string {
		rate := h.store.Settings.RuntimeSettings(ctx, h.now()).TapRules().TapRate
		if !h.settings.isAdmin(message.From.ID) {
			return help(language, rate)
		}
		return help(language, rate) + "\n\n" + adminHelp(language, message.From.ID)
	})
}

func (h *updateHandler) answerPrivacy(ctx context.Context, message *message) error {
	language, err := h.languageOf(ctx, message.From)
	if err != nil {
		return err
	}
	return h.send(ctx, message.Chat.ID, texts.privacy.in(language),
		appButton(texts.wholePolicy.in(language), h.settings.WebAppURL+"/privacy?source=modal"))
}

// answerPaysupport tells how payments work and how to ask, with the player's last orders.
func (h *updateHandler) answerPaysupport(ctx context.Context, message *message) error {
	orders, err := h.store.Orders.LastOrders(ctx, message.From.ID, ordersShown)
	if err != nil {
		return err
	}
	return h.sendWithPlayButton(ctx, message, func(language string) string {
		text := texts.paysupport.in(language)
		if len(orders) > 0 {
			text += "\n\n<b>" + texts.lastOrders.in(language) + "</b>"
		}
		for _, o := range orders {
			text += "\n" + describeOwnOrder(o, language)
		}
		return text
	})
}

// ordersShown is how many of a player's orders /paysupport and /player list.
const ordersShown = 5

// describeOwnOrder describes an order to its player, or to an admin beside the player's other figures.
func describeOwnOrder(o models.Order, language string) string {
	state := map[models.OrderState]phrase{
		models.OrderPending: texts.orderPending, models.OrderPaid: texts.orderPaid,
		models.OrderExpired: texts.orderExpired, models.OrderCancelled: texts.orderCancelled,
	}[o.State]
	switch {
	case o.Refunded:
		state = texts.orderRefunded
	case o.Held > 0:
		state = texts.orderHeld
	}
	return fmt.Sprintf("<code>%s</code> · %s UTC · %s · %s", o.Comment, o.CreatedAt.UTC().Format("02.01.2006 15:04"), o.Currency.Format(o.Amount), state.in(language))
}

func (h *updateHandler) answerLanguage(ctx context.Context, message *message) error {
	language, err := h.languageOf(ctx, message.From)
	if err != nil {
		return err
	}
	return h.send(ctx, message.Chat.ID, texts.whichLanguage.in(language), languageButtons())
}

// answerCallback handles a press on a language button or an admin's; any other press is acknowledged, so that the button does not
// seem to hang.
func (h *updateHandler) answerCallback(ctx context.Context, query *callbackQuery) error {
	data := string(query.Data)
	if strings.HasPrefix(data, confirmData) || strings.HasPrefix(data, cancelData) {
		return h.admin.answerDecision(ctx, query)
	}
	language, ok := strings.CutPrefix(data, languageData)
	if !ok || (language != models.English && language != models.Russian) {
		return h.acknowledge(ctx, query, "")
	}
	if err := h.store.Outbox.ChooseLanguage(ctx, query.From.ID, language, h.now()); err != nil {
		return fmt.Errorf("save language: %w", err)
	}
	chosen := texts.languageChosen.in(language)
	if err := h.acknowledge(ctx, query, chosen); err != nil {
		return err
	}
	message := query.editableMessage()
	if message == nil {
		return nil
	}
	return h.edit(ctx, message, chosen, languageButtons())
}

// help describes the game, with figures from the rules.
func help(language string, rate game.TapRate) string {
	levels := game.EnergyLevels
	figure := func(n int64) string { return formatInteger(n, language) }
	text := fmt.Sprintf(texts.help.in(language),
		figure(int64(rate.Energy)), figure(int64((game.MCBK+rate.Coins-1)/rate.Coins)),
		figure(int64(levels[0].Energy)), figure(int64(levels[len(levels)-1].Energy)))
	for _, c := range commands {
		text += fmt.Sprintf("\n/%s: %s", c.name, c.does.in(language))
	}
	return text
}

// adminHelp lists the admin commands.
func adminHelp(language string, admin int64) string {
	text := fmt.Sprintf(texts.admin.in(language), admin)
	for _, c := range adminCommands() {
		text += fmt.Sprintf("\n%s: %s", html.EscapeString(strings.TrimSpace("/"+c.name+" "+c.usage)), c.does.in(language))
	}
	return text
}

// sendWithPlayButton sends a text in the player's language with the button that opens the game.
func (h *updateHandler) sendWithPlayButton(ctx context.Context, message *message, text func(language string) string) error {
	language, err := h.languageOf(ctx, message.From)
	if err != nil {
		return err
	}
	return h.send(ctx, message.Chat.ID, text(language), appButton(texts.play.in(language), h.settings.WebAppURL))
}

// nameOr returns a name on one line, or a substitute for an empty one, as HTML.
func nameOr(name, nobody string) string {
	if name = plainName(name); name == "" {
		name = nobody
	}
	return html.EscapeString(name)
}

// unlinker prevents links and mentions by inserting word joiners, which are invisible.
var unlinker = strings.NewReplacer(".", ".\u2060", "@", "@\u2060", "://", ":\u2060//")

// plainName returns a visible name on one line without links: a name may advertise a site, and readers trust the bot.
func plainName(name string) string {
	return unlinker.Replace(strings.Join(strings.Fields(game.VisibleName(name)), " "))
}

func appButton(text, address string) *keyboard {
	return &keyboard{[][]button{
		{{Text: text, WebApp: &tg.WebAppInfo{URL: address}}},
	}}
}

func languageButtons() *keyboard {
	return &keyboard{[][]button{{
		{Text: "English", CallbackData: languageData + models.English},
		{Text: "Русский", CallbackData: languageData + models.Russian},
	}}}
}
