package clock

import (
	"os"
	"strings"
	"testing"
	"time"

	"mcbk-sandbox/check"
)

func open(t *testing.T, dir string) *Clock {
	t.Helper()
	return check.Must(Open(dir))(t)
}

func TestOffsetIsStoredAndSurvivesRestart(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir)
	check.NoError(t, c.Add(12*time.Hour))
	check.NoError(t, c.Add(90*time.Minute))

	b := check.Must(os.ReadFile(c.File()))(t)
	check.Equal(t, strings.TrimSpace(string(b)), "13h30m0s", "the file says")
	check.Equal(t, open(t, dir).Offset(), 13*time.Hour+30*time.Minute, "after a restart the offset is")
	entries := check.Must(os.ReadDir(dir))(t)
	check.Equal(t, len(entries), 2, "the directory holds", entries)
}

func TestNextDayIsJustPastUTCMidnight(t *testing.T) {
	c := open(t, t.TempDir())
	before := c.Now().UTC()
	check.NoError(t, c.NextDay())
	after := c.Now().UTC()
	check.That(t, after.YearDay() != before.YearDay() && after.Hour() == 0 && after.Minute() == 0, "from %v to %v", before, after)
}

func TestDay90IsIdempotent(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir)
	first := c.Now().UTC()
	check.NoError(t, c.LastDay())
	check.NoError(t, c.Add(time.Hour))
	c = open(t, dir)
	check.NoError(t, c.LastDay())

	start := time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, time.UTC)
	check.Equal(t, int(c.Now().Sub(start)/(24*time.Hour))+1, 90, "the season is on day")
}

func TestUnreadableOffsetStopsStart(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir)
	check.NoError(t, os.WriteFile(c.File(), []byte("tomorrow"), 0o600))
	_, err := Open(dir)
	check.That(t, err != nil, "opened with an offset that is no duration")
}
