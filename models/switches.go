package models

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
)

// How a change reaches the other processes: each reads the settings again after two seconds,
// and waits at most one for them. (decision 0022: admins)
const (
	switchesFresh    = 2 * time.Second
	switchesPatience = time.Second
)

// standing is what admins have set, as this process last read it.
type standing struct {
	knobs       Knobs
	maintenance bool
	readAt      time.Time // zero: it must be read again
}

// switches keep what admins have set, so that no call asks the database for it.
type switches struct {
	reading sync.Mutex
	known   atomic.Pointer[standing]
}

func newSwitches() *switches {
	w := new(switches)
	w.known.Store(&standing{knobs: UsualKnobs()})
	return w
}

// forget makes the next look read again.
func (w *switches) forget() {
	w.reading.Lock()
	defer w.reading.Unlock()
	known := *w.known.Load()
	known.readAt = time.Time{}
	w.known.Store(&known)
}

// stands is what admins have set, at most two seconds old, or three while the database is slow:
// one call at a time asks for it, and the others go by what was known last. So does everybody
// while the database is away. Only what was never read is waited for.
func (s *Store) stands(ctx context.Context, now time.Time) standing {
	w := s.switches
	known := w.known.Load()
	// Inside a transaction nobody waits for another connection.
	if _, inTx := ctx.Value(txKey{}).(*gorm.DB); inTx || now.Sub(known.readAt).Abs() < switchesFresh {
		return *known
	}
	if known.readAt.IsZero() {
		w.reading.Lock()
	} else if !w.reading.TryLock() {
		return *known
	}
	defer w.reading.Unlock()
	if latest := w.known.Load(); latest != known && !latest.readAt.IsZero() {
		return *latest // read while this call waited
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), switchesPatience)
	defer cancel()
	read, err := readStanding(s.read.WithContext(ctx))
	if err != nil {
		read = *known
	}
	read.readAt = now
	w.known.Store(&read)
	return read
}

func readStanding(db *gorm.DB) (standing, error) {
	var rows []struct{ Key, Value string }
	err := db.Raw("SELECT key, value FROM settings WHERE key = ? OR key LIKE ?",
		settingMaintenance, knobPrefix+"%").Scan(&rows).Error
	if err != nil {
		return standing{}, fmt.Errorf("read what admins set: %w", err)
	}
	set := make(map[string]string, len(rows))
	for _, row := range rows {
		set[row.Key] = row.Value
	}
	return standing{knobs: knobsSet(set), maintenance: set[settingMaintenance] == switchedOn}, nil
}

// set stores a setting in place of what it was.
func set(tx *gorm.DB, key, value string, now time.Time) error {
	err := tx.Exec(`INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`, key, value, now.UTC()).Error
	if err != nil {
		return fmt.Errorf("set %s: %w", strings.TrimPrefix(key, knobPrefix), err)
	}
	return nil
}
