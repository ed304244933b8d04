package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

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

// How many rows of the audit log are shown by default, and are read at most: no message takes more.
const (
	fewRows  = 10
	manyRows = 100
)
