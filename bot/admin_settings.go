package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"

	"mcbk/game"
	"mcbk/models/settings"
)

// adminSettings lists the runtime settings, shows one, or requests confirmation of a change.
func (h *adminHandler) adminSettings(ctx context.Context, _ *message, payload string) (reply, error) {
	words := strings.Fields(strings.ToLower(payload)) // a phone capitalises the first word
	settings := h.store.Settings.RuntimeSettings(ctx, h.now())
	if len(words) == 0 {
		lines := []string{"<b>Settings</b>"}
		for _, setting := range settings.List() {
			lines = append(lines, settingLine(setting))
		}
		return reply{text: strings.Join(lines, "\n")}, nil
	}
	setting, known := settings.Find(words[0])
	if !known {
		return reply{text: "There is no such setting. /settings lists them."}, nil
	}
	if len(words) == 1 {
		return reply{text: settingLine(setting)}, nil
	}
	return askToChange(settings, setting, words[1:])
}

// askToChange requests confirmation of a setting's new value, checked against its bounds.
func askToChange(current settings.RuntimeSettings, setting settings.RuntimeSetting, words []string) (reply, error) {
	if len(words) > 1 && setting.Numbers == 1 {
		return reply{}, usageError("Nothing comes after VALUE")
	}
	value := strings.Join(words, " ")
	changed, err := current.With(setting.Key, value)
	if _, refused := errors.AsType[*game.Refusal](err); refused {
		allowed := cmp.Or(setting.Choices(), fmt.Sprintf("%sfrom %s to %s", howMany(setting), setting.Least, setting.Most))
		return reply{text: fmt.Sprintf("%s is %s, not %s.", setting.Key, allowed, html.EscapeString(value))}, nil
	}
	if err != nil {
		return reply{}, err
	}
	if changed == current {
		return reply{text: fmt.Sprintf("%s is already %s.", setting.Key, setting.Value)}, nil
	}
	wanted, _ := changed.Find(setting.Key)
	text := fmt.Sprintf("Set %s to %s? It is now %s: %s.", setting.Key, wanted.Value, setting.Value, setting.Unit)
	if lost := changed.OutOfReach(); len(lost) > 0 && !slices.Equal(lost, current.OutOfReach()) {
		var tasks []string
		for _, t := range lost {
			tasks = append(tasks, fmt.Sprintf("%s %d", t.Action, t.Target))
		}
		text += "\n<b>Players on the first level could then not complete:</b> " + strings.Join(tasks, ", ") + ". A day does not have that much energy, or that many spins, for them."
	}
	return reply{
		text:   text,
		action: settings.ActionChangeSetting, args: []string{setting.Key, wanted.Value},
	}, nil
}

// howMany describes the length of a list.
func howMany(setting settings.RuntimeSetting) string {
	if setting.Numbers == 1 {
		return ""
	}
	return fmt.Sprintf("%d numbers, ", setting.Numbers)
}

// settingLine describes a setting in one line, with its default if changed.
func settingLine(setting settings.RuntimeSetting) string {
	var more []string
	if !setting.IsSwitch() {
		more = append(more, cmp.Or(setting.Choices(), howMany(setting)+setting.Least+" to "+setting.Most))
	}
	if setting.Value != setting.Default {
		more = append(more, "usually "+setting.Default)
	}
	line := fmt.Sprintf("<code>%s</code> = <b>%s</b>", setting.Key, setting.Value)
	if len(more) > 0 {
		line += " (" + strings.Join(more, ", ") + ")"
	}
	return line + ": " + setting.Unit
}
