package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

const settingProjectStart = "project_start"

// ProjectStart returns the season's first moment in UTC: configured when it is given, else
// the day of the first start ever, which is stored then.
func (s *Store) ProjectStart(ctx context.Context, configured, now time.Time) (time.Time, error) {
	if !configured.IsZero() {
		return configured, nil
	}
	var stored string
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		today := now.UTC().Truncate(24 * time.Hour).Format(time.RFC3339)
		err := tx.Exec("INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
			settingProjectStart, today, now).Error
		if err != nil {
			return fmt.Errorf("store project start: %w", err)
		}
		return tx.Raw("SELECT value FROM settings WHERE key = ?", settingProjectStart).Scan(&stored).Error
	})
	if err != nil {
		return time.Time{}, err
	}
	start, err := time.Parse(time.RFC3339, stored)
	if err != nil {
		return time.Time{}, fmt.Errorf("stored project start %q: %w", stored, err)
	}
	return start, nil
}
