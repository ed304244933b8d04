package game_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
)

var season = game.Season{Start: time.Date(2026, time.March, 4, 0, 0, 0, 0, time.UTC)}

const day = 24 * time.Hour

func TestSeasonCountsNinetyDays(t *testing.T) {
	check := func(t rapid.TB, at time.Time, wantDay int, wantCode game.Code) {
		t.Helper()
		var refusal *game.Refusal
		err := season.Open(at)
		if got := season.Day(at); got != wantDay || (err == nil) != (wantCode == "") || err != nil && (!errors.As(err, &refusal) || refusal.Code != wantCode) {
			t.Errorf("at %s: day %d, refused with %v, want day %d and %q", at, got, err, wantDay, wantCode)
		}
	}
	check(t, season.Start.AddDate(-1000, 0, 0), 1, game.SeasonNotStarted)
	check(t, season.Start.AddDate(1000, 0, 0), 90, game.SeasonOver)
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.IntRange(-10, 100).Draw(t, "days")
		within := rapid.OneOf(rapid.Just(int64(0)), rapid.Just(int64(day-1)), rapid.Int64Range(0, int64(day-1))).Draw(t, "of the day")
		want, code := min(max(days+1, 1), 90), game.Code("")
		switch {
		case days < 0:
			code = game.SeasonNotStarted
		case days >= 90:
			code = game.SeasonOver
		}
		check(t, season.Start.Add(time.Duration(days)*day+time.Duration(within)), want, code)
	})
}

func TestDayIsUTCDateInAnyZone(t *testing.T) {
	if got := game.DayOf(season.Start); got != 20_516 {
		t.Errorf("the season starts on day %d", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "seconds"), rapid.Int64Range(0, 1e9-1).Draw(t, "nanos"))
		at = at.In(time.FixedZone("", rapid.IntRange(-14, 14).Draw(t, "hours east")*60*60))
		start, end := game.DayOf(at).Start(), (game.DayOf(at) + 1).Start()
		if at.Before(start) || !at.Before(end) || start != at.UTC().Truncate(day) {
			t.Errorf("%s is not in the day from %s to %s", at, start, end)
		}
	})
}
