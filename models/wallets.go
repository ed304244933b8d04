package models

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// SetWallet connects a wallet by its raw address, or with nil disconnects it, and returns the player.
func (s *Store) SetWallet(ctx context.Context, id PlayerID, address *string) (Player, error) {
	var player Player
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		if player, err = s.lockPlayer(tx, id); err != nil {
			return err
		}
		if err := tx.Exec("UPDATE players SET wallet = ? WHERE id = ?", address, id).Error; err != nil {
			return fmt.Errorf("keep the wallet of player %d: %w", id, err)
		}
		player.Wallet = address
		return nil
	})
	return player, err
}
