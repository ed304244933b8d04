package players

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/leaderboard"
	"mcbk/models/ledger"
)

// Recap is what a player has done in the season.
type Recap struct {
	Days    int // with a check-in
	Taps    int64
	Coins   game.MicroMCBK // without those bought
	Rank    int            // by coins; 0 while the ranks are built
	Friends int64          // invited
	BestWin game.Reward    // of one spin of the wheel: the most coins, then the most points
}

// Recap reads what a player has done in the season. It reads all of their postings and spins.
func (s *Store) Recap(ctx context.Context, p models.Player) (Recap, error) {
	recap := Recap{Days: p.Visits.Total, Coins: p.Balances.Game + p.Balances.Referral}
	recap.Rank, _ = s.leaderboard.Place(leaderboard.ByCoins, p)
	view := s.db.Read(ctx)
	var err error
	if recap.Taps, err = ledger.TapsOf(view, p.ID); err != nil {
		return Recap{}, db.WrapUnavailable(err)
	}
	if recap.Friends, err = db.Count(view.Model(&models.Friend{}).Where("inviter_id = ?", p.ID)); err != nil {
		return Recap{}, db.WrapUnavailable(fmt.Errorf("count the friends of player %d: %w", p.ID, err))
	}
	recap.BestWin, err = bestWin(view, p.ID)
	return recap, db.WrapUnavailable(err)
}

// bestWin returns the coins and points of a player's best spin. An unclaimed prize counts as what it will be paid.
func bestWin(tx *gorm.DB, id models.PlayerID) (best game.Reward, err error) {
	var kinds []models.Spin
	err = tx.Raw("SELECT DISTINCT odds_version, segment, chest, golden, state FROM spins WHERE player_id = ?", id).Scan(&kinds).Error
	if err != nil {
		return game.Reward{}, fmt.Errorf("read the spins of player %d: %w", id, err)
	}
	for _, spin := range kinds {
		if won := spin.Paid(); won.Coins > best.Coins || won.Coins == best.Coins && won.Points > best.Points {
			best = won
		}
	}
	return best, nil
}
