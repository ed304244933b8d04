package settings

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/models/db"
)

const (
	settingProjectStart = "project_start"
	// SelectSetting reads a setting by its key.
	SelectSetting = "SELECT value FROM settings WHERE key = ?"
)

// ErrOtherStart is a configured season start that differs from the one people have played from.
var ErrOtherStart = errors.New("the season starts on another day than the one in the database")

// ProjectStart returns the season's first moment in UTC: configured if it is given, else the day of the very first start of the
// program. Either is stored. Days, prices and prizes are counted from it, so once there is a player another start is ErrOtherStart.
func (s *Store) ProjectStart(ctx context.Context, configured, now time.Time) (time.Time, error) {
	start, err := s.KnownStart(ctx, configured)
	if err == nil && !start.IsZero() {
		return start, nil
	}
	if err != nil && !errors.Is(err, ErrOtherStart) {
		return time.Time{}, err
	}
	stored, err := s.storeProjectStart(ctx, configured, now) // the clock decides only here, and must be right
	if err != nil {
		return time.Time{}, err
	}
	return agreedStart(stored, configured)
}

// KnownStart is ProjectStart without storing anything: zero if no start is stored.
func (s *Store) KnownStart(ctx context.Context, configured time.Time) (time.Time, error) {
	var stored string
	if err := s.db.Read(ctx).Raw(SelectSetting, settingProjectStart).Scan(&stored).Error; err != nil {
		return time.Time{}, db.WrapUnavailable(fmt.Errorf("read project start: %w", err))
	}
	if stored == "" {
		return time.Time{}, nil
	}
	return agreedStart(stored, configured)
}

// agreedStart returns the stored start, unless another one is configured.
func agreedStart(stored string, configured time.Time) (time.Time, error) {
	start, err := time.Parse(time.RFC3339, stored)
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("stored project start %q: %w", stored, err)
	case !configured.IsZero() && !configured.Equal(start):
		return time.Time{}, fmt.Errorf("%w: it was %s, not %s", ErrOtherStart, stored, configured.Format(time.RFC3339))
	}
	return start, nil
}

// storeProjectStart stores the configured start unless there is a stored one and a player. Without a configured one it stores
// today, unless a start is stored. It returns what is stored afterwards.
func (s *Store) storeProjectStart(ctx context.Context, configured, now time.Time) (stored string, err error) {
	first := configured
	if first.IsZero() {
		first = now.UTC().Truncate(24 * time.Hour)
	}
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		err := tx.Exec("INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
			settingProjectStart, first.Format(time.RFC3339), now).Error
		if err == nil && !configured.IsZero() {
			err = tx.Exec("UPDATE settings SET value = ?, updated_at = ? WHERE key = ? AND NOT EXISTS (SELECT 1 FROM players)",
				configured.Format(time.RFC3339), now, settingProjectStart).Error
		}
		if err != nil {
			return fmt.Errorf("store project start: %w", err)
		}
		return tx.Raw(SelectSetting, settingProjectStart).Scan(&stored).Error
	})
	return stored, err
}

// PutSetting stores a setting in place of what it was.
func PutSetting(tx *gorm.DB, key, value string, now time.Time) error {
	err := tx.Exec(`INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)
		ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`, key, value, now.UTC()).Error
	if err != nil {
		return fmt.Errorf("set %s: %w", strings.TrimPrefix(key, SettingPrefix), err)
	}
	return nil
}
