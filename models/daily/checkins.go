package daily

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/friends"
	"mcbk/models/ledger"
	"mcbk/models/tasks"
)

// CheckIn pays the reward of now's UTC day and returns the player after it; paid is false if that day's reward was paid before. A
// first check-in counts for the inviter's task, the last of a friend's days completes the friend. It
// refuses with user_blocked, age_consent_required, season_not_started and season_over.
func (s *Store) CheckIn(ctx context.Context, by commit.Caller, season game.Season, now time.Time) (paid bool, player models.Player, err error) {
	rewards := s.settings.RuntimeSettings(ctx, now).CheckIn()
	day, err := s.tasks.DayTasks(ctx, now)
	if err != nil {
		return false, models.Player{}, err
	}
	return commit.Run(ctx, s.commit, commit.Command[bool]{Caller: by, Now: now, Decide: func(c *commit.Scope) (bool, error) {
		p := c.Player
		if err := p.CanEarn(season, now); err != nil {
			return false, err
		}
		visits, today := p.Visits.CheckIn(game.DayOf(now))
		if !today {
			return false, nil
		}
		p.Visits = visits.PaidAs(rewards.On(visits.Streak))
		insertCheckin.Add(c, models.Checkin{PlayerID: p.ID, Day: p.Visits.Day, Streak: p.Visits.Streak, Coins: p.Visits.Coins, Points: p.Visits.Points, CheckedInAt: now})
		switch {
		case p.ReferrerID == nil:
		case p.Visits.Total == 1:
			tasks.Count(c, *p.ReferrerID, day, game.InviteFriends)
		case p.Visits.MakesFriend():
			friends.Qualify(c)
		}
		return true, c.Post(ledger.Entry{
			Reference: fmt.Sprint("checkin:", p.Visits.Day), Memo: Receipt(p.Visits), Moves: ledger.RewardMoves(models.HouseDaily, p.Visits.Paid()),
		})
	}})
}

var insertCheckin = commit.Write[models.Checkin]{Statement: func(d db.Dialect, rows []models.Checkin) db.Statement {
	return d.Insert("checkins",
		db.Integers("player_id", rows, func(c models.Checkin) models.PlayerID { return c.PlayerID }),
		db.Integers("day", rows, func(c models.Checkin) game.Day { return c.Day }),
		db.Integers("streak", rows, func(c models.Checkin) int { return c.Streak }),
		db.Integers("coins", rows, func(c models.Checkin) game.MicroMCBK { return c.Coins }),
		db.Integers("points", rows, func(c models.Checkin) int64 { return c.Points }),
		db.Times("checked_in_at", rows, func(c models.Checkin) time.Time { return db.Time(c.CheckedInAt) }),
	)
}}

// Receipt returns the memo of a check-in's entries.
func Receipt(visits game.Visits) string {
	return ledger.CheckInReceipt{Streak: visits.Streak, Reward: visits.Reward}.Encode()
}

// DailyAd is a rewarded ad for the check-in of the day on which its ticket was opened.
var DailyAd = ads.Handler{
	Offered: func(_ *gorm.DB, p *models.Player, _ int64, _ *ledger.Tx, now time.Time) (int64, error) {
		if !p.Visits.MayDouble(game.DayOf(now)) {
			return 0, game.Refuse(models.NotEligible)
		}
		return 0, nil
	},
	Settle: func(tx *gorm.DB, p *models.Player, ticket models.AdTicket, all *ledger.Tx, now time.Time) (paid bool, err error) {
		doubled := tx.Model(&models.Checkin{}).Where("player_id = ? AND day = ? AND doubled_at IS NULL", p.ID, ticket.Day).Update("doubled_at", now)
		if doubled.Error != nil || doubled.RowsAffected == 0 {
			return false, doubled.Error
		}
		if p.Visits.Day == ticket.Day {
			p.Visits.Doubled = true
		}
		visits, err := visitOf(tx, p.ID, ticket.Day)
		if err != nil {
			return false, err
		}
		return true, all.Record(p, ledger.Entry{
			Reference: fmt.Sprint("checkin2:", ticket.Day), Memo: Receipt(visits), Moves: ledger.RewardMoves(models.HouseDaily, visits.Paid()),
		}, now)
	},
}

// visitOf returns a player's check-in of a day: its streak and what it was paid.
func visitOf(tx *gorm.DB, id models.PlayerID, day game.Day) (visits game.Visits, err error) {
	row, err := db.One[models.Checkin](tx.Where("player_id = ? AND day = ?", id, day))
	visits = game.Visits{Day: row.Day, Streak: row.Streak, Reward: game.Reward{Coins: row.Coins, Points: row.Points}}
	return visits, db.Wrap(err, "read the check-in of player %d", id)
}

// doubledYesterday returns the day before today if an ad has doubled its check-in after midnight and the player was not told of it
// yet. It refuses with ad_not_confirmed while today's check-in can be doubled or an ad is under way, whose own confirmation is
// waited for, outside the season with its refusal, else with not_eligible.
func doubledYesterday(tx *gorm.DB, p models.Player, today game.Day, season game.Season, now time.Time) (game.Day, error) {
	underWay, err := ads.InProgress(tx, p.ID, models.AdDaily, 0, now)
	if err != nil {
		return 0, err
	}
	ticket, found, err := ads.Unacknowledged(tx, p.ID, models.AdDaily, today)
	switch {
	case err != nil:
		return 0, err
	case underWay:
		return 0, game.Refuse(models.AdNotConfirmed)
	case found && ticket.Day == today-1:
		return ticket.Day, nil
	case season.Open(now) != nil:
		return 0, season.Open(now)
	case p.Visits.MayDouble(today):
		return 0, game.Refuse(models.AdNotConfirmed)
	}
	return 0, game.Refuse(models.NotEligible)
}

// DoubledCheckIn returns what the confirmation of an ad paid on top of a check-in, and the player. It refuses with ad_not_confirmed
// while no ad was confirmed, with not_eligible if there is nothing that an ad could double today, and with season_not_started or
// season_over.
func (s *Store) DoubledCheckIn(ctx context.Context, id models.PlayerID, season game.Season, now time.Time) (extra game.Reward, player models.Player, err error) {
	player, err = s.ledger.WithPlayer(ctx, id, models.Player.CanRequest, func(tx *gorm.DB, p *models.Player) error {
		day := game.DayOf(now)
		if p.Visits.Day != day || !p.Visits.Doubled { // perhaps yesterday's, confirmed after midnight
			doubled, err := doubledYesterday(tx, *p, day, season, now)
			if err != nil {
				return err
			}
			day = doubled
		}
		if err := ads.AcknowledgeAll(tx, id, models.AdDaily, now); err != nil {
			return err
		}
		visits, err := visitOf(tx, id, day)
		extra = visits.Paid()
		return err
	})
	return extra, player, err
}
