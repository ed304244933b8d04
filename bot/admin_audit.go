package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcbk/models"
)

// Rows of the audit log: by default and at most (what fits in maxParts messages).
const (
	defaultRows = 10
	maxRows     = 100
)

// refusedWindow is the age limit of refused attempts in an audit.
const refusedWindow = 24 * time.Hour

// adminAudit lists actions, the newest first, or refused attempts. They are separate: anybody may cause attempts, which would hide actions.
func (h *adminHandler) adminAudit(ctx context.Context, message *message, payload string) (reply, error) {
	if what, rows, _ := strings.Cut(payload, " "); strings.EqualFold(what, "refused") {
		return h.listRefused(ctx, strings.TrimSpace(rows), message.From.ID)
	}
	rows, err := parseRows(payload, defaultRows)
	if err != nil {
		return reply{}, err
	}
	rows = min(rows, maxRows)
	all, err := h.store.Admin.Audit(ctx, rows+1)
	if err != nil {
		return reply{}, err
	}
	_, refused, err := h.store.Admin.RefusedAttempts(ctx, 0, h.now().Add(-refusedWindow))
	if err != nil {
		return reply{}, err
	}
	lines := h.auditLines(all, rows, message.From.ID)
	if len(all) == 0 {
		lines = append(lines, "Nothing has been done yet.")
	}
	if refused > 0 {
		lines = append(lines, fmt.Sprintf("Refused at once in the last 24 hours: %d, see <code>/audit refused</code>", refused))
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

// parseRows returns the requested number of rows, which may exceed the maximum.
func parseRows(written string, standard int) (rows int, err error) {
	if written == "" {
		return standard, nil
	}
	if rows, err = strconv.Atoi(written); errors.Is(err, strconv.ErrRange) && rows > 0 {
		err = nil // beyond an int: the maximum
	}
	if err != nil || rows < 1 {
		return 0, usageError("N is the number of newest rows to show")
	}
	return rows, nil
}

// listRefused lists refused attempts: the maximum unless fewer are requested.
func (h *adminHandler) listRefused(ctx context.Context, written string, reader int64) (reply, error) {
	rows, err := parseRows(written, maxRows+1)
	if err != nil {
		return reply{}, err
	}
	newest, _, err := h.store.Admin.RefusedAttempts(ctx, min(rows, maxRows+1), h.now())
	if err != nil {
		return reply{}, err
	}
	if len(newest) == 0 {
		return reply{text: "Nothing was refused at once."}, nil
	}
	return reply{text: strings.Join(h.auditLines(newest, maxRows, reader), "\n")}, nil
}

// auditLines describes at most so many actions, and says so if there are more.
func (h *adminHandler) auditLines(all []models.AdminAction, limit int, reader int64) (lines []string) {
	if len(all) > limit {
		lines, all = append(lines, fmt.Sprintf("The newest %d:", limit)), all[:limit]
	}
	for _, a := range all {
		lines = append(lines, h.auditLine(a, reader))
	}
	return lines
}

func (h *adminHandler) auditLine(a models.AdminAction, reader int64) string {
	asked := humanize(string(a.Action))
	for _, arg := range a.Args {
		if strings.Contains(arg, " ") { // a title or a reason
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
		outcome = explainRefusal(a.Action, outcome)
	}
	if outcome != "" {
		outcome = ": " + h.settings.displayText(outcome)
	}
	return fmt.Sprintf("#%d %s UTC, %s: %s, <b>%s</b>%s", a.ID, formatSecond(a.AskedAt), who, h.settings.displayText(asked), a.State, outcome)
}
