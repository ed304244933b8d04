package jobs

import (
	"context"
	"errors"
	"strings"
	"time"

	"mcbk/models"
)

// verifier checks every invariant in the leader. (decision 0023: leader)
type verifier struct {
	store Store
	o     Options
}

const (
	// nightTime is how long the books are checked in one night; the next night continues.
	nightTime = 5 * time.Hour
	// verifyTime is the timeout of a check; one that takes longer has failed.
	verifyTime = 6 * time.Hour
)

// verify checks as many postings as it has time for, continues where it stopped the night before, and returns how many. A round
// ends once its findings were reported.
func (v verifier) verify(ctx context.Context, now time.Time) (postings int64, err error) {
	checking, cancel := context.WithTimeout(models.Gently(ctx, rests(v.o.Now)), verifyTime)
	defer cancel()
	found, err := v.store.VerifyPart(checking, v.o.Season, now, func() bool { return v.o.Now().Sub(now) < nightTime })
	if err != nil {
		return 0, err
	}
	if err := errors.Join(v.tell(ctx, found, eachNight), v.tell(ctx, found, inRounds)); err != nil {
		return 0, err
	}
	if !found.Whole {
		v.o.Log.InfoContext(ctx, "the check of the books goes on in the next night", "players", found.Players, "postings", found.Postings)
		return found.Postings, nil
	}
	return found.Postings, v.store.VerifyAnew(ctx, now)
}

// Subjects of the alarm: what is checked in full each night, and what may take several nights. The former ends the next night,
// the latter with a round that found nothing.
const (
	eachNight = models.VerifyEachNight
	inRounds  = ""
)

func (v verifier) tell(ctx context.Context, found models.Report, subject string) error {
	var broken []string
	for _, verdict := range found.Broken() {
		if verdict.EachPart == (subject == eachNight) {
			broken = append(broken, verdict.Invariant+": "+strings.Join(verdict.Broken, ", "))
		}
	}
	if len(broken) == 0 && subject == inRounds && !found.Whole { // only a complete round can end the alarm
		return nil
	}
	return report(ctx, v.store, v.o, models.AlarmReading{
		Name: models.AlarmVerifyFailed, Subject: subject, On: len(broken) > 0, Level: int64(len(broken)), Detail: shortened(strings.Join(broken, "; ")),
	})
}

// detailSize is how much is put into an admin's message; `mcbk verify` prints all.
const detailSize = 500

func shortened(detail string) string {
	if runes := []rune(detail); len(runes) > detailSize {
		return string(runes[:detailSize]) + "…"
	}
	return detail
}

const (
	leastRest = 10 * time.Millisecond
	mostRest  = 2 * time.Second
)

// rests makes pauses as long as the work before them, so that long work leaves half of the time to players.
func rests(now func() time.Time) func(ctx context.Context) error {
	began := now()
	return func(ctx context.Context) error {
		pause(ctx, min(max(now().Sub(began), leastRest), mostRest))
		began = now()
		return ctx.Err()
	}
}
