package bot

import (
	"context"
	"errors"
	"fmt"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

// wanted are the kinds of update the bot asks for.
var wanted = []string{tg.AllowedUpdateMessage, tg.AllowedUpdateCallbackQuery, tg.AllowedUpdateMyChatMember}

// introduce learns the bot's name, chooses how updates come, and sets the descriptions, commands and menu button. Each step is
// retried until Telegram has answered it.
func (b *Bot) introduce(ctx context.Context) {
	type step struct {
		name     string
		optional bool // a definite no is accepted: the bot works without it
		do       func(ctx context.Context) error
	}
	steps := []step{
		{"learn the bot's name", false, b.learnName},
		{"say how updates come", false, b.chooseInflow},
		{"set the commands", true, func(ctx context.Context) error { return b.setCommands(ctx, models.English, "") }},
		{"set the Russian commands", true, func(ctx context.Context) error { return b.setCommands(ctx, models.Russian, models.Russian) }},
		{"set the menu button", true, b.setMenuButton},
	}
	for _, id := range b.settings.AdminIDs {
		steps = append(steps, step{"set an admin's commands", true, func(ctx context.Context) error { return b.setAdminCommands(ctx, id, "") }})
	}
	for _, step := range steps {
		b.persist(ctx, step.name, step.optional, step.do)
	}
	if ctx.Err() == nil {
		b.log.InfoContext(ctx, "telegram knows the bot", "username", b.Username(), "webhook", b.settings.WebhookURL != "")
	}
}

// persist retries a call until Telegram accepts it, or definitely refuses an optional one, or ctx ends.
func (b *Bot) persist(ctx context.Context, name string, optional bool, do func(ctx context.Context) error) {
	var pause backoff
	for ctx.Err() == nil {
		err := do(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		b.log.WarnContext(ctx, "telegram setup", "step", name, "error", short(err))
		if optional && refused(err) {
			return
		}
		wait(ctx, pause.after(err))
	}
}

// refused reports whether Telegram has answered and retrying would not help.
func refused(err error) bool {
	for _, no := range []error{telegram.ErrorBadRequest, telegram.ErrorForbidden, telegram.ErrorUnauthorized, telegram.ErrorNotFound} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

func (b *Bot) learnName(ctx context.Context) error {
	me, err := b.client.GetMe(ctx)
	if err != nil {
		return err
	}
	b.username.Store(&me.Username)
	return nil
}

// chooseInflow sets the webhook, or removes one, since polling works only without.
func (b *Bot) chooseInflow(ctx context.Context) error {
	if b.settings.WebhookURL == "" {
		_, err := b.client.DeleteWebhook(ctx, &telegram.DeleteWebhookParams{})
		return err
	}
	_, err := b.client.SetWebhook(ctx, &telegram.SetWebhookParams{
		URL: b.settings.WebhookURL, SecretToken: b.settings.WebhookSecret, AllowedUpdates: wanted,
	})
	return err
}

// setCommands sets the list of commands in a language for users whose Telegram speaks code, or for all others when code is empty.
func (b *Bot) setCommands(ctx context.Context, language, code string) error {
	var list []tg.BotCommand
	for _, c := range b.commands() {
		list = append(list, tg.BotCommand{Command: c.name, Description: c.does.in(language)})
	}
	_, err := b.client.SetMyCommands(ctx, &telegram.SetMyCommandsParams{Commands: list, LanguageCode: code})
	return err
}

// setAdminCommands sets all commands for an admin, in the chat with them only. Telegram refuses it for an admin who never wrote
// to the bot. telegrams is their language according to Telegram, if known.
func (b *Bot) setAdminCommands(ctx context.Context, admin int64, telegrams string) error {
	language, err := b.store.LanguageOf(ctx, admin, telegrams)
	if err != nil {
		return fmt.Errorf("find the language: %w", err)
	}
	var list []tg.BotCommand
	for _, c := range b.commands() {
		list = append(list, tg.BotCommand{Command: c.name, Description: c.does.in(language)})
	}
	for _, c := range b.adminCommands() {
		list = append(list, tg.BotCommand{Command: c.name, Description: c.does.in(language)})
	}
	_, err = b.client.SetMyCommands(ctx, &telegram.SetMyCommandsParams{Commands: list, Scope: &tg.BotCommandScopeChat{ChatID: admin}})
	return err
}

func (b *Bot) setMenuButton(ctx context.Context) error {
	_, err := b.client.SetChatMenuButton(ctx, &telegram.SetChatMenuButtonParams{MenuButton: &tg.MenuButtonWebApp{
		Type: tg.MenuButtonTypeWebApp, Text: texts.play.in(models.English), WebApp: tg.WebAppInfo{URL: b.settings.WebAppURL},
	}})
	return err
}
