package daily

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/wheel"
)

// Loyalty is whether the bonus of a UTC day was earned, and whether it was claimed.
type Loyalty struct {
	Eligible bool
	Claimed  bool
}

// Loyalty returns the state of a player's bonus on now's UTC day.
func (s *Store) Loyalty(ctx context.Context, id models.PlayerID, now time.Time) (Loyalty, error) {
	loyalty, err := loyaltyOf(s.db.Read(ctx), id, game.DayOf(now))
	return loyalty, db.WrapUnavailable(err)
}

func loyaltyOf(tx *gorm.DB, id models.PlayerID, day game.Day) (Loyalty, error) {
	paid, err := wheel.AdsThatPaid(tx, id, day)
	if err != nil {
		return Loyalty{}, err
	}
	loyalty := Loyalty{Eligible: isLoyal(paid)}
	if !loyalty.Eligible {
		return loyalty, nil
	}
	var posted int64
	err = tx.Raw("SELECT COUNT(*) FROM postings WHERE player_id = ? AND reference = ?", id, loyaltyReference(day)).Scan(&posted).Error
	if err != nil {
		return Loyalty{}, fmt.Errorf("find the loyalty bonus of player %d: %w", id, err)
	}
	loyalty.Claimed = posted > 0
	return loyalty, nil
}

// isLoyal reports whether the paid ads of a day earn its bonus. (decision 0029: the wheel)
func isLoyal(paid map[models.AdPurpose]int) bool {
	return paid[models.AdSpin] >= game.AdSpinsADay && paid[models.AdDaily] > 0 && paid[models.AdPrediction] > 0
}

func loyaltyReference(day game.Day) string { return fmt.Sprint("loyal:", day) }

// ClaimLoyalty pays the bonus of now's UTC day. It refuses with not_completed, already_claimed,
// and what every earning call refuses with.
func (s *Store) ClaimLoyalty(ctx context.Context, id models.PlayerID, season game.Season, now time.Time) (models.Player, error) {
	var player models.Player
	err := s.db.InTx(ctx, func(tx *gorm.DB) error {
		return s.ledger.Post(tx, []models.PlayerID{id}, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			p := locked[id]
			if err := p.CanEarn(season, now); err != nil {
				return err
			}
			day := game.DayOf(now)
			loyalty, err := loyaltyOf(tx, id, day)
			switch {
			case err != nil:
				return err
			case !loyalty.Eligible:
				return game.Refuse(game.NotCompleted)
			case loyalty.Claimed:
				return game.Refuse(game.AlreadyClaimed)
			}
			err = all.Record(p, ledger.Entry{Reference: loyaltyReference(day), Moves: ledger.RewardMoves(models.HouseLoyalty, game.LoyaltyReward)}, now)
			player = *p
			return err
		})
	})
	return player, err
}
