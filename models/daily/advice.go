package daily

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/tasks"
)

// Advice returns the advice of now's UTC day. It is chosen at the first call, out of texts many, among those that the player has
// not read lately. It refuses with already_claimed, and with what every earning call refuses with.
func (s *Store) Advice(ctx context.Context, id models.PlayerID, texts int, season game.Season, now time.Time) (models.Advice, error) {
	random, err := s.db.Random(8)
	if err != nil {
		return models.Advice{}, fmt.Errorf("choose an advice: %w", err)
	}
	points := s.settings.RuntimeSettings(ctx, now).AdvicePoints
	if points == game.AdvicePoints {
		points = 0
	}
	var advice models.Advice
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		p, err := s.ledger.LockPlayer(tx, id)
		if err != nil {
			return err
		}
		if err := p.CanEarn(season, now); err != nil {
			return err
		}
		today := game.DayOf(now)
		if !p.CanTakeAdvice(season, now) {
			return game.Refuse(game.AlreadyClaimed)
		}
		number, err := freshText(tx, id, texts, binary.BigEndian.Uint64(random))
		if err != nil {
			return err
		}
		first := tx.Scopes(db.OrIgnore).Create(&models.Advice{PlayerID: id, Day: today, TextNumber: number, State: models.AdviceOffered, Points: int64(points), OfferedAt: now})
		if first.Error != nil {
			return fmt.Errorf("advise player %d: %w", id, first.Error)
		}
		if first.RowsAffected > 0 {
			if err := tasks.AdvanceTask(tx, s.tasks, id, game.GetPrediction, 1, game.DayOf(now), now); err != nil {
				return err
			}
		}
		advice, err = oneAdvice(tx, "player_id = ? AND day = ?", id, today)
		return err
	})
	return advice, err
}

// freshText chooses, out of texts many, a text that none of the player's last advice had; half as many texts are excluded at most.
func freshText(tx *gorm.DB, id models.PlayerID, texts int, random uint64) (int, error) {
	var shown []int
	err := tx.Model(&models.Advice{}).Where("player_id = ?", id).Order("day DESC").Limit(texts/2).Pluck("text_number", &shown).Error
	if err != nil {
		return 0, fmt.Errorf("read the last advice of player %d: %w", id, err)
	}
	fresh := make([]int, 0, texts)
	for number := range texts {
		if !slices.Contains(shown, number) {
			fresh = append(fresh, number)
		}
	}
	return fresh[random%uint64(len(fresh))], nil
}

// advices reads a player's advice by its number.
var advices = commit.Rows[models.Advice]{
	Columns: "a.id, a.day, a.state, a.points",
	From:    "JOIN predictions a ON a.id = w.number AND a.player_id = w.player_id",
	Fields:  func(a *models.Advice) []any { return []any{&a.ID, &a.Day, &a.State, &a.Points} },
}

// An advice may expire while it is claimed.
var claimAdvice = commit.Claims("predictions", "settled_at", "'offered', 'expired'")

// ClaimAdvice pays the points of today's advice. It refuses with not_found, already_claimed,
// expired when its day is over, and what every earning call refuses with.
func (s *Store) ClaimAdvice(ctx context.Context, by commit.Caller, adviceID int64, season game.Season, now time.Time) (player models.Player, err error) {
	_, player, err = commit.Run(ctx, s.commit, commit.Command[struct{}]{
		Caller: by, Now: now, Wants: []commit.Want{advices.For(adviceID, "")},
		Decide: func(c *commit.Scope) (none struct{}, err error) {
			if err := c.Player.CanEarn(season, now); err != nil {
				return none, err
			}
			advice, err := advices.One(c)
			if err == nil {
				err = isOffered(advice, now)
			}
			if err != nil {
				return none, err
			}
			claimAdvice.Add(c, commit.Claim{ID: advice.ID, At: now})
			c.Player.AdvisedDay = max(c.Player.AdvisedDay, advice.Day)
			return none, c.Post(adviceEntry("pred:", advice))
		},
	})
	return player, err
}

// AdviceAd is a rewarded ad for the advice that was offered when its ticket was opened.
var AdviceAd = ads.Handler{
	Offered: func(tx *gorm.DB, p *models.Player, target int64, _ *ledger.Tx, now time.Time) (int64, error) {
		if target == 0 { // today's
			advice, err := oneAdvice(tx, "player_id = ? AND day = ?", p.ID, game.DayOf(now))
			if err != nil {
				return 0, err
			}
			target = advice.ID
		}
		advice, err := offeredAdvice(tx, p.ID, target, now)
		return advice.ID, err
	},
	Settle: func(tx *gorm.DB, p *models.Player, ticket models.AdTicket, all *ledger.Tx, now time.Time) (paid bool, err error) {
		advice, err := oneAdvice(tx, "id = ? AND player_id = ?", ticket.TargetID, p.ID)
		if err != nil || advice.State == models.AdviceDoubled {
			return false, err
		}
		unpaid := advice.State != models.AdviceClaimed // offered, or expired while the ad was shown
		if err := settleAdvice(tx, p, advice, models.AdviceDoubled, now); err != nil {
			return false, err
		}
		if unpaid {
			if err := all.Record(p, adviceEntry("pred:", advice), now); err != nil {
				return false, err
			}
		}
		return true, all.Record(p, adviceEntry("pred2:", advice), now)
	},
}

// DoubledAdvice returns the player once the confirmation of an ad has paid an advice twice. It refuses with not_found; with
// ad_not_confirmed; with already_claimed if it was claimed and no ad is under way for it; and with expired if its day is over and
// no ad is under way.
func (s *Store) DoubledAdvice(ctx context.Context, id models.PlayerID, adviceID int64, now time.Time) (models.Player, error) {
	var player models.Player
	err := s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
		if player, err = s.ledger.LockPlayer(tx, id); err != nil {
			return err
		}
		if err := player.CanRequest(); err != nil {
			return err
		}
		advice, err := oneAdvice(tx, "id = ? AND player_id = ?", adviceID, id)
		if err != nil {
			return err
		}
		if advice.State == models.AdviceDoubled {
			return ads.AcknowledgeAll(tx, id, models.AdPrediction, now)
		}
		underWay, err := ads.InProgress(tx, id, models.AdPrediction, adviceID, now)
		switch {
		case err != nil:
			return err
		case underWay:
			return game.Refuse(models.AdNotConfirmed)
		case advice.State == models.AdviceClaimed:
			return game.Refuse(game.AlreadyClaimed)
		case advice.Day != game.DayOf(now):
			return game.Refuse(models.Expired)
		}
		return game.Refuse(models.AdNotConfirmed)
	})
	return player, err
}

// offeredAdvice returns a player's advice if it can still be claimed. It refuses with not_found, already_claimed or expired.
func offeredAdvice(tx *gorm.DB, id models.PlayerID, adviceID int64, now time.Time) (models.Advice, error) {
	advice, err := oneAdvice(tx, "id = ? AND player_id = ?", adviceID, id)
	if err == nil {
		err = isOffered(advice, now)
	}
	return advice, err
}

// isOffered refuses an advice that cannot be claimed with already_claimed or expired.
func isOffered(advice models.Advice, now time.Time) error {
	switch {
	case advice.State == models.AdviceClaimed || advice.State == models.AdviceDoubled:
		return game.Refuse(game.AlreadyClaimed)
	case advice.State == models.AdviceExpired || advice.Day != game.DayOf(now):
		return game.Refuse(models.Expired)
	}
	return nil
}

// settleAdvice moves an advice of a locked player to a state in which it is paid.
func settleAdvice(tx *gorm.DB, p *models.Player, advice models.Advice, to models.AdviceState, now time.Time) error {
	err := db.UpdateOne(tx.Exec("UPDATE predictions SET state = ?, settled_at = COALESCE(settled_at, ?) WHERE id = ? AND state <> ?", to, now, advice.ID, to))
	if err != nil {
		return fmt.Errorf("settle advice %d: %w", advice.ID, err)
	}
	p.AdvisedDay = max(p.AdvisedDay, advice.Day)
	return nil
}

func adviceEntry(kind string, advice models.Advice) ledger.Entry {
	return ledger.Entry{
		Reference: fmt.Sprint(kind, advice.ID), Memo: ledger.EncodeUnlessDefault(advice.Pays(), game.AdvicePoints), Moves: ledger.RewardMoves(models.HouseAdvice, game.Reward{Points: advice.Pays()}),
	}
}

func oneAdvice(tx *gorm.DB, where string, values ...any) (models.Advice, error) {
	advice, err := db.One[models.Advice](tx.Where(where, values...))
	if err != nil {
		return models.Advice{}, fmt.Errorf("read an advice: %w", err)
	}
	return advice, nil
}
