package game

import "time"

// SeasonDays is the length of the project (spec §1: a 90-day project).
const SeasonDays = 90

// Day counts UTC days since 1970-01-01.
type Day int32

// DayOf returns the UTC day of a moment.
func DayOf(at time.Time) Day {
	const seconds = 24 * 60 * 60
	unix := at.Unix()
	if unix < 0 {
		unix -= seconds - 1
	}
	return Day(unix / seconds)
}

// Start returns the first moment of the day, 00:00 UTC.
func (d Day) Start() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// Season is the project's 90 days from its start.
type Season struct {
	Start time.Time // UTC
}

// Day returns the project day, clamped to 1 to 90 before the start and after the end.
func (s Season) Day(now time.Time) int {
	return min(max(s.elapsed(now)+1, 1), SeasonDays)
}

// DayStart returns the first moment of a project day.
func (s Season) DayStart(day int) time.Time {
	return s.Start.Add(time.Duration(day-1) * 24 * time.Hour).UTC()
}

// End returns the first moment after day 90.
func (s Season) End() time.Time { return s.DayStart(SeasonDays + 1) }

// Open returns nil during the season, else *Refusal season_not_started or season_over; buying and reading go on.
func (s Season) Open(now time.Time) error {
	switch {
	case now.Before(s.Start):
		return Refuse(SeasonNotStarted)
	case s.elapsed(now) >= SeasonDays:
		return Refuse(SeasonOver)
	}
	return nil
}

// elapsed returns the whole days since the start; negative before it.
func (s Season) elapsed(now time.Time) int {
	if now.Before(s.Start) {
		return -1 // an earlier start may exceed Duration
	}
	return int(now.Sub(s.Start) / (24 * time.Hour))
}
