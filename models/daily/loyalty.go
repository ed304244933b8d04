package daily

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
)

// ClaimLoyalty pays the bonus of now's UTC day. It refuses with not_completed, already_claimed,
// and what every earning call refuses with.
func (s *Store) ClaimLoyalty(ctx context.Context, id models.PlayerID, season game.Season, now time.Time) (models.Player, error) {
	var player models.Player
	err := s.db.InTx(ctx, func(tx *gorm.DB) error {
		return s.ledger.Post(tx, []models.PlayerID{id}, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			p, day := locked[id], game.DayOf(now)
			if err := p.CanEarn(season, now); err != nil {
				return err
			}
			switch {
			case p.Loyalty.Day != day:
				return game.Refuse(game.NotCompleted)
			case p.Loyalty.Claimed:
				return game.Refuse(game.AlreadyClaimed)
			}
			p.Loyalty.Claimed = true
			if err := tx.Exec("UPDATE players SET loyalty_claimed = TRUE WHERE id = ?", id).Error; err != nil {
				return fmt.Errorf("claim the loyalty bonus of player %d: %w", id, err)
			}
			err := all.Record(p, ledger.Entry{Reference: fmt.Sprint("loyal:", day), Moves: ledger.RewardMoves(models.HouseLoyalty, game.LoyaltyReward)}, now)
			player = *p
			return err
		})
	})
	return player, err
}
