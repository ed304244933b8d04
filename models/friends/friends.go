package friends

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/outbox"
)

// InvitedFriend is a friend as the inviter sees them.
type InvitedFriend struct {
	PlayerID  models.PlayerID
	InviterID models.PlayerID
	State     models.FriendState
	FirstName string
	Username  string
	PhotoURL  string
	Days      int // UTC days with a check-in
}

// Bind stores who invited a new player, and queues the news for the inviter.
func (s *Store) Bind(tx *gorm.DB, friend models.Player, now time.Time) error {
	if friend.ReferrerID == nil {
		return nil
	}
	inviter, err := ledger.OnePlayer(tx, "id = ?", *friend.ReferrerID)
	if err != nil {
		return fmt.Errorf("find the inviter of player %d: %w", friend.ID, err)
	}
	if err := tx.Create(&models.Friend{PlayerID: friend.ID, InviterID: inviter.ID, State: models.FriendBound}).Error; err != nil {
		return fmt.Errorf("bind player %d to their inviter: %w", friend.ID, err)
	}
	return outbox.Enqueue(tx, s.db.Dialect, now, models.Message{
		Key: fmt.Sprint("friend_joined:", friend.ID), ChatID: inviter.TelegramID,
		Kind: models.FriendJoined, Params: map[string]string{"name": friend.FirstName}, Urgency: models.UrgencyPersonal,
	})
}

// qualified is a friend whose days are complete.
type qualified struct {
	player models.PlayerID
	at     time.Time
}

// qualify passes over a friend who was rejected.
var qualify = commit.Write[qualified]{Statement: func(d db.Dialect, rows []qualified) db.Statement {
	return d.Update("friends", "state = 'qualified', qualified_at = v.at", "friends.player_id = v.player_id AND state = 'bound'",
		db.Integers("player_id", rows, func(q qualified) models.PlayerID { return q.player }),
		db.Times("at", rows, func(q qualified) time.Time { return q.at.UTC() }),
	)
}}

// Qualify queues a friend whose days are complete for the reward.
func Qualify(c *commit.Scope) { qualify.Add(c, qualified{c.Player.ID, c.Now}) }

// RewardFriends pays inviters for their friends who qualified, in the order in which they did, and returns for how many. Friends
// beyond an inviter's daily limit wait for the next day. An inviter who may not earn waits until they may; the end of the season
// takes nothing from them. It is idempotent. An inviter who cannot be paid is left out and named in the error. (decision 0006:
// referral)
func (s *Store) RewardFriends(ctx context.Context, now time.Time) (rewarded int64, err error) {
	const atOnce = 500
	var round db.BatchRunner
	for last := models.PlayerID(0); ; {
		var inviters []models.PlayerID
		err := s.db.Committed(ctx).Raw(`SELECT DISTINCT f.inviter_id FROM friends f JOIN players p ON p.id = f.inviter_id
			WHERE f.state = ? AND f.inviter_id > ? AND p.banned_at IS NULL AND p.consented_at IS NOT NULL
			ORDER BY f.inviter_id LIMIT ?`, models.FriendQualified, last, atOnce).Scan(&inviters).Error
		if err != nil {
			return rewarded, errors.Join(round.Err(), db.WrapUnavailable(fmt.Errorf("find friends to reward: %w", err)))
		}
		round.Each(inviters, func(id models.PlayerID) error {
			paid, err := s.rewardFriendsOf(ctx, id, now)
			rewarded += paid
			return err
		})
		if len(inviters) < atOnce || round.GaveUp {
			return rewarded, round.Err()
		}
		last = inviters[len(inviters)-1]
	}
}

// rewardFriendsOf pays one inviter for as many friends as their day allows, in one transaction.
func (s *Store) rewardFriendsOf(ctx context.Context, id models.PlayerID, now time.Time) (int64, error) {
	return db.Within(ctx, s.db, func(tx *gorm.DB) (rewarded int64, err error) {
		err = s.ledger.Post(tx, []models.PlayerID{id}, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			inviter := locked[id]
			if inviter.Banned() || !inviter.Consented() {
				return nil
			}
			friends, err := nextFriends(tx, id, now)
			if err != nil {
				return err
			}
			var news []models.Message
			for _, friend := range friends {
				done := tx.Model(&models.Friend{}).Where("player_id = ? AND state = ?", friend.PlayerID, models.FriendQualified).
					Updates(map[string]any{"state": models.FriendRewarded, "rewarded_at": now.UTC()})
				if done.Error != nil {
					return fmt.Errorf("reward player %d for friend %d: %w", id, friend.PlayerID, done.Error)
				}
				if done.RowsAffected == 0 { // rejected meanwhile
					continue
				}
				err := all.Record(inviter, ledger.Entry{Reference: fmt.Sprint("friend:", friend.PlayerID), Moves: FriendMoves()}, now)
				if err != nil {
					return err
				}
				news = append(news, models.Message{
					Key: fmt.Sprint("friend_rewarded:", friend.PlayerID), ChatID: inviter.TelegramID,
					Kind: models.FriendPaid, Params: map[string]string{"name": friend.FirstName}, Urgency: models.UrgencyPersonal,
				})
			}
			rewarded = int64(len(news))
			return outbox.Enqueue(tx, s.db.Dialect, now, news...)
		})
		return rewarded, err
	})
}

// nextFriends returns the friends for whom an inviter can be paid on now's UTC day.
func nextFriends(tx *gorm.DB, inviter models.PlayerID, now time.Time) ([]InvitedFriend, error) {
	today, err := db.Count(tx.Model(&models.Friend{}).
		Where("inviter_id = ? AND state = ? AND rewarded_at >= ?", inviter, models.FriendRewarded, game.DayOf(now).Start()))
	if err != nil {
		return nil, fmt.Errorf("count the friends of player %d rewarded today: %w", inviter, err)
	}
	var next []InvitedFriend
	err = tx.Raw(`SELECT f.player_id, CASE WHEN p.erased_at IS NULL THEN p.first_name ELSE '' END AS first_name FROM friends f JOIN players p ON p.id = f.player_id
		WHERE f.inviter_id = ? AND f.state = ? ORDER BY f.qualified_at, f.player_id LIMIT ?`,
		inviter, models.FriendQualified, max(game.FriendsADay-today, 0)).Scan(&next).Error
	return next, db.Wrap(err, "read the friends of player %d who wait", inviter)
}

// FriendMoves returns the moves of the reward for a friend.
func FriendMoves() []ledger.Move {
	return []ledger.Move{
		{From: models.HouseFriends, To: models.AccountReferral, Asset: models.AssetMCBK, Amount: int64(game.FriendReward.Coins)},
		{From: models.HouseFriends, To: models.AccountReferralPoints, Asset: models.AssetPoint, Amount: game.FriendReward.Points},
	}
}

// Friends lists the friends whom a player invited, newest first, in one of the given states if any, and counts all of these. more
// reports whether there are older ones.
func (s *Store) Friends(ctx context.Context, inviter models.PlayerID, page models.Page, states ...models.FriendState) (friends []InvitedFriend, total int64, more bool, err error) {
	if len(states) == 0 {
		states = []models.FriendState{models.FriendBound, models.FriendQualified, models.FriendRewarded, models.FriendRejected}
	}
	view := s.db.Read(ctx)
	if total, err = db.Count(view.Model(&models.Friend{}).Where("inviter_id = ? AND state IN ?", inviter, states)); err != nil {
		return nil, 0, false, db.WrapUnavailable(fmt.Errorf("count the friends of player %d: %w", inviter, err))
	}
	err = view.Raw(`SELECT f.player_id, f.inviter_id, f.state, p.first_name, p.username, p.photo_url, p.visits_total AS days
		FROM friends f JOIN players p ON p.id = f.player_id WHERE f.inviter_id = ? AND f.state IN ?
		ORDER BY f.player_id DESC LIMIT ? OFFSET ?`, inviter, states, page.Limit+1, page.Offset).Scan(&friends).Error
	friends, more = models.CutTo(friends, page)
	return friends, total, more, db.WrapUnavailable(db.Wrap(err, "read the friends of player %d", inviter))
}

// ActionRejectFriend denies the reward for a friend; its argument is the friend's player id.
const ActionRejectFriend models.Action = "reject_friend"

// RejectFriend denies the reward for a friend who is not real, for good. The inviter still gets their part of the friend's
// purchases: those are real. A friend who was paid for is refused with already_claimed.
func RejectFriend(tx *gorm.DB, q models.PendingAction, _ time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("reject a friend with %d arguments", len(q.Args))
	}
	id, err := strconv.ParseInt(q.Args[0], 10, 64)
	if err != nil {
		return "", fmt.Errorf("friend %q: %w", q.Args[0], db.ErrNotFound)
	}
	done := tx.Model(&models.Friend{}).Where("player_id = ? AND state IN ?", id, []models.FriendState{models.FriendBound, models.FriendQualified}).
		Update("state", models.FriendRejected)
	if done.Error != nil {
		return "", fmt.Errorf("reject friend %d: %w", id, done.Error)
	}
	if done.RowsAffected == 1 {
		return fmt.Sprintf("friend %d is rejected", id), nil
	}
	friend, err := db.One[models.Friend](tx.Where("player_id = ?", id))
	if err != nil {
		return "", fmt.Errorf("read friend %d: %w", id, err)
	}
	switch friend.State {
	case models.FriendRewarded:
		return "", game.Refuse(game.AlreadyClaimed)
	case models.FriendRejected:
		return "", game.Refuse(models.AlreadyRejected)
	}
	return "", fmt.Errorf("friend %d: %w", id, db.ErrNotFound)
}
