package game_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
)

var season = game.Season{Start: time.Date(2026, time.March, 4, 0, 0, 0, 0, time.UTC)}

const day = 24 * time.Hour

func TestSeasonCountsNinetyDays(t *testing.T) {
	for _, c := range []struct {
		name string
		at   time.Time
		day  int
		code game.Code // empty when open
	}{
		{"a thousand years before", season.Start.AddDate(-1000, 0, 0), 1, game.SeasonNotStarted},
		{"a day before", season.Start.Add(-day), 1, game.SeasonNotStarted},
		{"the last moment before", season.Start.Add(-1), 1, game.SeasonNotStarted},
		{"the first moment", season.Start, 1, ""},
		{"the end of day 1", season.Start.Add(day - 1), 1, ""},
		{"day 2", season.Start.Add(day), 2, ""},
		{"the end of day 89", season.Start.Add(89*day - 1), 89, ""},
		{"day 90", season.Start.Add(89 * day), 90, ""},
		{"the last moment", season.Start.Add(90*day - 1), 90, ""},
		{"the first moment after", season.Start.Add(90 * day), 90, game.SeasonOver},
		{"a thousand years after", season.Start.AddDate(1000, 0, 0), 90, game.SeasonOver},
	} {
		if got := season.Day(c.at); got != c.day {
			t.Errorf("%s: day %d, want %d", c.name, got, c.day)
		}
		if got := refusal(t, season.Open(c.at)); got != c.code {
			t.Errorf("%s: refused with %q, want %q", c.name, got, c.code)
		}
	}
}

func refusal(t *testing.T, err error) game.Code {
	t.Helper()
	var refusal *game.Refusal
	if err != nil && !errors.As(err, &refusal) {
		t.Fatalf("not a refusal: %v", err)
	}
	if refusal == nil {
		return ""
	}
	return refusal.Code
}

func TestSeasonDayIsMonotonicAndBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-1<<35, 1<<35).Draw(t, "at"), rapid.Int64Range(0, 1e9-1).Draw(t, "nanos"))
		later := at.Add(time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "passed")))
		first, second := season.Day(at), season.Day(later)
		if first < 1 || second > 90 || second < first {
			t.Errorf("day %d at %s, day %d at %s", first, at, second, later)
		}
		if open := season.Open(at) == nil; open != (!at.Before(season.Start) && at.Before(season.Start.Add(90*day))) {
			t.Errorf("open %t at %s", open, at)
		}
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
