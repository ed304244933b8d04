package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/game"
	"mcbk/models"
)

// How many rows of the audit log are shown by default, and are read at most: no message takes more.
const (
	fewRows  = 10
	manyRows = 100
)

// adminMaintenance asks whether to close or open the game; without an argument it says which it is.
func (b *Bot) adminMaintenance(ctx context.Context, _ *tg.Message, payload string) (reply, error) {
	is := onOff(b.store.InMaintenance(ctx, b.now()))
	switch word := strings.ToLower(payload); word {
	case "":
		return reply{text: "Maintenance is " + is + ". Usage: /maintenance on|off"}, nil
	case is:
		return reply{text: "Maintenance is already " + is + "."}, nil
	case "on":
		return reply{
			text:   "Close the game for all players? They see “Technical works”; what they tap stays on their phones and counts afterwards.",
			action: models.ActionMaintenance, args: []string{word},
		}, nil
	case "off":
		return reply{text: "Open the game again?", action: models.ActionMaintenance, args: []string{word}}, nil
	}
	return reply{}, errUsage
}

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

// adminAudit lists what admins did and what was refused, the newest first.
func (b *Bot) adminAudit(ctx context.Context, message *tg.Message, payload string) (reply, error) {
	rows := fewRows
	if payload != "" {
		var err error
		if rows, err = strconv.Atoi(payload); errors.Is(err, strconv.ErrRange) && rows > 0 {
			err = nil // beyond an int: as many rows as are read at most
		}
		if err != nil || rows < 1 {
			return reply{}, badly("N is the number of newest rows to show")
		}
	}
	all, err := b.store.Audit(ctx, min(rows, manyRows))
	if err != nil {
		return reply{}, err
	}
	if len(all) == 0 {
		return reply{text: "Nothing has been done yet."}, nil
	}
	var lines []string
	if rows > manyRows && len(all) == manyRows {
		lines = append(lines, fmt.Sprintf("The newest %d:", manyRows))
	}
	for _, a := range all {
		asked := strings.Join(append([]string{wordsOf(string(a.Action))}, a.Args...), " ")
		who := fmt.Sprint(a.AdminID)
		if a.AdminID == message.From.ID {
			who = "you"
		}
		outcome := a.Outcome
		if a.State == models.ActionRefused {
			outcome = whyNot(a.Action, outcome)
		}
		if outcome != "" {
			outcome = ": " + b.legible(outcome)
		}
		lines = append(lines, fmt.Sprintf("#%d %s UTC, %s: %s, <b>%s</b>%s", a.ID, stamp(a.AskedAt), who, b.legible(asked), a.State, outcome))
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
