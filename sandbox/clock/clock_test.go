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
	c := check.Must(Open(dir))(t)
	return c
}

func TestOffsetIsStoredAndSurvivesRestart(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir)
	check.NoError(t, c.Add(12*time.Hour))
	check.NoError(t, c.Add(90*time.Minute))

	b := check.Must(os.ReadFile(c.File()))(t)
	if got := strings.TrimSpace(string(b)); got != "13h30m0s" {
		t.Errorf("the file says %q, want a Go duration of 13h30m0s", got)
	}
	if got := open(t, dir).Offset(); got != 13*time.Hour+30*time.Minute {
		t.Errorf("after a restart the offset is %v", got)
	}
	entries := check.Must(os.ReadDir(dir))(t)
	if len(entries) != 2 {
		t.Errorf("the directory holds %v, want the offset and the first start only", entries)
	}
}

func TestNextDayIsJustPastUTCMidnight(t *testing.T) {
	c := open(t, t.TempDir())
	before := c.Now().UTC()
	check.NoError(t, c.NextDay())
	after := c.Now().UTC()
	if after.YearDay() == before.YearDay() || after.Hour() != 0 || after.Minute() != 0 {
		t.Errorf("from %v to %v", before, after)
	}
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
	if day := int(c.Now().Sub(start)/(24*time.Hour)) + 1; day != 90 {
		t.Errorf("the season is on day %d", day)
	}
}

func TestUnreadableOffsetStopsStart(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir)
	check.NoError(t, os.WriteFile(c.File(), []byte("tomorrow"), 0o600))
	if _, err := Open(dir); err == nil {
		t.Error("opened with an offset that is no duration")
	}
}
