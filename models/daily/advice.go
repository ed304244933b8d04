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
func (s *Store) Advice(ctx context.Context, by commit.Caller, texts int, season game.Season, now time.Time) (models.Advice, error) {
	random, err := s.db.Random(8)
	if err != nil {
		return models.Advice{}, fmt.Errorf("choose an advice: %w", err)
	}
	points := s.settings.RuntimeSettings(ctx, now).AdvicePoints
	if points == game.AdvicePoints {
		points = 0
	}
	day, err := s.tasks.DayTasks(ctx, now)
	if err != nil {
		return models.Advice{}, err
	}
	today := game.DayOf(now)
	advice, _, err := commit.Run(ctx, s.commit, commit.Command[models.Advice]{
		Caller: by, Now: now, Wants: []commit.Want{recentAdvices.For(int64(today)-int64(texts/2), ""), newAdvice.For(0, "")},
		Decide: func(c *commit.Scope) (models.Advice, error) {
			if err := c.Player.CanEarn(season, now); err != nil {
				return models.Advice{}, err
			}
			if !c.Player.CanTakeAdvice(season, now) {
				return models.Advice{}, game.Refuse(game.AlreadyClaimed)
			}
			recent := recentAdvices.In(c)
			if i := slices.IndexFunc(recent, func(a models.Advice) bool { return a.Day == today }); i >= 0 {
				return recent[i], nil
			}
			advice, err := newAdvice.One(c)
			if err != nil {
				return advice, err
			}
			advice.Day, advice.State, advice.Points, advice.OfferedAt = today, models.AdviceOffered, int64(points), now
			advice.TextNumber = pickText(recent, today, texts, binary.BigEndian.Uint64(random))
			insertAdvice.Add(c, advice)
			tasks.Count(c, c.Player.ID, day, game.GetPrediction)
			return advice, nil
		},
	})
	return advice, err
}

// pickText chooses, out of texts many, a text that none of these advices of earlier days had: they are fewer.
func pickText(recent []models.Advice, today game.Day, texts int, random uint64) int {
	fresh := make([]int, 0, texts)
	for number := range texts {
		if !slices.ContainsFunc(recent, func(a models.Advice) bool { return a.TextNumber == number && a.Day < today }) {
			fresh = append(fresh, number)
		}
	}
	return fresh[random%uint64(len(fresh))]
}

// advices reads a player's advice by its number.
var advices = commit.Rows[models.Advice]{
	Columns: adviceColumns, From: "JOIN predictions a ON a.id = w.number AND a.player_id = w.player_id", Fields: adviceFields,
}

// recentAdvices reads a player's advices since the day of a number.
var recentAdvices = commit.Rows[models.Advice]{
	Columns: adviceColumns, From: "JOIN predictions a ON a.player_id = w.player_id AND a.day >= w.number", Fields: adviceFields,
}

const adviceColumns = "a.id, a.day, a.text_number, a.state, a.points"

func adviceFields(a *models.Advice) []any {
	return []any{&a.ID, &a.Day, &a.TextNumber, &a.State, &a.Points}
}

// newAdvice is a player's next advice, which has no more than an id.
var newAdvice = commit.Rows[models.Advice]{
	Columns: "w.player_id", Computed: func(d db.Dialect) string { return d.NextID("predictions", "w.nr") },
	Fields: func(a *models.Advice) []any { return []any{&a.PlayerID, &a.ID} },
}

var insertAdvice = commit.Write[models.Advice]{Statement: func(d db.Dialect, rows []models.Advice) db.Statement {
	return d.Insert("predictions",
		db.Integers("id", rows, func(a models.Advice) int64 { return a.ID }),
		db.Integers("player_id", rows, func(a models.Advice) models.PlayerID { return a.PlayerID }),
		db.Integers("day", rows, func(a models.Advice) game.Day { return a.Day }),
		db.Integers("text_number", rows, func(a models.Advice) int { return a.TextNumber }),
		db.Texts("state", rows, func(a models.Advice) models.AdviceState { return a.State }),
		db.Integers("points", rows, func(a models.Advice) int64 { return a.Points }),
		db.Times("offered_at", rows, func(a models.Advice) time.Time { return db.Time(a.OfferedAt) }),
	)
}}

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
	return s.ledger.WithPlayer(ctx, id, models.Player.CanRequest, func(tx *gorm.DB, _ *models.Player) error {
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
	return advice, db.Wrap(err, "read an advice")
}
