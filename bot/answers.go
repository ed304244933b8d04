package bot

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"

	"mcbk/game"
	"mcbk/models"
)

//go:embed greeting.png
var greeting []byte

// startCode matches what a start link may carry.
var startCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// languageData is the prefix of the language buttons' callback data.
const languageData = "lang:"

// answerStart stores the link's code for the day the player is created, and greets. A malformed code is ignored. An admin's chat
// begins here too, so from now on the chat lists their commands.
func (b *Bot) answerStart(ctx context.Context, message *tg.Message, payload string) error {
	address := b.settings.WebAppURL
	if startCode.MatchString(payload) {
		if err := b.store.RememberStart(ctx, message.From.ID, payload, b.now()); err != nil {
			return fmt.Errorf("remember the start code: %w", err)
		}
		address += "?start=" + payload
	}
	language, err := b.languageOf(ctx, message.From)
	if err != nil {
		return err
	}
	if b.isAdmin(message.From.ID) {
		if err := b.setAdminCommands(ctx, message.From.ID, message.From.LanguageCode); err != nil {
			b.log.WarnContext(ctx, "an admin's commands are not shown", "error", short(err))
		}
	}
	text := fmt.Sprintf(texts.greeting.in(language), nameOf(message.From, language))
	keyboard := appButton(texts.play.in(language), address)
	return b.sendPicture(ctx, message.Chat.ID, greeting, text, keyboard)
}

func (b *Bot) answerPlay(ctx context.Context, message *tg.Message, _ string) error {
	return b.sayWithPlay(ctx, message, func(language string) string { return texts.invitation.in(language) })
}

func (b *Bot) answerHelp(ctx context.Context, message *tg.Message, _ string) error {
	return b.sayWithPlay(ctx, message, func(language string) string {
		rate := b.store.RuntimeSettings(ctx, b.now()).TapRules().TapRate
		if !b.isAdmin(message.From.ID) {
			return b.help(language, rate)
		}
		return b.help(language, rate) + "\n\n" + b.adminHelp(language, message.From.ID)
	})
}

func (b *Bot) answerPaysupport(ctx context.Context, message *tg.Message, _ string) error {
	return b.sayWithPlay(ctx, message, func(language string) string { return texts.paysupport.in(language) })
}

// answerText answers any other text, and ignores groups, pictures and notices.
func (b *Bot) answerText(ctx context.Context, update *tg.Update) error {
	if !isPrivate(update.Message) || update.Message.Text == "" {
		return nil
	}
	if name, _, ok := b.commandOf(update.Message.Text); ok && b.isAdmin(update.Message.From.ID) {
		return b.send(ctx, update.Message.Chat.ID, b.mistyped(name), nil)
	}
	return b.sayWithPlay(ctx, update.Message, func(language string) string { return texts.pointer.in(language) })
}

func (b *Bot) answerPrivacy(ctx context.Context, message *tg.Message, _ string) error {
	language, err := b.languageOf(ctx, message.From)
	if err != nil {
		return err
	}
	return b.send(ctx, message.Chat.ID, texts.privacy.in(language),
		appButton(texts.wholePolicy.in(language), b.settings.WebAppURL+"/privacy?source=modal"))
}

func (b *Bot) answerLanguage(ctx context.Context, message *tg.Message, _ string) error {
	language, err := b.languageOf(ctx, message.From)
	if err != nil {
		return err
	}
	return b.send(ctx, message.Chat.ID, texts.whichLanguage.in(language), languageButtons())
}

// answerCallback handles a press on a language button or an admin's; any other press is only acknowledged, so that the button
// does not seem to hang.
func (b *Bot) answerCallback(ctx context.Context, update *tg.Update) error {
	query := update.CallbackQuery
	if strings.HasPrefix(query.Data, confirmData) || strings.HasPrefix(query.Data, cancelData) {
		return b.answerDecision(ctx, query)
	}
	language, ok := strings.CutPrefix(query.Data, languageData)
	if !ok || (language != models.English && language != models.Russian) {
		return b.acknowledge(ctx, query, "")
	}
	if err := b.store.ChooseLanguage(ctx, query.From.ID, language, b.now()); err != nil {
		return fmt.Errorf("choose the language: %w", err)
	}
	chosen := texts.languageChosen.in(language)
	if err := b.acknowledge(ctx, query, chosen); err != nil {
		return err
	}
	message := query.Message.Message
	if message == nil {
		return nil // too old to be edited
	}
	return b.edit(ctx, message, chosen, languageButtons())
}

// acknowledge answers a press. It is no error if the press is too old to be answered.
func (b *Bot) acknowledge(ctx context.Context, query *tg.CallbackQuery, text string) error {
	_, err := b.client.AnswerCallbackQuery(ctx, &telegram.AnswerCallbackQueryParams{CallbackQueryID: query.ID, Text: text})
	if errors.Is(err, telegram.ErrorBadRequest) {
		return nil
	}
	return err
}

// help describes the game, with the figures the rules use.
func (b *Bot) help(language string, rate game.TapRate) string {
	levels := game.EnergyLevels
	text := fmt.Sprintf(texts.help.in(language),
		rate.Energy, int((game.MCBK+rate.Coins-1)/rate.Coins), levels[0].Energy, levels[len(levels)-1].Energy)
	for _, c := range b.commands() {
		text += fmt.Sprintf("\n/%s: %s", c.name, c.does.in(language))
	}
	return text
}

// adminHelp lists the additional commands of an admin.
func (b *Bot) adminHelp(language string, admin int64) string {
	text := fmt.Sprintf(texts.admin.in(language), admin)
	for _, c := range b.adminCommands() {
		text += fmt.Sprintf("\n%s: %s", html.EscapeString(strings.TrimSpace("/"+c.name+" "+c.usage)), c.does.in(language))
	}
	return text
}

// sayWithPlay sends a text in the person's language with the button that opens the game.
func (b *Bot) sayWithPlay(ctx context.Context, message *tg.Message, text func(language string) string) error {
	language, err := b.languageOf(ctx, message.From)
	if err != nil {
		return err
	}
	return b.send(ctx, message.Chat.ID, text(language), appButton(texts.play.in(language), b.settings.WebAppURL))
}

// send sends HTML: user input must be escaped. buttons may be nil.
func (b *Bot) send(ctx context.Context, chat int64, text string, buttons *keyboard) error {
	message := telegram.SendMessageParams{ChatID: chat, Text: text, ParseMode: tg.ParseModeHTML}
	if buttons != nil { // else it would be sent as the word null
		message.ReplyMarkup = buttons
	}
	_, err := b.client.SendMessage(ctx, &message)
	return err
}

// sendPicture sends a PNG with a caption in HTML; if Telegram does not accept the picture, the text is sent alone. buttons may be
// nil.
func (b *Bot) sendPicture(ctx context.Context, chat int64, picture []byte, text string, buttons *keyboard) error {
	photo := telegram.SendPhotoParams{
		ChatID: chat, Caption: text, ParseMode: tg.ParseModeHTML,
		Photo: &tg.InputFileUpload{Filename: "mcbk.png", Data: bytes.NewReader(picture)},
	}
	if buttons != nil { // else it would be sent as the word null
		photo.ReplyMarkup = buttons
	}
	_, err := b.client.SendPhoto(ctx, &photo)
	if errors.Is(err, telegram.ErrorBadRequest) {
		b.log.WarnContext(ctx, "a message goes without its picture", "chat", chat, "error", short(err))
		return b.send(ctx, chat, cut(text), buttons)
	}
	return err
}

func (b *Bot) languageOf(ctx context.Context, person *tg.User) (string, error) {
	language, err := b.store.LanguageOf(ctx, person.ID, person.LanguageCode)
	if err != nil {
		return "", fmt.Errorf("find the language: %w", err)
	}
	return language, nil
}

// nameOf returns how to address somebody, escaped for HTML.
func nameOf(person *tg.User, language string) string {
	return calledOr(person.FirstName, texts.friend.in(language))
}

// calledOr returns a name on one line, or a substitute if there is none, escaped for HTML.
func calledOr(name, nobody string) string {
	if name = nameAlone(name); name == "" {
		name = nobody
	}
	return html.EscapeString(name)
}

// unlinked breaks whatever Telegram would turn into a link or a mention; a word joiner is invisible.
var unlinked = strings.NewReplacer(".", ".\u2060", "@", "@\u2060", "://", ":\u2060//")

// nameAlone returns a visible name on one line without links: people name themselves after sites, and readers trust what the bot says.
func nameAlone(name string) string {
	return unlinked.Replace(strings.Join(strings.Fields(game.VisibleName(name)), " "))
}

// appButton returns a button that opens the mini-app at an address.
func appButton(text, address string) *keyboard {
	return &keyboard{[][]button{
		{{Text: text, WebApp: &tg.WebAppInfo{URL: address}}},
	}}
}

// languageButtons returns a button for each language, named in that language.
func languageButtons() *keyboard {
	return &keyboard{[][]button{{
		{Text: "English", CallbackData: languageData + models.English},
		{Text: "Русский", CallbackData: languageData + models.Russian},
	}}}
}
