package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

const (
	settingProjectStart = "project_start"
	readSetting         = "SELECT value FROM settings WHERE key = ?"
)

// ProjectStart returns the season's first moment in UTC: configured when it is given, else
// the day of the first start ever, which is stored then.
func (s *Store) ProjectStart(ctx context.Context, configured, now time.Time) (time.Time, error) {
	start, known, err := s.KnownStart(ctx, configured)
	if known || err != nil {
		return start, err
	}
	stored, err := s.storeProjectStart(ctx, now) // only then the clock decides, and it must be right
	if err != nil {
		return time.Time{}, err
	}
	return parsedStart(stored)
}

// KnownStart is ProjectStart as far as it was decided before; it stores nothing.
func (s *Store) KnownStart(ctx context.Context, configured time.Time) (start time.Time, known bool, err error) {
	if !configured.IsZero() {
		return configured, true, nil
	}
	var stored string
	if err := s.read.WithContext(ctx).Raw(readSetting, settingProjectStart).Scan(&stored).Error; err != nil {
		return time.Time{}, false, fmt.Errorf("read project start: %w", err)
	}
	if stored == "" {
		return time.Time{}, false, nil
	}
	start, err = parsedStart(stored)
	return start, err == nil, err
}

func parsedStart(stored string) (time.Time, error) {
	start, err := time.Parse(time.RFC3339, stored)
	if err != nil {
		return time.Time{}, fmt.Errorf("stored project start %q: %w", stored, err)
	}
	return start, nil
}

// storeProjectStart stores today, unless another process was faster, and returns what is stored.
func (s *Store) storeProjectStart(ctx context.Context, now time.Time) (stored string, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		today := now.UTC().Truncate(24 * time.Hour).Format(time.RFC3339)
		err := tx.Exec("INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
			settingProjectStart, today, now).Error
		if err != nil {
			return fmt.Errorf("store project start: %w", err)
		}
		return tx.Raw(readSetting, settingProjectStart).Scan(&stored).Error
	})
	return stored, err
}
