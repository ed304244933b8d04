package settings

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
)

// A change reaches the other processes because each reads the settings again after two seconds, and waits at most one second for
// them. (decision 0022: admins)
const (
	settingsFresh   = 2 * time.Second
	settingsTimeout = time.Second
)

// Snapshot is the runtime settings and maintenance as this process last read them.
type Snapshot struct {
	Runtime     RuntimeSettings
	Maintenance bool
	readAt      time.Time // zero: must be read again
}

// cache keeps the newest snapshot, so that no call reads the settings from the database.
type cache struct {
	reading sync.Mutex
	current atomic.Pointer[Snapshot]
}

func newCache() *cache {
	c := new(cache)
	c.current.Store(&Snapshot{Runtime: DefaultSettings()})
	return c
}

// LoadSettings reads what admins have set. A process does so before it serves or leads: until then it has the default settings
// only, by which a closed game would be open.
func (s *Store) LoadSettings(ctx context.Context, now time.Time) error {
	c := s.cache
	c.reading.Lock()
	defer c.reading.Unlock()
	read, err := ReadSettings(s.db.Read(ctx))
	if err != nil {
		return db.WrapUnavailable(err)
	}
	read.readAt = now
	c.current.Store(&read)
	return nil
}

// Cached returns the settings as this process last read them.
func (s *Store) Cached() RuntimeSettings { return s.cache.current.Load().Runtime }

// Invalidate makes the next call read again.
func (s *Store) Invalidate() {
	c := s.cache
	c.reading.Lock()
	defer c.reading.Unlock()
	known := *c.current.Load()
	known.readAt = time.Time{}
	c.current.Store(&known)
}

// currentSettings returns the settings, at most two seconds old, or three while the database is slow: one call at a time reads
// them, and the others use the last snapshot. So do all while the database is away. Only the first reading is waited for.
func (s *Store) currentSettings(ctx context.Context, now time.Time) Snapshot {
	c := s.cache
	known := c.current.Load()
	// Inside a transaction nobody waits for another connection.
	if _, inTx := db.TxFrom(ctx); inTx || now.Sub(known.readAt).Abs() < settingsFresh {
		return *known
	}
	if known.readAt.IsZero() {
		c.reading.Lock()
	} else if !c.reading.TryLock() {
		return *known
	}
	defer c.reading.Unlock()
	if latest := c.current.Load(); latest != known && !latest.readAt.IsZero() {
		return *latest // read while this call waited
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.db.Scale.Of(settingsTimeout))
	defer cancel()
	read, err := ReadSettings(s.db.Committed(ctx))
	if err != nil {
		read = *known
	}
	read.readAt = now
	c.current.Store(&read)
	return read
}

// ReadSettings reads what admins have set.
func ReadSettings(view *gorm.DB) (Snapshot, error) {
	var rows []models.Setting
	if err := view.Where("key = ? OR key LIKE ?", SettingMaintenance, SettingPrefix+"%").Find(&rows).Error; err != nil {
		return Snapshot{}, fmt.Errorf("read what admins set: %w", err)
	}
	set := make(map[string]string, len(rows))
	for _, row := range rows {
		set[row.Key] = row.Value
	}
	return Snapshot{Runtime: From(set), Maintenance: set[SettingMaintenance] == switchedOn}, nil
}
