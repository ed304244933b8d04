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
	// nightlyBudget is how long the books are checked in one night; the next night continues.
	nightlyBudget = 5 * time.Hour
	// verifyTimeout is the timeout of a check; one that takes longer has failed.
	verifyTimeout = 6 * time.Hour
)

// verify checks as many postings as it has time for, continues where it stopped the night before, and returns how many. A round
// ends once its findings were reported.
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
		v.o.Log.InfoContext(ctx, "the check of the books goes on in the next night", "players", found.Players, "postings", found.Postings)
		return found.Postings, nil
	}
	return found.Postings, v.store.Audit.RestartVerify(ctx, now)
}

// Subjects of the alarm: what is checked in full each night, and what may take several nights. The former ends the next night,
// the latter with a round that found nothing.
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

// maxDetail is how much is put into an admin's message; `mcbk verify` prints all.
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

// throttle makes pauses as long as the work before them, so that long work leaves half of the time to players.
func throttle(now func() time.Time) func(ctx context.Context) error {
	began := now()
	return func(ctx context.Context) error {
		pause(ctx, min(max(now().Sub(began), minPause), maxPause))
		began = now()
		return ctx.Err()
	}
}
