package wallet

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Refusals of a wallet.
const (
	WalletProofInvalid game.Code = "wallet_proof_invalid"
	WalletInUse        game.Code = "wallet_in_use"
)

// SetWallet connects a wallet by its raw address, or with nil disconnects it, and returns the player. A wallet that the player has
// proven stays proven while it is connected. It refuses with user_blocked.
func (s *Store) SetWallet(ctx context.Context, id models.PlayerID, address *string) (models.Player, error) {
	return s.ledger.WithPlayer(ctx, id, models.Player.CanPlay, func(tx *gorm.DB, p *models.Player) error {
		proven := address != nil && p.WalletProven && *p.Wallet == *address
		return connectWallet(tx, p, address, proven)
	})
}

// ProveWallet connects a wallet whose key has signed the payload of a nonce, which is used up by that and stores the proof. judge
// checks the signature; it must not call anything outside. It refuses with user_blocked, with what judge says, with
// wallet_proof_invalid for a payload that is not the player's, nonce_used or expired, and with wallet_in_use for a wallet that another
// player has proven.
func (s *Store) ProveWallet(ctx context.Context, id models.PlayerID, address string, proof game.WalletProof, verify func() error, now time.Time) (models.Player, error) {
	player, err := s.ledger.WithPlayer(ctx, id, models.Player.CanPlay, func(tx *gorm.DB, p *models.Player) error {
		nonce, err := openNonce(tx, id, proof.Payload, now)
		if err != nil {
			return err
		}
		if err := verify(); err != nil {
			return err
		}
		if err := useNonce(tx, nonce, address, proof, now); err != nil {
			return err
		}
		return connectWallet(tx, p, &address, true)
	})
	if db.IsWalletTaken(err) {
		err = game.Refuse(WalletInUse)
	}
	return player, err
}

// connectWallet stores a locked player's wallet.
func connectWallet(tx *gorm.DB, p *models.Player, address *string, proven bool) error {
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
	p.Revision++
	err := tx.Exec("UPDATE players SET wallet = ?, wallet_proven = ?, revision = ? WHERE id = ?", address, proven, p.Revision, p.ID).Error
	if err != nil {
		return fmt.Errorf("store the wallet of player %d: %w", p.ID, err)
	}
	p.Wallet, p.WalletProven = address, proven
	return nil
}
