package tasks

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// TaskLists are a player's tasks.
type TaskLists struct{ Daily, Permanent []models.PlayerTask }

// Cache caches the tasks of the day that was last asked for, so that taps read them once a day.
type Cache struct {
	reading sync.Mutex
	Cached  atomic.Pointer[OfDay]
}

// OfDay are the cached tasks of a day.
type OfDay struct {
	Day   game.Day
	tasks []models.Task
}

// cachedTasks returns the tasks of a day if this process has cached them.
func (s *Store) cachedTasks(day game.Day) (tasks []models.Task, known bool) {
	if cached := s.cache.Cached.Load(); cached != nil && cached.Day == day {
		return cached.tasks, true
	}
	return nil, false
}

// DayTasks returns the tasks of now's UTC day, which this process caches; if there are none it writes them. Inside a transaction it caches
// nothing: what is not committed must not be cached.
func (s *Store) DayTasks(ctx context.Context, now time.Time) (tasks []models.Task, err error) {
	day := game.DayOf(now)
	if tx, inTx := db.TxFrom(ctx); inTx {
		return s.TasksOf(tx, day, now)
	}
	if tasks, known := s.cachedTasks(day); known {
		return tasks, nil
	}
	s.cache.reading.Lock()
	defer s.cache.reading.Unlock()
	if tasks, known := s.cachedTasks(day); known {
		return tasks, nil
	}
	tasks, err = readTasksOf(s.db.Committed(ctx), day)
	if err == nil && len(tasks) == 0 {
		tasks, err = db.Within(ctx, s.db, func(tx *gorm.DB) ([]models.Task, error) { return s.TasksOf(tx, day, now) })
	}
	if err != nil {
		return nil, db.WrapUnavailable(err)
	}
	s.cache.Cached.Store(&OfDay{day, tasks}) // also in place of a later day's, which a clock that was ahead has left
	return tasks, nil
}

// TasksOf returns the tasks of a day, writing them if nobody has yet.
func (s *Store) TasksOf(tx *gorm.DB, day game.Day, now time.Time) ([]models.Task, error) {
	if tasks, known := s.cachedTasks(day); known {
		return tasks, nil
	}
	tasks, err := readTasksOf(tx, day)
	if err != nil || len(tasks) > 0 {
		return tasks, err
	}
	if err := s.writeTasks(tx, day, now); err != nil {
		return nil, err
	}
	return readTasksOf(tx, day)
}

func readTasksOf(tx *gorm.DB, day game.Day) (tasks []models.Task, err error) {
	err = tx.Where("day = ?", day).Order("id").Find(&tasks).Error
	return tasks, db.Wrap(err, "read the tasks of day %d", day)
}

// writeTasks writes a day's tasks as admins have set them; of two processes that do it one succeeds.
func (s *Store) writeTasks(tx *gorm.DB, day game.Day, now time.Time) error {
	set, err := settings.ReadSettings(tx)
	if err != nil {
		return err
	}
	terms := set.Runtime.DailyTasks()
	table, values := s.db.Dialect.Values(
		db.Texts("action", terms, func(t game.TaskTerms) game.TaskAction { return t.Action }),
		db.Integers("day", terms, func(game.TaskTerms) game.Day { return day }),
		db.Integers("target", terms, func(t game.TaskTerms) int64 { return t.Target }),
		db.Integers("coins", terms, func(t game.TaskTerms) game.MicroMCBK { return t.Coins }),
		db.Integers("points", terms, func(t game.TaskTerms) int64 { return t.Points }),
		db.Times("created_at", terms, func(game.TaskTerms) time.Time { return db.Time(now) }),
	)
	err = tx.Exec(`INSERT INTO tasks (action, day, target, reward_coins, reward_points, url, title_en, title_ru, created_at)
		SELECT action, day, target, coins, points, '', '', '', created_at FROM `+table+` WHERE true
		ON CONFLICT (day, action) DO NOTHING`, values...).Error
	return db.Wrap(err, "write the tasks of day %d", day)
}

// Tasks returns today's and the permanent tasks with their state for a player as read a moment ago. A retired task is shown while
// there is something to claim.
func (s *Store) Tasks(ctx context.Context, p models.Player, now time.Time) (TaskLists, error) {
	day := game.DayOf(now)
	if _, err := s.DayTasks(ctx, now); err != nil {
		return TaskLists{}, err
	}
	var rows []models.PlayerTask
	err := s.db.ScanRows(ctx, s.db.Committed(ctx), playerTasks(&rows, p.ID, "(t.day = ? OR t.day IS NULL) AND (t.day IS NOT NULL OR t.retired_at IS NULL OR u.state = 'completed')", day))
	if err != nil {
		return TaskLists{}, db.WrapUnavailable(fmt.Errorf("read the tasks of player %d: %w", p.ID, err))
	}
	if done := reachedUnseen(rows, p, now); len(done) > 0 {
		if err := s.db.InTx(ctx, func(tx *gorm.DB) error { return s.Complete(tx, done) }); err != nil {
			return TaskLists{}, err
		}
	}
	var lists TaskLists
	for _, row := range rows {
		if row.Task.Day == nil {
			lists.Permanent = append(lists.Permanent, row)
		} else {
			lists.Daily = append(lists.Daily, row)
		}
	}
	return lists, nil
}

// playerTasks reads tasks with a player's state; a task that the player has no row of is active, with ID 0.
func playerTasks(into *[]models.PlayerTask, id models.PlayerID, where string, values ...any) db.Query {
	return db.Query{
		Statement: db.Statement{Text: `SELECT t.id, t.action, t.day, t.target, t.reward_coins, t.reward_points, t.url, t.title_en, t.title_ru,
				COALESCE(u.id, 0), COALESCE(u.state, 'active'), COALESCE(u.progress, 0), u.claimed_at
			FROM tasks t LEFT JOIN player_tasks u ON u.task_id = t.id AND u.player_id = ?
			WHERE ` + where + ` ORDER BY t.id`, Values: append([]any{id}, values...)},
		Scan: func(row db.Row) error {
			u := models.PlayerTask{PlayerID: id}
			t := &u.Task
			err := row.Scan(&t.ID, &t.Action, &t.Day, &t.Target, &t.RewardCoins, &t.RewardPoints, &t.URL, &t.TitleEn, &t.TitleRu,
				&u.ID, &u.State, &u.Progress, &u.ClaimedAt)
			u.TaskID, u.Day = t.ID, t.Day
			*into = append(*into, u)
			return err
		},
	}
}
