package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// taskReceiptIsTrue reports whether an entry of a task pays what its receipt says, coins first.
func taskReceiptIsTrue(_ *life, p Posting) bool {
	var coins, points int64
	if _, err := fmt.Sscan(p.Memo, &coins, &points); err != nil || p.Source != houseTasks || p.Memo != taskReceipt(game.MicroMCBK(coins), points) {
		return false
	}
	if coins > 0 && p.Line == 0 {
		return p.Destination == AccountGame && p.Amount == coins
	}
	last := 0
	if coins > 0 {
		last = 1
	}
	return points > 0 && p.Line == last && p.Destination == AccountGamePoints && p.Amount == points
}

// misPaidTasks lists players with a task that was paid otherwise than its state and terms say,
// or with an entry of no task of theirs.
func misPaidTasks(tx *gorm.DB, s span, _ time.Time) (players []PlayerID, err error) {
	err = tx.Raw(`SELECT DISTINCT player_id FROM (
		SELECT u.player_id FROM player_tasks u JOIN tasks t ON t.id = u.task_id
			LEFT JOIN postings q ON q.player_id = u.player_id AND q.reference = 'task:' || u.id
			WHERE u.player_id > ? AND u.player_id <= ?
			GROUP BY u.player_id, u.id, u.state, t.reward_coins, t.reward_points
			HAVING SUM(CASE WHEN q.asset = 'MCBK' THEN q.amount ELSE 0 END) <> CASE WHEN u.state = 'claimed' THEN t.reward_coins ELSE 0 END
				OR SUM(CASE WHEN q.asset = 'POINT' THEN q.amount ELSE 0 END) <> CASE WHEN u.state = 'claimed' THEN t.reward_points ELSE 0 END
		UNION ALL
		SELECT q.player_id FROM postings q WHERE q.player_id > ? AND q.player_id <= ? AND q.source = '`+string(houseTasks)+`'
			AND NOT EXISTS (SELECT 1 FROM player_tasks u WHERE u.player_id = q.player_id AND 'task:' || u.id = q.reference)
	) AS wrong ORDER BY player_id LIMIT ?`, s.after, s.upTo, s.after, s.upTo, mostListed).Scan(&players).Error
	return players, err
}

// unnotedTasks lists players whose bag has reached the target of a task that is not completed.
func unnotedTasks(tx *gorm.DB, s span, _ time.Time) (players []PlayerID, err error) {
	err = tx.Raw(`SELECT DISTINCT p.id FROM players p
		JOIN tasks t ON t.day = p.bag_day AND t.target <= CASE t.action WHEN 'tap_count' THEN p.bag_taps_today WHEN 'energy_spend' THEN p.bag_energy_spent END
		LEFT JOIN player_tasks u ON u.player_id = p.id AND u.task_id = t.id AND u.state IN ('completed', 'claimed')
		WHERE p.id > ? AND p.id <= ? AND u.id IS NULL AND p.bag_allowance_at >= t.created_at ORDER BY p.id LIMIT ?`, s.after, s.upTo, mostListed).Scan(&players).Error
	return players, err
}

// openGrace is how far the clock of a process may be behind when it writes of a past day.
const openGrace = time.Minute

// leftOpenTasks lists tasks of past days that CloseTasks should have ended by its last run.
func leftOpenTasks(ctx context.Context, s *Store, now time.Time) ([]string, error) {
	last, err := s.LastRun(ctx, CloseTasksJob, now)
	if err != nil || last.Job == "" {
		return nil, err
	}
	ended := last.DoneAt.UTC().Add(-openGrace)
	var open []string
	err = s.snapshot(ctx, func(tx *gorm.DB) error {
		for _, state := range []TaskState{TaskActive, TaskCompleted} {
			var ids []int64
			if err := tx.Raw(leftOpen, state, game.DayOf(last.Period), ended, ended, mostListed).Scan(&ids).Error; err != nil {
				return fmt.Errorf("look for %s tasks: %w", state, err)
			}
			for _, id := range ids {
				open = append(open, fmt.Sprint("task ", id))
			}
		}
		return nil
	})
	return open, err
}

// leftOpen selects tasks in a state that is not final, in the order of the index that has only such tasks: in any other order, all
// tasks there ever were would be read to find none.
const leftOpen = `SELECT id FROM player_tasks WHERE state = ?` + amongOpen + ` AND day < ?
	AND opened_at < ? AND COALESCE(completed_at, opened_at) < ? ORDER BY day, player_id LIMIT ?`
