package settings

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
)

// ActionMaintenance closes the game for players and opens it again; its argument is on or off.
const ActionMaintenance models.Action = "maintenance"

// The setting of maintenance and its values.
const (
	SettingMaintenance = "maintenance" // the key of the setting
	switchedOn         = "on"
	switchedOff        = "off"
)

// InMaintenance reports whether the game is closed for players. Every process knows a change within two seconds; the one that made
// it, at once.
func (s *Store) InMaintenance(ctx context.Context, now time.Time) bool {
	return s.currentSettings(ctx, now).Maintenance
}

// SwitchMaintenance opens or closes the game, as an admin has confirmed.
func SwitchMaintenance(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 1 || (q.Args[0] != switchedOn && q.Args[0] != switchedOff) {
		return "", fmt.Errorf("maintenance %q", q.Args)
	}
	was, err := Value(tx, SettingMaintenance)
	if err != nil {
		return "", err
	}
	if was == q.Args[0] || (was == "" && q.Args[0] == switchedOff) {
		return "", game.Refuse(models.AlreadySo)
	}
	return "maintenance is " + q.Args[0], Put(tx, SettingMaintenance, q.Args[0], now)
}
