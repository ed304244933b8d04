package models

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
)

// A change reaches the other processes because each reads the settings again after two seconds, and waits at most one second for
// them. (decision 0022: admins)
const (
	settingsFresh   = 2 * time.Second
	settingsTimeout = time.Second
)

// settingsSnapshot is the runtime settings and maintenance as this process last read them.
type settingsSnapshot struct {
	runtime     RuntimeSettings
	maintenance bool
	readAt      time.Time // zero: must be read again
}

// settingsCache keeps the newest snapshot, so that no call reads the settings from the database.
type settingsCache struct {
	reading sync.Mutex
	known   atomic.Pointer[settingsSnapshot]
}

func newSettingsCache() *settingsCache {
	c := new(settingsCache)
	c.known.Store(&settingsSnapshot{runtime: UsualSettings()})
	return c
}

// LearnSettings reads what admins have set. A process does so before it serves or leads: until then it knows the usual settings
// only, by which a closed game would be open.
func (s *Store) LearnSettings(ctx context.Context, now time.Time) error {
	c := s.settings
	c.reading.Lock()
	defer c.reading.Unlock()
	read, err := readSettings(s.DB.reading(ctx))
	if err != nil {
		return explained(err)
	}
	read.readAt = now
	c.known.Store(&read)
	return nil
}

// knownSettings returns the settings as this process last read them.
func (s *Store) knownSettings() RuntimeSettings { return s.settings.known.Load().runtime }

// forgetSettings makes the next call read again.
func (s *Store) forgetSettings() {
	c := s.settings
	c.reading.Lock()
	defer c.reading.Unlock()
	known := *c.known.Load()
	known.readAt = time.Time{}
	c.known.Store(&known)
}

// currentSettings returns the settings, at most two seconds old, or three while the database is slow: one call at a time reads
// them, and the others use the last snapshot. So do all while the database is away. Only the first reading is waited for.
func (s *Store) currentSettings(ctx context.Context, now time.Time) settingsSnapshot {
	c := s.settings
	known := c.known.Load()
	// Inside a transaction nobody waits for another connection.
	if _, inTx := txOf(ctx); inTx || now.Sub(known.readAt).Abs() < settingsFresh {
		return *known
	}
	if known.readAt.IsZero() {
		c.reading.Lock()
	} else if !c.reading.TryLock() {
		return *known
	}
	defer c.reading.Unlock()
	if latest := c.known.Load(); latest != known && !latest.readAt.IsZero() {
		return *latest // read while this call waited
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.DB.patience.with(settingsTimeout))
	defer cancel()
	read, err := readSettings(s.DB.committed(ctx))
	if err != nil {
		read = *known
	}
	read.readAt = now
	c.known.Store(&read)
	return read
}

func readSettings(db *gorm.DB) (settingsSnapshot, error) {
	var rows []struct{ Key, Value string }
	err := db.Raw("SELECT key, value FROM settings WHERE key = ? OR key LIKE ?",
		settingMaintenance, settingPrefix+"%").Scan(&rows).Error
	if err != nil {
		return settingsSnapshot{}, fmt.Errorf("read what admins set: %w", err)
	}
	set := make(map[string]string, len(rows))
	for _, row := range rows {
		set[row.Key] = row.Value
	}
	return settingsSnapshot{runtime: settingsFrom(set), maintenance: set[settingMaintenance] == switchedOn}, nil
}
