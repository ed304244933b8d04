package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
	"mcbk/models/store"
)

var allowedUpdates = []string{tg.AllowedUpdateMessage, tg.AllowedUpdateCallbackQuery, tg.AllowedUpdateMyChatMember, tg.AllowedUpdatePreCheckoutQuery}

// profile configures the bot at Telegram.
type profile struct {
	settings Settings
	store    *store.Store
	client   *telegram.Bot
	log      *slog.Logger
	name     atomic.Pointer[string]
}

// setUp loads the bot's name, sets up webhook or polling, and sets descriptions, commands and menu button. Each step is retried
// until Telegram accepts it.
func (p *profile) setUp(ctx context.Context) {
	type step struct {
		name     string
		optional bool // a final refusal is accepted: the bot works without it
		do       func(ctx context.Context) error
	}
	steps := []step{
		{"learn the bot's name", false, p.loadName},
		{"say how updates come", false, p.configureWebhook},
		{"set the commands", true, func(ctx context.Context) error { return p.setCommands(ctx, models.English, "") }},
		{"set the Russian commands", true, func(ctx context.Context) error { return p.setCommands(ctx, models.Russian, models.Russian) }},
		{"set the menu button", true, p.setMenuButton},
	}
	for _, id := range p.settings.AdminIDs {
		steps = append(steps, step{"set an admin's commands", true, func(ctx context.Context) error { return p.setAdminCommands(ctx, id, "") }})
	}
	for _, step := range steps {
		p.retry(ctx, step.name, step.optional, step.do)
	}
	if ctx.Err() == nil {
		p.log.InfoContext(ctx, "telegram setup done", "username", p.username(), "webhook", p.settings.WebhookURL != "")
	}
}

// retry retries a call until Telegram accepts it, finally refuses an optional one, or ctx ends.
func (p *profile) retry(ctx context.Context, name string, optional bool, do func(ctx context.Context) error) {
	var pause backoff
	for ctx.Err() == nil {
		err := do(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		p.log.WarnContext(ctx, "telegram setup", "step", name, "error", truncateError(err))
		if optional && isFinalRefusal(err) {
			return
		}
		wait(ctx, pause.after(err))
	}
}

// isFinalRefusal reports whether a retry would not help.
func isFinalRefusal(err error) bool {
	final := []error{telegram.ErrorBadRequest, telegram.ErrorForbidden, telegram.ErrorUnauthorized, telegram.ErrorNotFound}
	return slices.ContainsFunc(final, func(no error) bool { return errors.Is(err, no) })
}

func (p *profile) loadName(ctx context.Context) error {
	me, err := p.client.GetMe(ctx)
	if err != nil {
		return err
	}
	p.name.Store(&me.Username)
	return nil
}

// configureWebhook sets the webhook, or removes one: polling works only without.
func (p *profile) configureWebhook(ctx context.Context) error {
	if p.settings.WebhookURL == "" {
		_, err := p.client.DeleteWebhook(ctx, &telegram.DeleteWebhookParams{})
		return err
	}
	_, err := p.client.SetWebhook(ctx, &telegram.SetWebhookParams{
		URL: p.settings.WebhookURL, SecretToken: p.settings.WebhookSecret, AllowedUpdates: allowedUpdates,
	})
	return err
}

// setCommands sets the commands of a language for users whose Telegram language is code, or for all others if code is "".
func (p *profile) setCommands(ctx context.Context, language, code string) error {
	_, err := p.client.SetMyCommands(ctx, &telegram.SetMyCommandsParams{Commands: commandList(language), LanguageCode: code})
	return err
}

func commandList(language string) (list []tg.BotCommand) {
	for _, c := range commands {
		list = append(list, tg.BotCommand{Command: c.name, Description: c.does.in(language)})
	}
	return list
}

// setAdminCommands sets an admin's commands, in their private chat only. Telegram refuses it for an admin who never wrote to the
// bot. telegrams is their Telegram language, if known.
func (p *profile) setAdminCommands(ctx context.Context, admin int64, telegrams string) error {
	language, err := p.store.Outbox.LanguageOf(ctx, admin, telegrams)
	if err != nil {
		return fmt.Errorf("load language: %w", err)
	}
	list := commandList(language)
	for _, c := range adminCommands() {
		list = append(list, tg.BotCommand{Command: c.name, Description: c.does.in(language)})
	}
	_, err = p.client.SetMyCommands(ctx, &telegram.SetMyCommandsParams{Commands: list, Scope: &tg.BotCommandScopeChat{ChatID: admin}})
	return err
}

func (p *profile) setMenuButton(ctx context.Context) error {
	_, err := p.client.SetChatMenuButton(ctx, &telegram.SetChatMenuButtonParams{MenuButton: &tg.MenuButtonWebApp{
		Type: tg.MenuButtonTypeWebApp, Text: texts.play.in(models.English), WebApp: tg.WebAppInfo{URL: p.settings.WebAppURL},
	}})
	return err
}

// username returns the bot's name without @; "" until Telegram has returned it.
func (p *profile) username() string {
	if name := p.name.Load(); name != nil {
		return *name
	}
	return ""
}
