package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// oneTask reads a task with a player's state, which is active without a row.
var oneTask = commit.Rows[models.PlayerTask]{
	Columns: "COALESCE(u.id, 0), COALESCE(u.state, 'active'), t.id, t.day, t.reward_coins, t.reward_points",
	From:    "JOIN tasks t ON t.id = w.number LEFT JOIN player_tasks u ON u.task_id = t.id AND u.player_id = w.player_id",
	Fields: func(u *models.PlayerTask) []any {
		return []any{&u.ID, &u.State, &u.Task.ID, &u.Task.Day, &u.Task.RewardCoins, &u.Task.RewardPoints}
	},
}

var claimTask = commit.Claims("player_tasks", "claimed_at", "'completed'")

// ClaimTask pays a completed task to its player, once; permanent reports whether it is one. It refuses with not_completed and
// already_claimed, and with what every earning call refuses with; ErrNotFound if there is no such task.
func (s *Store) ClaimTask(ctx context.Context, by commit.Caller, task int64, season game.Season, now time.Time) (permanent bool, player models.Player, err error) {
	return commit.Run(ctx, s.commit, commit.Command[bool]{
		Caller: by, Now: now, Wants: []commit.Want{oneTask.For(task, "")},
		Decide: func(c *commit.Scope) (permanent bool, err error) {
			if err := c.Player.CanEarn(season, now); err != nil {
				return false, err
			}
			row, err := oneTask.One(c)
			if err != nil {
				return false, err
			}
			switch row.State {
			case models.TaskCompleted:
			case models.TaskClaimed:
				return false, game.Refuse(game.AlreadyClaimed)
			default:
				return false, game.Refuse(game.NotCompleted)
			}
			claimTask.Add(c, commit.Claim{ID: row.ID, At: now})
			return row.Task.Day == nil, payTask(&c.Tx, c.Player, row, now)
		},
	})
}

// payTask records the reward of a task.
func payTask(j *ledger.Tx, p *models.Player, row models.PlayerTask, now time.Time) error {
	reward := game.Reward{Coins: row.Task.RewardCoins, Points: row.Task.RewardPoints}
	return j.Record(p, ledger.Entry{
		Reference: taskReference(row.ID), Memo: ledger.TaskReceipt{Reward: reward}.Encode(), Moves: ledger.RewardMoves(models.HouseTasks, reward),
	}, now)
}

// taskReference names the entry of a player's task.
func taskReference(id int64) string { return fmt.Sprint("task:", id) }

// TrackLink completes the exchange_join task of that number for a player who says they opened its link, and returns it as of then.
// It refuses with validation_failed for another link than the task's, and with what every earning call refuses with; ErrNotFound if
// there is no such task.
func (s *Store) TrackLink(ctx context.Context, id models.PlayerID, task int64, link string, season game.Season, now time.Time) (models.PlayerTask, error) {
	return db.Within(ctx, s.db, func(tx *gorm.DB) (none models.PlayerTask, err error) {
		t, err := s.permanentTask(tx, id, task, game.ExchangeJoin, season, now)
		if err != nil {
			return none, err
		}
		if link != t.URL {
			return none, models.WrongField("external_url", "is not the link of the task")
		}
		return s.completePermanent(tx, id, t, link, now)
	})
}

// ChannelOf returns the channel, as @name, that Telegram is to be asked about for a player's telegram_subscription task. It refuses
// as TrackLink does.
func (s *Store) ChannelOf(ctx context.Context, id models.PlayerID, task int64, channel string, season game.Season, now time.Time) (name string, err error) {
	t, err := s.permanentTask(s.db.Read(ctx), id, task, game.TelegramSubscription, season, now)
	if err != nil {
		return "", db.WrapUnavailable(err)
	}
	if link, ok := ChannelLink(channel); !ok || !strings.EqualFold(link, t.URL) {
		return "", models.WrongField("channel_url", "is not the channel of the task")
	}
	return ChannelName(t.URL), nil
}

// NoteSubscription completes a telegram_subscription task of a player who, according to Telegram, is subscribed to the channel that
// ChannelOf returned, and returns it as of then.
func (s *Store) NoteSubscription(ctx context.Context, id models.PlayerID, task int64, channel string, subscribed bool, season game.Season, now time.Time) (models.PlayerTask, error) {
	return db.Within(ctx, s.db, func(tx *gorm.DB) (none models.PlayerTask, err error) {
		t, err := s.permanentTask(tx, id, task, game.TelegramSubscription, season, now)
		if err != nil {
			return none, err
		}
		if !subscribed {
			channel = ""
		}
		return s.completePermanent(tx, id, t, channel, now)
	})
}

// permanentTask returns a task of that action that the player may complete, or has completed.
func (s *Store) permanentTask(tx *gorm.DB, id models.PlayerID, task int64, action game.TaskAction, season game.Season, now time.Time) (models.Task, error) {
	player, err := ledger.OnePlayer(tx, "id = ?", id)
	if err != nil {
		return models.Task{}, err
	}
	if err := player.CanEarn(season, now); err != nil {
		return models.Task{}, err
	}
	found, err := db.One[models.Task](tx.Where("id = ? AND action = ? AND day IS NULL", task, action).Where(`retired_at IS NULL OR EXISTS (
		SELECT 1 FROM player_tasks u WHERE u.task_id = tasks.id AND u.player_id = ? AND u.state <> 'active')`, id))
	return found, db.Wrap(err, "find task %d", task)
}

// completePermanent completes a permanent task with its evidence; without evidence it changes nothing. A completed task stays as it is.
func (s *Store) completePermanent(tx *gorm.DB, id models.PlayerID, t models.Task, evidence string, now time.Time) (models.PlayerTask, error) {
	if evidence != "" {
		err := tx.Exec(`INSERT INTO player_tasks (player_id, task_id, state, progress, evidence, opened_at, completed_at) VALUES (?, ?, 'completed', ?, ?, ?, ?)
			ON CONFLICT (player_id, task_id) DO UPDATE SET state = 'completed', progress = excluded.progress, evidence = excluded.evidence, completed_at = excluded.completed_at
			WHERE player_tasks.state = 'active'`, id, t.ID, t.Target, evidence, db.Time(now), db.Time(now)).Error
		if err != nil {
			return models.PlayerTask{}, fmt.Errorf("complete task %d of player %d: %w", t.ID, id, err)
		}
	}
	return onePlayerTask(tx, id, t.ID)
}

// onePlayerTask returns a task with a player's state; ErrNotFound if there is no such task.
func onePlayerTask(tx *gorm.DB, id models.PlayerID, task int64) (models.PlayerTask, error) {
	var rows []models.PlayerTask
	err := db.RunQueries(tx, playerTasks(&rows, id, "t.id = ?", task))
	if err == nil && len(rows) == 0 {
		err = db.ErrNotFound
	}
	if err != nil {
		return models.PlayerTask{}, fmt.Errorf("read task %d of player %d: %w", task, id, err)
	}
	return rows[0], nil
}
