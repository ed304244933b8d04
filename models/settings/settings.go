package settings

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"mcbk/models"
	"mcbk/models/db"
)

const (
	settingProjectStart = "project_start"
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
	return resolveStart(stored, configured)
}

// KnownStart is ProjectStart without storing anything: zero if no start is stored.
func (s *Store) KnownStart(ctx context.Context, configured time.Time) (time.Time, error) {
	stored, err := Value(s.db.Read(ctx), settingProjectStart)
	if err != nil || stored == "" {
		return time.Time{}, db.WrapUnavailable(err)
	}
	return resolveStart(stored, configured)
}

// resolveStart returns the stored start, unless another one is configured.
func resolveStart(stored string, configured time.Time) (time.Time, error) {
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
		err := Init(tx, settingProjectStart, first.Format(time.RFC3339), now)
		if err == nil && !configured.IsZero() {
			err = tx.Model(&models.Setting{}).Where("key = ? AND NOT EXISTS (SELECT 1 FROM players)", settingProjectStart).
				Updates(map[string]any{"value": configured.Format(time.RFC3339), "updated_at": now}).Error
		}
		if err != nil {
			return fmt.Errorf("store project start: %w", err)
		}
		stored, err = Value(tx, settingProjectStart)
		return err
	})
	return stored, err
}

// Value reads a setting; empty if it was never set.
func Value(tx *gorm.DB, key string) (string, error) {
	setting, err := db.One[models.Setting](tx.Where("key = ?", key))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return "", fmt.Errorf("read setting %s: %w", key, err)
	}
	return setting.Value, nil
}

// Init stores a setting that was never set.
func Init(tx *gorm.DB, key, value string, now time.Time) error {
	return tx.Scopes(db.OrIgnore).Create(&models.Setting{Key: key, Value: value, UpdatedAt: now.UTC()}).Error
}

// Put stores a setting in place of what it was.
func Put(tx *gorm.DB, key, value string, now time.Time) error {
	err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&models.Setting{Key: key, Value: value, UpdatedAt: now.UTC()}).Error
	return db.Wrap(err, "set %s", strings.TrimPrefix(key, SettingPrefix))
}
