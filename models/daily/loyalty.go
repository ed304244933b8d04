package daily

import (
	"context"
	"fmt"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/ledger"
)

// ClaimLoyalty pays the bonus of now's UTC day. It refuses with not_completed, already_claimed,
// and what every earning call refuses with.
func (s *Store) ClaimLoyalty(ctx context.Context, by commit.Caller, season game.Season, now time.Time) (models.Player, error) {
	_, player, err := commit.Run(ctx, s.commit, commit.Command[struct{}]{Caller: by, Now: now, Decide: func(c *commit.Scope) (none struct{}, err error) {
		day := game.DayOf(now)
		if err := c.Player.CanEarn(season, now); err != nil {
			return none, err
		}
		switch {
		case c.Player.Loyalty.Day != day:
			return none, game.Refuse(game.NotCompleted)
		case c.Player.Loyalty.Claimed:
			return none, game.Refuse(game.AlreadyClaimed)
		}
		c.Player.Loyalty.Claimed = true
		return none, c.Post(ledger.Entry{Reference: fmt.Sprint("loyal:", day), Moves: ledger.RewardMoves(models.HouseLoyalty, game.LoyaltyReward)})
	}})
	return player, err
}
