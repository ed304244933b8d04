package wallet

import (
	"context"
	"encoding/hex"
	"encoding/json"
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

// Nonce is a nonce that a player was given for a wallet to sign. Until it is used only the payload's hash is stored: a copy of
// the database proves nothing.
type Nonce struct {
	ID        int64
	PlayerID  models.PlayerID
	NonceHash string
	State     NonceState
	MadeAt    time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time // UTC; nil until then
	Wallet    *string    // raw address of the wallet that it proved; nil until then, ForgottenWallet once its player is erased
	Proof     *string    // a game.WalletProof as JSON; empty if it was used before proofs were stored
}

// ForgottenWallet replaces the wallet that an erased player had proven.
const ForgottenWallet = ""

// NonceState is the state of a nonce.
type NonceState string

// A nonce is open until it has proven a wallet, or is too old for that.
const (
	WalletNonceOpen    NonceState = "open"
	WalletNonceUsed    NonceState = "used"
	WalletNonceExpired NonceState = "expired"
)

// NewWalletNonce makes a payload for a wallet of the player to sign. It refuses with user_blocked.
func (s *Store) NewWalletNonce(ctx context.Context, id models.PlayerID, now time.Time) (payload string, nonce Nonce, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		player, err := s.ledger.LockPlayer(tx, id)
		if err != nil {
			return err
		}
		if err := player.CanPlay(); err != nil {
			return err
		}
		drawn, err := s.db.Random(32)
		if err != nil {
			return fmt.Errorf("make a nonce: %w", err)
		}
		payload = hex.EncodeToString(drawn)
		nonce = Nonce{
			PlayerID: id, NonceHash: db.HashToken(payload), State: WalletNonceOpen, MadeAt: db.Time(now), ExpiresAt: db.Time(now.Add(nonceAge)),
		}
		err = tx.Exec("INSERT INTO wallet_nonces (player_id, nonce_hash, state, made_at, expires_at) VALUES (?, ?, ?, ?, ?)",
			nonce.PlayerID, nonce.NonceHash, nonce.State, nonce.MadeAt, nonce.ExpiresAt).Error
		if err != nil {
			return fmt.Errorf("keep a nonce of player %d: %w", id, err)
		}
		return nil
	})
	return payload, nonce, err
}

// openNonce finds the nonce of a locked player by its payload. It refuses with wallet_proof_invalid if there is none, nonce_used
// and expired.
func openNonce(tx *gorm.DB, id models.PlayerID, payload string, now time.Time) (Nonce, error) {
	var found []Nonce
	err := tx.Raw("SELECT "+db.Columns[Nonce]("wallet_nonces")+" FROM wallet_nonces WHERE nonce_hash = ? AND player_id = ?", db.HashToken(payload), id).Scan(&found).Error
	switch {
	case err != nil:
		return Nonce{}, fmt.Errorf("look for a nonce of player %d: %w", id, err)
	case len(found) == 0:
		return Nonce{}, game.Refuse(WalletProofInvalid)
	case found[0].State == WalletNonceUsed:
		return Nonce{}, game.Refuse(models.NonceUsed)
	case found[0].State == WalletNonceExpired || now.After(found[0].ExpiresAt):
		return Nonce{}, game.Refuse(models.Expired)
	}
	return found[0], nil
}

// useNonce stores which wallet the nonce has proven, and how.
func useNonce(tx *gorm.DB, n Nonce, wallet string, proof game.WalletProof, now time.Time) error {
	text, err := json.Marshal(proof)
	if err != nil {
		return fmt.Errorf("write the proof of nonce %d: %w", n.ID, err)
	}
	used := tx.Exec("UPDATE wallet_nonces SET state = ?, used_at = ?, wallet = ?, proof = ? WHERE id = ? AND state = ?",
		WalletNonceUsed, db.Time(now), wallet, string(text), n.ID, WalletNonceOpen)
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
