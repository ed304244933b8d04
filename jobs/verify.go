package jobs

import (
	"context"
	"errors"
	"strings"
	"time"

	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/audit"
	"mcbk/models/db"
	"mcbk/models/store"
)

// verifier checks every invariant in the leader. (decision 0023: leader)
type verifier struct {
	store *store.Store
	o     Options
}

const (
	// nightlyBudget limits the replay of the ledger in one night; the next night continues.
	nightlyBudget = 5 * time.Hour
	// verifyTimeout limits a check; a longer one has failed.
	verifyTimeout = 6 * time.Hour
)

// verify checks as many postings as the budget allows, continuing from the night before, and returns their number. A round ends
// once its findings are reported.
func (v verifier) verify(ctx context.Context, now time.Time) (postings int64, err error) {
	checking, cancel := context.WithTimeout(db.Throttled(ctx, throttle(v.o.Now)), verifyTimeout)
	defer cancel()
	found, err := v.store.Audit.VerifyPart(checking, v.o.Season, now, func() bool { return v.o.Now().Sub(now) < nightlyBudget })
	if err != nil {
		return 0, err
	}
	if err := errors.Join(v.reportFindings(ctx, found, nightlyAlarm), v.reportFindings(ctx, found, roundAlarm)); err != nil {
		return 0, err
	}
	if !found.Whole {
		v.o.Log.InfoContext(ctx, "verify continues next night", "players", found.Players, "postings", found.Postings)
		return found.Postings, nil
	}
	return found.Postings, v.store.Audit.RestartVerify(ctx, now)
}

// Subjects of the alarm. Checks done in full each night end it the next night; those of several nights with a round without findings.
const (
	nightlyAlarm = alarms.VerifyEachNight
	roundAlarm   = ""
)

func (v verifier) reportFindings(ctx context.Context, found audit.Report, subject string) error {
	var broken []string
	for _, verdict := range found.Broken() {
		if verdict.EachPart == (subject == nightlyAlarm) {
			broken = append(broken, verdict.Invariant+": "+strings.Join(verdict.Broken, ", "))
		}
	}
	if len(broken) == 0 && subject == roundAlarm && !found.Whole { // only a complete round can end the alarm
		return nil
	}
	return report(ctx, v.store, v.o, alarms.AlarmReading{
		Name: models.AlarmVerifyFailed, Subject: subject, On: len(broken) > 0, Level: int64(len(broken)), Detail: truncateDetail(strings.Join(broken, "; ")),
	})
}

// maxDetail is in characters of an admin's message; `mcbk verify` prints all.
const maxDetail = 500

func truncateDetail(detail string) string {
	if runes := []rune(detail); len(runes) > maxDetail {
		return string(runes[:maxDetail]) + "…"
	}
	return detail
}

const (
	minPause = 10 * time.Millisecond
	maxPause = 2 * time.Second
)

// throttle pauses as long as the work before, so that verify uses half of the capacity at most.
func throttle(now func() time.Time) func(ctx context.Context) error {
	began := now()
	return func(ctx context.Context) error {
		pause(ctx, min(max(now().Sub(began), minPause), maxPause))
		began = now()
		return ctx.Err()
	}
}
