package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/game"
	"mcbk/models"
)

// adminSettings lists the runtime settings, shows one, or asks whether to change it.
func (b *Bot) adminSettings(ctx context.Context, _ *tg.Message, payload string) (reply, error) {
	words := strings.Fields(strings.ToLower(payload)) // a phone capitalises the first word
	settings := b.store.RuntimeSettings(ctx, b.now())
	if len(words) == 0 {
		lines := []string{"<b>Settings</b>"}
		for _, k := range settings.List() {
			lines = append(lines, settingLine(k))
		}
		return reply{text: strings.Join(lines, "\n")}, nil
	}
	k, known := settings.Find(words[0])
	if !known {
		return reply{text: "There is no such setting. /settings lists them."}, nil
	}
	if len(words) == 1 {
		return reply{text: settingLine(k)}, nil
	}
	return turning(settings, k, words[1:])
}

// turning asks whether to change a setting to a value within its bounds.
func turning(settings models.RuntimeSettings, k models.RuntimeSetting, words []string) (reply, error) {
	if len(words) > 1 && k.Numbers == 1 {
		return reply{}, badly("Nothing comes after VALUE")
	}
	value := strings.Join(words, " ")
	turned, err := settings.With(k.Key, value)
	var refusal *game.Refusal
	if errors.As(err, &refusal) && k.IsSwitch() {
		return reply{text: fmt.Sprintf("%s is on or off, not %s.", k.Key, html.EscapeString(value))}, nil
	}
	if errors.As(err, &refusal) {
		return reply{text: fmt.Sprintf("%s is %sfrom %s to %s, not %s.", k.Key, howMany(k), k.Least, k.Most, html.EscapeString(value))}, nil
	}
	if err != nil {
		return reply{}, err
	}
	if turned == settings {
		return reply{text: fmt.Sprintf("%s is already %s.", k.Key, k.Value)}, nil
	}
	wanted, _ := turned.Find(k.Key)
	return reply{
		text:   fmt.Sprintf("Set %s to %s? It is now %s: %s.", k.Key, wanted.Value, k.Value, k.Unit),
		action: models.ActionChangeSetting, args: []string{k.Key, wanted.Value},
	}, nil
}

// howMany says how long a list is.
func howMany(k models.RuntimeSetting) string {
	if k.Numbers == 1 {
		return ""
	}
	return fmt.Sprintf("%d numbers, ", k.Numbers)
}

// settingLine describes a setting in one line: its default only if it differs.
func settingLine(k models.RuntimeSetting) string {
	var more []string
	if !k.IsSwitch() {
		more = append(more, howMany(k)+k.Least+" to "+k.Most)
	}
	if k.Value != k.Usual {
		more = append(more, "usually "+k.Usual)
	}
	line := fmt.Sprintf("<code>%s</code> = <b>%s</b>", k.Key, k.Value)
	if len(more) > 0 {
		line += " (" + strings.Join(more, ", ") + ")"
	}
	return line + ": " + k.Unit
}
