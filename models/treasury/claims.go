package treasury

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/outbox"
)

// CollectClaims takes from a locked player what refunds in Stars have still to take back, as far as the claimed account holds it.
func CollectClaims(in ledger.Settlement, p *models.Player) error {
	var open []models.StarClaim
	if err := in.Tx.Where("player_id = ? AND taken < coins", p.ID).Order("id").Find(&open).Error; err != nil {
		return fmt.Errorf("read what refunds take back from player %d: %w", p.ID, err)
	}
	for _, claim := range open {
		takes := min(claim.Coins-claim.Taken, game.MicroMCBK(*p.Balances.Amount(claim.Account)))
		if takes == 0 {
			continue
		}
		err := in.Ledger.Record(p, ledger.Entry{Reference: fmt.Sprintf("refund:%d:%d", claim.ID, claim.Taken), Moves: []ledger.Move{
			{From: claim.Account, To: models.HouseSales, Asset: models.AssetMCBK, Amount: int64(takes)},
		}}, in.Now)
		if err != nil {
			return err
		}
		err = db.UpdateOne(in.Tx.Model(&models.StarClaim{}).Where("id = ? AND taken = ?", claim.ID, claim.Taken).Update("taken", gorm.Expr("taken + ?", int64(takes))))
		if err != nil {
			return fmt.Errorf("take %d of claim %d: %w", takes, claim.ID, err)
		}
	}
	return nil
}

// RequestRefund has Telegram give a charge back. Once the outbox has given up, it can be requested again. It refuses with already_claimed
// while it is under way, or done.
func (s *Store) RequestRefund(tx *gorm.DB, chargeID string, now time.Time) error {
	charge, err := db.One[models.StarCharge](tx.Where("charge_id = ?", chargeID))
	if err != nil {
		return fmt.Errorf("charge %s: %w", chargeID, err)
	}
	var before struct{ Sent, Queued int }
	key := "star_refund:" + chargeID
	err = tx.Raw("SELECT COUNT(*) AS sent, COUNT(CASE WHEN state = 'queued' THEN 1 END) AS queued FROM outbox WHERE key = ? OR key LIKE ?",
		key, key+":%").Scan(&before).Error
	switch {
	case err != nil:
		return fmt.Errorf("find the requests to refund %s: %w", chargeID, err)
	case charge.RefundedAt != nil, before.Queued > 0:
		return game.Refuse(game.AlreadyClaimed)
	case before.Sent > 0:
		key += fmt.Sprint(":", now.UnixMicro()) // a number that never comes again: old messages are deleted
	}
	if charge.RefundRequestedAt == nil {
		err := db.UpdateOne(tx.Model(&models.StarCharge{}).Where("charge_id = ?", chargeID).Update("refund_requested_at", db.Time(now)))
		if err != nil {
			return fmt.Errorf("request the refund of %s: %w", chargeID, err)
		}
	}
	return outbox.Enqueue(tx, s.db.Dialect, now, models.Message{
		Key: key, ChatID: charge.Payer, Kind: models.StarRefund, Urgency: models.UrgencyPersonal, Params: map[string]string{"charge": chargeID},
	})
}
