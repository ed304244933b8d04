// Package clock is the sandbox's time: the real time plus an offset in a file, which mcbk reads too.
package clock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// seasonDays is a season's length; its last day is day 90.
const seasonDays = 90

// Clock is the real time plus an offset kept in a file.
type Clock struct {
	file  string
	first time.Time // first use of this data directory, on this clock

	mu     sync.Mutex
	offset time.Duration
}

// Open loads the offset in dir, or begins with none.
func Open(dir string) (*Clock, error) {
	c := &Clock{file: filepath.Join(dir, "clock-offset")}
	text, err := readLine(c.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := c.Set(0); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, fmt.Errorf("read the clock offset: %w", err)
	default:
		if c.offset, err = time.ParseDuration(text); err != nil {
			return nil, fmt.Errorf("read the clock offset in %s: %w", c.file, err)
		}
	}

	firstFile := filepath.Join(dir, "first-start")
	text, err = readLine(firstFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.first = c.Now().UTC().Truncate(time.Second)
		return c, replace(firstFile, c.first.Format(time.RFC3339))
	case err != nil:
		return nil, fmt.Errorf("read the first start: %w", err)
	}
	if c.first, err = time.Parse(time.RFC3339, text); err != nil {
		return nil, fmt.Errorf("read the first start in %s: %w", firstFile, err)
	}
	return c, nil
}

// File is the path of the offset file, a Go duration on one line.
func (c *Clock) File() string { return c.file }

// Now is the sandbox's time.
func (c *Clock) Now() time.Time { return time.Now().Add(c.Offset()) }

// Offset is how far the sandbox's time is ahead of the real one.
func (c *Clock) Offset() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset
}

// Set sets and saves the offset.
func (c *Clock) Set(d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.set(d)
}

// Add moves the time by d.
func (c *Clock) Add(d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.set(c.offset + d)
}

// NextDay moves the time to one second after the next UTC midnight.
func (c *Clock) NextDay() error {
	now := c.Now().UTC()
	midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 1, 0, time.UTC)
	return c.Add(midnight.Sub(now))
}

// LastDay moves the time to noon of the season's day 90, counted from the first use of this data directory. It is idempotent.
func (c *Clock) LastDay() error {
	f := c.first.UTC()
	noon := time.Date(f.Year(), f.Month(), f.Day()+seasonDays-1, 12, 0, 0, 0, time.UTC)
	return c.Set(time.Until(noon).Round(time.Second))
}

func (c *Clock) set(d time.Duration) error {
	if err := replace(c.file, d.String()); err != nil {
		return fmt.Errorf("write the clock offset: %w", err)
	}
	c.offset = d
	return nil
}

func readLine(path string) (string, error) {
	b, err := os.ReadFile(path)
	return strings.TrimSpace(string(b)), err
}

// replace replaces the file atomically.
func replace(path, line string) error {
	if err := os.WriteFile(path+".new", []byte(line+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
