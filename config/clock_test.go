package config_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcbk/config"
)

// offset is a clock offset file and the clock that reads it, on a wall that moves by hand.
type offset struct {
	t    *testing.T
	path string
	wall time.Time
	now  func() time.Time
}

func newOffset(t *testing.T) *offset {
	t.Helper()
	wall := time.Date(2026, time.March, 4, 12, 0, 0, 0, time.FixedZone("", 3*60*60))
	o := &offset{t: t, path: filepath.Join(t.TempDir(), "offset"), wall: wall}
	o.now = config.Config{ClockOffsetFile: o.path}.Clock(func() time.Time { return o.wall })
	return o
}

func (o *offset) write(text string) {
	o.t.Helper()
	if err := os.WriteFile(o.path, []byte(text), 0o600); err != nil {
		o.t.Fatal(err)
	}
}

// ahead checks how far the clock is ahead of the wall.
func (o *offset) ahead(want time.Duration) {
	o.t.Helper()
	now := o.now()
	if now.Sub(o.wall) != want || now.Location() != time.UTC {
		o.t.Errorf("the clock shows %s at %s, want it %s ahead, in UTC", now, o.wall, want)
	}
}

func TestClockAddsOffsetOfItsFile(t *testing.T) {
	o := newOffset(t)
	o.write("36h30m\n")
	o.ahead(36*time.Hour + 30*time.Minute)
	o.write("-2h")
	o.wall = o.wall.Add(100*time.Millisecond - 1) // it is cached for a tenth of a second
	o.ahead(36*time.Hour + 30*time.Minute)
	o.wall = o.wall.Add(1)
	o.ahead(-2 * time.Hour)
	o.write("2h")
	o.wall = o.wall.Add(-time.Hour) // the wall clock is set back
	o.ahead(2 * time.Hour)
}

func TestUnreadableOffsetIsZero(t *testing.T) {
	o := newOffset(t)
	o.ahead(0) // no file
	for _, garbage := range []string{"", "soon", "5", "1h 30m", "1d"} {
		o.write("1h")
		o.wall = o.wall.Add(time.Second)
		o.ahead(time.Hour)
		o.write(garbage)
		o.wall = o.wall.Add(time.Second)
		o.ahead(0)
	}
}

func TestClockWithoutFileIsWallClockInUTC(t *testing.T) {
	o := newOffset(t)
	o.now = config.Config{}.Clock(func() time.Time { return o.wall })
	o.ahead(0)
}
