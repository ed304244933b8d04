package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

// How many rows of the audit log are shown by default, and are read at most: no message takes more.
const (
	fewRows  = 10
	manyRows = 100
)

// refusedCounts is how old the refused attempts are that an audit counts.
const refusedCounts = 24 * time.Hour

// adminAudit lists what admins did, the newest first, or what was refused at once: anybody may add to that, and would push the rest
// out of sight.
func (h *adminHandler) adminAudit(ctx context.Context, message *tg.Message, payload string) (reply, error) {
	if what, rows, _ := strings.Cut(payload, " "); strings.EqualFold(what, "refused") {
		return h.listRefused(ctx, strings.TrimSpace(rows), message.From.ID)
	}
	rows, err := rowsAsked(payload, fewRows)
	if err != nil {
		return reply{}, err
	}
	rows = min(rows, manyRows)
	all, err := h.store.Audit(ctx, rows+1)
	if err != nil {
		return reply{}, err
	}
	_, refused, err := h.store.RefusedAttempts(ctx, 0, h.now().Add(-refusedCounts))
	if err != nil {
		return reply{}, err
	}
	var lines []string
	if len(all) > rows {
		all = all[:rows]
		lines = append(lines, newestOf(rows))
	}
	if len(all) == 0 {
		lines = append(lines, "Nothing has been done yet.")
	}
	for _, a := range all {
		lines = append(lines, h.auditLine(a, message.From.ID))
	}
	if refused > 0 {
		lines = append(lines, fmt.Sprintf("Refused at once in the last 24 hours: %d, see <code>/audit refused</code>", refused))
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

// newestOf says that there are more.
func newestOf(rows int) string { return fmt.Sprintf("The newest %d:", rows) }

// rowsAsked returns how many rows somebody wants to see, perhaps more than are read at most.
func rowsAsked(written string, usual int) (rows int, err error) {
	if written == "" {
		return usual, nil
	}
	if rows, err = strconv.Atoi(written); errors.Is(err, strconv.ErrRange) && rows > 0 {
		err = nil // beyond an int: as many rows as are read at most
	}
	if err != nil || rows < 1 {
		return 0, badly("N is the number of newest rows to show")
	}
	return rows, nil
}

// listRefused lists what was refused at once: all of it, as far as rows are read at most, unless fewer are asked for.
func (h *adminHandler) listRefused(ctx context.Context, written string, reader int64) (reply, error) {
	rows, err := rowsAsked(written, manyRows+1)
	if err != nil {
		return reply{}, err
	}
	newest, _, err := h.store.RefusedAttempts(ctx, min(rows, manyRows+1), h.now())
	if err != nil {
		return reply{}, err
	}
	if len(newest) == 0 {
		return reply{text: "Nothing was refused at once."}, nil
	}
	var lines []string
	if len(newest) > manyRows {
		lines, newest = append(lines, newestOf(manyRows)), newest[:manyRows]
	}
	for _, a := range newest {
		lines = append(lines, h.auditLine(a, reader))
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

// auditLine is a row of the audit log as an admin reads it.
func (h *adminHandler) auditLine(a models.AdminAction, reader int64) string {
	asked := wordsOf(string(a.Action))
	for _, arg := range a.Args {
		if strings.Contains(arg, " ") { // a title or a reason: one sees where it ends
			arg = "“" + arg + "”"
		}
		asked += " " + arg
	}
	who := fmt.Sprint(a.AdminID)
	if a.AdminID == reader {
		who = "you"
	}
	outcome := a.Outcome
	if a.State == models.ActionRefused {
		outcome = whyNot(a.Action, outcome)
	}
	if outcome != "" {
		outcome = ": " + h.settings.legible(outcome)
	}
	return fmt.Sprintf("#%d %s UTC, %s: %s, <b>%s</b>%s", a.ID, stamp(a.AskedAt), who, h.settings.legible(asked), a.State, outcome)
}
