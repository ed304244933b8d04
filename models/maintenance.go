package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// ActionMaintenance closes the game for players and opens it again; its argument is on or off.
const ActionMaintenance Action = "maintenance"

const (
	settingMaintenance = "maintenance"
	switchedOn         = "on"
	switchedOff        = "off"
)

// InMaintenance reports whether the game is closed for players. Every process knows a change within two seconds; the one that made
// it, at once.
func (s *Store) InMaintenance(ctx context.Context, now time.Time) bool {
	return s.currentSettings(ctx, now).maintenance
}

func switchMaintenance(tx *gorm.DB, q Question, now time.Time) (outcome string, err error) {
	if len(q.Args) != 1 || (q.Args[0] != switchedOn && q.Args[0] != switchedOff) {
		return "", fmt.Errorf("maintenance %q", q.Args)
	}
	var was string
	if err := tx.Raw(readSetting, settingMaintenance).Scan(&was).Error; err != nil {
		return "", fmt.Errorf("read maintenance: %w", err)
	}
	if was == q.Args[0] || (was == "" && q.Args[0] == switchedOff) {
		return "", game.Refuse(AlreadySo)
	}
	return "maintenance is " + q.Args[0], putSetting(tx, settingMaintenance, q.Args[0], now)
}
