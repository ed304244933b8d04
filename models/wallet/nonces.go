package wallet

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Limits of nonces. (decision 0034: the wallet)
const (
	nonceAge       = 5 * time.Minute
	nonceRetention = 24 * time.Hour // how long a nonce that was never used is reported as expired
)

// NewWalletNonce makes a payload for a wallet of the player to sign. It refuses with user_blocked.
func (s *Store) NewWalletNonce(ctx context.Context, id models.PlayerID, now time.Time) (payload string, nonce models.WalletNonce, err error) {
	_, err = s.ledger.WithPlayer(ctx, id, models.Player.CanPlay, func(tx *gorm.DB, _ *models.Player) error {
		drawn, err := s.db.Random(32)
		if err != nil {
			return fmt.Errorf("make a nonce: %w", err)
		}
		payload = hex.EncodeToString(drawn)
		nonce = models.WalletNonce{
			PlayerID: id, NonceHash: db.HashToken(payload), State: models.WalletNonceOpen, MadeAt: db.Time(now), ExpiresAt: db.Time(now.Add(nonceAge)),
		}
		return db.Wrap(tx.Omit("UsedAt", "Wallet", "Proof").Create(&nonce).Error, "store a nonce of player %d", id)
	})
	return payload, nonce, err
}

// openNonce finds the nonce of a locked player by its payload. It refuses with wallet_proof_invalid if there is none, nonce_used
// and expired.
func openNonce(tx *gorm.DB, id models.PlayerID, payload string, now time.Time) (models.WalletNonce, error) {
	nonce, err := db.One[models.WalletNonce](tx.Where("nonce_hash = ? AND player_id = ?", db.HashToken(payload), id))
	switch {
	case errors.Is(err, db.ErrNotFound):
		return models.WalletNonce{}, game.Refuse(WalletProofInvalid)
	case err != nil:
		return models.WalletNonce{}, fmt.Errorf("read a nonce of player %d: %w", id, err)
	case nonce.State == models.WalletNonceUsed:
		return models.WalletNonce{}, game.Refuse(models.NonceUsed)
	case nonce.State == models.WalletNonceExpired || now.After(nonce.ExpiresAt):
		return models.WalletNonce{}, game.Refuse(models.Expired)
	}
	return nonce, nil
}

// useNonce stores which wallet the nonce has proven, and how.
func useNonce(tx *gorm.DB, n models.WalletNonce, wallet string, proof game.WalletProof, now time.Time) error {
	text, err := json.Marshal(proof)
	if err != nil {
		return fmt.Errorf("write the proof of nonce %d: %w", n.ID, err)
	}
	used := tx.Model(&models.WalletNonce{}).Where("id = ? AND state = ?", n.ID, models.WalletNonceOpen).
		Updates(map[string]any{"state": models.WalletNonceUsed, "used_at": db.Time(now), "wallet": wallet, "proof": string(text)})
	if used.Error != nil {
		return fmt.Errorf("use nonce %d: %w", n.ID, used.Error)
	}
	if used.RowsAffected == 0 { // too old by the clock of another process
		return game.Refuse(models.Expired)
	}
	return nil
}

// ExpireNoncesJob is the job that runs ExpireNonces.
const ExpireNoncesJob = "expire_nonces"

// ExpireNonces closes nonces that were not used in time, deletes those closed for a day, and returns
// how many it closed.
func (s *Store) ExpireNonces(ctx context.Context, now time.Time) (expired int64, err error) {
	expired, err = s.db.Sweep(ctx, `UPDATE wallet_nonces SET state = 'expired' WHERE state = 'open' AND id IN
		(SELECT id FROM wallet_nonces WHERE state = 'open' AND expires_at < ? LIMIT ?)`, db.Time(now), db.SweepRows)
	if err != nil {
		return expired, err
	}
	_, err = s.db.Sweep(ctx, `DELETE FROM wallet_nonces WHERE id IN
		(SELECT id FROM wallet_nonces WHERE state = 'expired' AND expires_at < ? LIMIT ?)`, db.Time(now.Add(-nonceRetention)), db.SweepRows)
	return expired, err
}

// IsProofSigned reports whether the proof of a used nonce is what the wallet's key signed; true for one of before proofs were stored.
func IsProofSigned(n models.WalletNonce) bool {
	if n.Proof == nil || n.Wallet == nil {
		return false
	}
	var proof game.WalletProof
	return *n.Proof == "" || json.Unmarshal([]byte(*n.Proof), &proof) == nil && db.HashToken(proof.Payload) == n.NonceHash && proof.Signed(*n.Wallet)
}
