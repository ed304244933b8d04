package audit

import (
	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/wallet"
)

// unproven lists players whose wallet counts as proven without a nonce that its key has signed, or who have used nonces for a wallet
// without any proof of it. Wallets proven before proofs were stored have an empty one, and their number is checked by findUndecided. It is
// not checked that the key belongs to the address: a proof by a made-up key passes.
func unproven(tx *gorm.DB, s idRange) ([]models.PlayerID, error) {
	invalid, err := findPlayers(`SELECT p.id FROM players p WHERE p.id > @After AND p.id <= @UpTo AND p.wallet_proven AND (
			NOT EXISTS (SELECT 1 FROM wallet_nonces n WHERE n.player_id = p.id AND n.state = 'used' AND n.wallet = p.wallet)
			OR EXISTS (SELECT 1 FROM players o WHERE o.wallet = p.wallet AND o.wallet_proven AND o.id <> p.id))
		ORDER BY p.id LIMIT ?`)(tx, s)
	if err != nil {
		return nil, err
	}
	var used []models.WalletNonce
	err = tx.Raw(`SELECT n.player_id, n.nonce_hash, n.wallet, n.proof FROM wallet_nonces n JOIN players p ON p.id = n.player_id AND p.erased_at IS NULL
		WHERE n.state = 'used' AND n.wallet <> ? AND n.player_id > ? AND n.player_id <= ? ORDER BY n.player_id`, models.ForgottenWallet, s.After, s.UpTo).Scan(&used).Error
	type proven struct {
		player models.PlayerID
		wallet string
	}
	signed := map[proven]bool{} // an older program beside this one stores no proof; the next one of the wallet stands for it
	for _, n := range used {
		if wallet.IsProofSigned(n) {
			signed[proven{n.PlayerID, *n.Wallet}] = true
		}
	}
	for _, n := range used {
		if n.Proof != nil && !wallet.IsProofSigned(n) || n.Wallet == nil || !signed[proven{n.PlayerID, *n.Wallet}] {
			invalid = append(invalid, n.PlayerID)
		}
	}
	return invalid, err
}
