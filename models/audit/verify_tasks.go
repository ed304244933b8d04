package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/tasks"
)

// taskReceiptMatches reports whether an entry of a task pays what its receipt says, coins first.
func taskReceiptMatches(_ *ledgerReplay, p models.Posting) bool {
	receipt, err := ledger.DecodeTaskReceipt(p.Memo)
	if err != nil || p.Source != models.HouseTasks || p.Memo != receipt.Encode() {
		return false
	}
	coins, points := int64(receipt.Reward.Coins), receipt.Reward.Points
	if coins > 0 && p.Line == 0 {
		return p.Destination == models.AccountGame && p.Amount == coins
	}
	last := 0
	if coins > 0 {
		last = 1
	}
	return points > 0 && p.Line == last && p.Destination == models.AccountGamePoints && p.Amount == points
}

// findMispaidTasks lists players with a task that was paid otherwise than its state and terms say,
// or with an entry of no task of theirs.
var findMispaidTasks = findPlayers(`SELECT DISTINCT player_id FROM (
	SELECT u.player_id FROM player_tasks u JOIN tasks t ON t.id = u.task_id
		LEFT JOIN postings q ON q.player_id = u.player_id AND q.reference = 'task:' || u.id
		WHERE u.player_id > @After AND u.player_id <= @UpTo
		GROUP BY u.player_id, u.id, u.state, t.reward_coins, t.reward_points
		HAVING SUM(CASE WHEN q.asset = 'MCBK' THEN q.amount ELSE 0 END) <> CASE WHEN u.state = 'claimed' THEN t.reward_coins ELSE 0 END
			OR SUM(CASE WHEN q.asset = 'POINT' THEN q.amount ELSE 0 END) <> CASE WHEN u.state = 'claimed' THEN t.reward_points ELSE 0 END
	UNION ALL
	SELECT q.player_id FROM postings q WHERE q.player_id > @After AND q.player_id <= @UpTo AND q.source = '` + string(models.HouseTasks) + `'
			AND NOT EXISTS (SELECT 1 FROM player_tasks u WHERE u.player_id = q.player_id AND 'task:' || u.id = q.reference)
	) AS wrong ORDER BY player_id LIMIT ?`)

// findUnrecordedTasks lists players whose row has reached the target of a task that is not completed.
var findUnrecordedTasks = findPlayers(`SELECT DISTINCT p.id FROM players p
	JOIN tasks t ON t.day IN (p.bag_day, p.wheel_counted_day) AND CASE t.action
		WHEN 'tap_count' THEN t.day = p.bag_day AND t.target <= p.bag_taps_today AND t.created_at <= p.bag_allowance_at
		WHEN 'energy_spend' THEN t.day = p.bag_day AND t.target <= p.bag_energy_spent AND t.created_at <= p.bag_allowance_at
		WHEN 'roulette_spin' THEN t.day = p.wheel_counted_day AND t.target <= p.wheel_spins_today END
	LEFT JOIN player_tasks u ON u.player_id = p.id AND u.task_id = t.id AND u.state IN ('completed', 'claimed')
	WHERE p.id > @After AND p.id <= @UpTo AND u.id IS NULL ORDER BY p.id LIMIT ?`)

// unearnedTasks lists players with a completed task that what they did does not make complete, see also bagReached. That a link was
// opened or a channel joined is proven by nothing but the evidence in the row.
func unearnedTasks(tx *gorm.DB, s idRange) ([]models.PlayerID, error) {
	day := db.Dialect(tx.Name()).Hour("spun_at") + " / 24"
	const of = " WHERE player_id > @After AND player_id <= @UpTo"
	return findPlayers(`WITH done AS (
			SELECT player_id, 'roulette_spin' AS action, `+day+` AS day, COUNT(*) AS times FROM spins`+of+` GROUP BY player_id, `+day+`
			UNION ALL SELECT player_id, 'watch_ads', day, COUNT(*) FROM ad_tickets`+of+` AND state = 'settled' GROUP BY player_id, day
			UNION ALL SELECT player_id, 'get_prediction', day, COUNT(*) FROM predictions`+of+` GROUP BY player_id, day
			UNION ALL SELECT inviter_id, 'invite_friends', day, COUNT(*) FROM (
				SELECT f.inviter_id, MIN(c.day) AS day FROM friends f JOIN checkins c ON c.player_id = f.player_id
				WHERE f.inviter_id > @After AND f.inviter_id <= @UpTo GROUP BY f.inviter_id, f.player_id) AS first GROUP BY inviter_id, day
		)
		SELECT DISTINCT u.player_id FROM player_tasks u JOIN tasks t ON t.id = u.task_id LEFT JOIN done ON done.player_id = u.player_id AND done.action = t.action AND done.day = t.day
		WHERE u.player_id > @After AND u.player_id <= @UpTo AND u.state IN ('completed', 'claimed') AND (u.progress <> t.target OR CASE t.action
			WHEN 'tap_count' THEN FALSE WHEN 'energy_spend' THEN FALSE WHEN 'exchange_join' THEN u.evidence <> t.url WHEN 'telegram_subscription' THEN u.evidence = ''
			ELSE COALESCE(done.times, 0) < t.target END)
		ORDER BY u.player_id LIMIT ?`)(tx, s)
}

// bagTasks returns the completed tasks of a range that a bag counts, by player.
func bagTasks(tx *gorm.DB, s idRange) (map[models.PlayerID][]models.Task, error) {
	var rows []models.PlayerTask
	err := tx.InnerJoins("Task").Where(`player_tasks.player_id > ? AND player_tasks.player_id <= ? AND player_tasks.state IN ('completed', 'claimed')
		AND "Task".action IN ('tap_count', 'energy_spend')`, s.After, s.UpTo).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the tasks of bags: %w", err)
	}
	tasks := map[models.PlayerID][]models.Task{}
	for _, row := range rows {
		tasks[row.PlayerID] = append(tasks[row.PlayerID], row.Task)
	}
	return tasks, nil
}

// bagReached reports whether the postings of each day bring the taps and energy of its completed tasks.
func bagReached(l *ledgerReplay) bool {
	return !slices.ContainsFunc(l.tasks, func(t models.Task) bool {
		bag := l.bags[*t.Day]
		done, _ := t.Terms().Progress(game.DayCounts{Taps: bag.TapsToday, EnergySpent: bag.EnergySpent})
		return done < t.Target
	})
}

// openGrace is how far the clock of a process may be behind when it writes of a past day.
const openGrace = time.Minute

// findStaleTasks lists tasks of past days that CloseTasks should have ended by its last run.
func findStaleTasks(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
	last, err := s.alarms.LastRun(ctx, tasks.CloseTasksJob, now)
	if err != nil || last.Job == "" {
		return nil, err
	}
	ended := last.DoneAt.UTC().Add(-openGrace)
	var open []string
	err = s.db.Snapshot(ctx, func(tx *gorm.DB) error {
		for _, state := range []models.TaskState{models.TaskActive, models.TaskCompleted} {
			found, err := list(tx, "task %s", staleTasks, state, game.DayOf(last.Period), ended, ended)
			if err != nil {
				return fmt.Errorf("find %s tasks: %w", state, err)
			}
			open = append(open, found...)
		}
		return nil
	})
	return open, err
}

// staleTasks selects tasks in a state that is not final, in the order of the index that has only such tasks: in any other order, all
// tasks there ever were would be read to find none.
const staleTasks = `SELECT id FROM player_tasks WHERE state = ?` + tasks.OpenCondition + ` AND day < ?
	AND opened_at < ? AND COALESCE(completed_at, opened_at) < ? ORDER BY day, player_id LIMIT ?`
