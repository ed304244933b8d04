package settings

import (
	"context"
	"fmt"
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

// LoadSettings reads what admins have set. A process does so before it serves or leads: until then it has the default settings
// only, by which a closed game would be open.
func (s *Store) LoadSettings(ctx context.Context, now time.Time) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	read, err := ReadSettings(s.db.Read(ctx))
	if err != nil {
		return db.WrapUnavailable(err)
	}
	read.readAt = now
	s.current.Store(&read)
	return nil
}

// Cached returns the settings as this process last read them.
func (s *Store) Cached() RuntimeSettings { return s.current.Load().Runtime }

// Invalidate makes the next call read again.
func (s *Store) Invalidate() {
	s.reading.Lock()
	defer s.reading.Unlock()
	known := *s.current.Load()
	known.readAt = time.Time{}
	s.current.Store(&known)
}

// currentSettings returns the settings, at most two seconds old, or three while the database is slow: one call at a time reads
// them, and the others use the last snapshot. So do all while the database is away. Only the first reading is waited for.
func (s *Store) currentSettings(ctx context.Context, now time.Time) Snapshot {
	known := s.current.Load()
	// Inside a transaction nobody waits for another connection.
	if _, inTx := db.TxFrom(ctx); inTx || now.Sub(known.readAt).Abs() < settingsFresh {
		return *known
	}
	if known.readAt.IsZero() {
		s.reading.Lock()
	} else if !s.reading.TryLock() {
		return *known
	}
	defer s.reading.Unlock()
	if latest := s.current.Load(); latest != known && !latest.readAt.IsZero() {
		return *latest // read while this call waited
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.db.Scale.Of(settingsTimeout))
	defer cancel()
	read, err := ReadSettings(s.db.Committed(ctx))
	if err != nil {
		read = *known
	}
	read.readAt = now
	s.current.Store(&read)
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
