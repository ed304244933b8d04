package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// Refusals of a wallet.
const (
	WalletProofInvalid game.Code = "wallet_proof_invalid"
	WalletInUse        game.Code = "wallet_in_use"
)

// SetWallet connects a wallet by its raw address, or with nil disconnects it, and returns the player. A wallet that the player has
// proven stays proven while it is connected. It refuses with user_blocked.
func (s *Store) SetWallet(ctx context.Context, id PlayerID, address *string) (Player, error) {
	var player Player
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		if player, err = s.lockPlayer(tx, id); err != nil {
			return err
		}
		if err := player.MayPlay(); err != nil {
			return err
		}
		proven := address != nil && player.WalletProven && *player.Wallet == *address
		return player.connect(tx, address, proven)
	})
	return player, err
}

// ProveWallet connects a wallet whose key has signed the payload of a nonce, which is used up by that. judge checks the signature;
// it must not call anything outside. It refuses with user_blocked, with what judge says, with wallet_proof_invalid for a payload that
// is not the player's, nonce_used or expired, and with wallet_in_use for a wallet that another player has proven.
func (s *Store) ProveWallet(ctx context.Context, id PlayerID, address, payload string, judge func() error, now time.Time) (Player, error) {
	var player Player
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		if player, err = s.lockPlayer(tx, id); err != nil {
			return err
		}
		if err := player.MayPlay(); err != nil {
			return err
		}
		nonce, err := openNonce(tx, id, payload, now)
		if err != nil {
			return err
		}
		if err := judge(); err != nil {
			return err
		}
		if err := nonce.use(tx, address, now); err != nil {
			return err
		}
		return player.connect(tx, &address, true)
	})
	if provenMeanwhile(err) {
		err = game.Refuse(WalletInUse)
	}
	return player, err
}

// connect stores a locked player's wallet.
func (p *Player) connect(tx *gorm.DB, address *string, proven bool) error {
	var others int64
	if proven { // without a proof nobody learns whose wallet it is
		err := tx.Raw("SELECT COUNT(*) FROM players WHERE wallet = ? AND wallet_proven AND id <> ?", *address, p.ID).Scan(&others).Error
		if err != nil {
			return fmt.Errorf("look who has proven the wallet of player %d: %w", p.ID, err)
		}
	}
	if others > 0 {
		return game.Refuse(WalletInUse)
	}
	err := tx.Exec("UPDATE players SET wallet = ?, wallet_proven = ? WHERE id = ?", address, proven, p.ID).Error
	if err != nil {
		return fmt.Errorf("keep the wallet of player %d: %w", p.ID, err)
	}
	p.Wallet, p.WalletProven = address, proven
	return nil
}

// unproven lists players whose wallet counts as proven without a nonce that its key has signed.
func unproven(tx *gorm.DB, s span, _ time.Time) ([]PlayerID, error) {
	var odd []PlayerID
	err := tx.Raw(`SELECT p.id FROM players p WHERE p.id > ? AND p.id <= ? AND p.wallet_proven AND (
			NOT EXISTS (SELECT 1 FROM wallet_nonces n WHERE n.player_id = p.id AND n.state = 'used' AND n.wallet = p.wallet)
			OR EXISTS (SELECT 1 FROM players o WHERE o.wallet = p.wallet AND o.wallet_proven AND o.id <> p.id))
		ORDER BY p.id LIMIT ?`, s.after, s.upTo, mostListed).Scan(&odd).Error
	return odd, err
}
