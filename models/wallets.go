package models

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
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

// ProveWallet connects a wallet whose key has signed the payload of a nonce, which is used up by that and stores the proof. judge
// checks the signature; it must not call anything outside. It refuses with user_blocked, with what judge says, with
// wallet_proof_invalid for a payload that is not the player's, nonce_used or expired, and with wallet_in_use for a wallet that another
// player has proven.
func (s *Store) ProveWallet(ctx context.Context, id PlayerID, address string, proof game.WalletProof, judge func() error, now time.Time) (Player, error) {
	var player Player
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		if player, err = s.lockPlayer(tx, id); err != nil {
			return err
		}
		if err := player.MayPlay(); err != nil {
			return err
		}
		nonce, err := openNonce(tx, id, proof.Payload, now)
		if err != nil {
			return err
		}
		if err := judge(); err != nil {
			return err
		}
		if err := nonce.use(tx, address, proof, now); err != nil {
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

// unproven lists players whose wallet counts as proven without a nonce that its key has signed, or who have used nonces for a wallet
// without any proof of it. Wallets proven before proofs were stored have an empty one, and their number is checked by undecided. It is
// not checked that the key belongs to the address: a proof by a made-up key passes.
func unproven(tx *gorm.DB, s span, _ time.Time) ([]PlayerID, error) {
	var odd []PlayerID
	err := tx.Raw(`SELECT p.id FROM players p WHERE p.id > ? AND p.id <= ? AND p.wallet_proven AND (
			NOT EXISTS (SELECT 1 FROM wallet_nonces n WHERE n.player_id = p.id AND n.state = 'used' AND n.wallet = p.wallet)
			OR EXISTS (SELECT 1 FROM players o WHERE o.wallet = p.wallet AND o.wallet_proven AND o.id <> p.id))
		ORDER BY p.id LIMIT ?`, s.after, s.upTo, mostListed).Scan(&odd).Error
	if err != nil {
		return nil, err
	}
	var used []WalletNonce
	err = tx.Raw(`SELECT n.player_id, n.nonce_hash, n.wallet, n.proof FROM wallet_nonces n JOIN players p ON p.id = n.player_id AND p.erased_at IS NULL
		WHERE n.state = 'used' AND n.wallet <> ? AND n.player_id > ? AND n.player_id <= ? ORDER BY n.player_id`, forgottenWallet, s.after, s.upTo).Scan(&used).Error
	type proven struct {
		player PlayerID
		wallet string
	}
	signed := map[proven]bool{} // an older program beside this one stores no proof; the next one of the wallet stands for it
	for _, n := range used {
		if n.signed() {
			signed[proven{n.PlayerID, *n.Wallet}] = true
		}
	}
	for _, n := range used {
		if n.Proof != nil && !n.signed() || n.Wallet == nil || !signed[proven{n.PlayerID, *n.Wallet}] {
			odd = append(odd, n.PlayerID)
		}
	}
	slices.Sort(odd)
	odd = slices.Compact(odd)
	return odd[:min(len(odd), mostListed)], err
}

// signed reports whether the proof of a used nonce is what the wallet's key signed; true for one of before proofs were stored.
func (n WalletNonce) signed() bool {
	if n.Proof == nil || n.Wallet == nil {
		return false
	}
	var proof game.WalletProof
	return *n.Proof == "" || json.Unmarshal([]byte(*n.Proof), &proof) == nil && hashed(proof.Payload) == n.NonceHash && proof.Signed(*n.Wallet)
}
