package config

import (
	"os"
	"strings"
	"sync"
	"time"
)

// offsetAge is how long an offset is cached.
const offsetAge = 100 * time.Millisecond

// Clock makes the program's clock, in UTC: wall time plus the offset in CLOCK_OFFSET_FILE, reloaded every offsetAge. A missing or
// malformed file counts as no offset, so that a development clock can be reset by deleting it.
func (c Config) Clock(wall func() time.Time) func() time.Time {
	if c.ClockOffsetFile == "" {
		return func() time.Time { return wall().UTC() }
	}
	var (
		mu     sync.Mutex
		read   time.Time
		offset time.Duration
	)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now := wall()
		if now.Sub(read).Abs() >= offsetAge {
			read, offset = now, readOffset(c.ClockOffsetFile)
		}
		return now.Add(offset).UTC()
	}
}

func readOffset(path string) time.Duration {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	offset, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return offset
}
