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

// LoadTasks makes this process cache the tasks of a day; if there are none it writes them. Inside a transaction it does nothing:
// what is not committed must not be cached.
func (s *Store) LoadTasks(ctx context.Context, day game.Day, now time.Time) error {
	if _, inTx := db.TxFrom(ctx); inTx {
		return nil
	}
	if _, known := s.cachedTasks(day); known {
		return nil
	}
	s.cache.reading.Lock()
	defer s.cache.reading.Unlock()
	if _, known := s.cachedTasks(day); known {
		return nil
	}
	tasks, err := readTasksOf(s.db.Committed(ctx), day)
	if err == nil && len(tasks) == 0 {
		err = s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
			tasks, err = s.TasksOf(tx, day, now)
			return err
		})
	}
	if err != nil {
		return db.WrapUnavailable(err)
	}
	s.cache.Cached.Store(&OfDay{day, tasks}) // also in place of a later day's, which a clock that was ahead has left
	return nil
}

// DayTasks returns the tasks of now's UTC day, which this process caches.
func (s *Store) DayTasks(ctx context.Context, now time.Time) (tasks []models.Task, err error) {
	day := game.DayOf(now)
	if err := s.LoadTasks(ctx, day, now); err != nil {
		return nil, err
	}
	if tasks, known := s.cachedTasks(day); known {
		return tasks, nil
	}
	err = s.db.InTx(ctx, func(tx *gorm.DB) (err error) { // within a transaction, or at midnight, when another day was cached meanwhile
		tasks, err = s.TasksOf(tx, day, now)
		return err
	})
	return tasks, err
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
	if err := tx.Where("day = ?", day).Order("id").Find(&tasks).Error; err != nil {
		return nil, fmt.Errorf("read the tasks of day %d: %w", day, err)
	}
	return tasks, nil
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
	if err != nil {
		return fmt.Errorf("write the tasks of day %d: %w", day, err)
	}
	return nil
}

// Tasks returns today's and the permanent tasks with their state for a player as read a moment ago. A task that the player sees for
// the first time gets a row.
func (s *Store) Tasks(ctx context.Context, p models.Player, now time.Time) (TaskLists, error) {
	day := game.DayOf(now)
	if err := s.LoadTasks(ctx, day, now); err != nil {
		return TaskLists{}, err
	}
	missing, err := missingTasks(s.db.Read(ctx), p, day)
	if err != nil {
		return TaskLists{}, db.WrapUnavailable(err)
	}
	if missing > 0 {
		if err := s.openTasks(ctx, p, day, now); err != nil {
			return TaskLists{}, err
		}
	}
	lists, err := listTasks(s.db.Read(ctx), p, day)
	return lists, db.WrapUnavailable(err)
}

// missingTasks counts the tasks that a player has no row for.
func missingTasks(tx *gorm.DB, p models.Player, day game.Day) (missing int64, err error) {
	err = tx.Raw(`SELECT COUNT(*) FROM tasks t WHERE (t.day = ? OR (t.day IS NULL AND t.retired_at IS NULL))
		AND NOT EXISTS (SELECT 1 FROM player_tasks u WHERE u.player_id = ? AND u.task_id = t.id)`, day, p.ID).Scan(&missing).Error
	if err != nil {
		return 0, fmt.Errorf("count tasks that player %d has not seen: %w", p.ID, err)
	}
	return missing, nil
}

// openTasks creates the missing rows of a player's tasks.
func (s *Store) openTasks(ctx context.Context, p models.Player, day game.Day, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		tasks, err := s.TasksOf(tx, day, now)
		if err != nil {
			return err
		}
		one := []models.Player{p}
		table, values := s.db.Dialect.Values(
			db.Integers("player_id", one, func(p models.Player) models.PlayerID { return p.ID }),
			db.Times("opened_at", one, func(models.Player) time.Time { return db.Time(now) }),
		)
		err = tx.Exec(`INSERT INTO player_tasks (player_id, task_id, day, state, progress, evidence, opened_at)
			SELECT v.player_id, t.id, t.day, 'active', 0, '', v.opened_at FROM tasks t, `+table+`
			WHERE t.day = ? OR (t.day IS NULL AND t.retired_at IS NULL) ORDER BY t.id
			ON CONFLICT (player_id, task_id) DO NOTHING`, append(values, day)...).Error
		if err != nil {
			return fmt.Errorf("open the tasks of player %d: %w", p.ID, err)
		}
		return s.Complete(tx, reachedUnseen(tasks, p, now))
	})
}

// listTasks reads a player's rows. A retired task is shown while there is something to claim.
func listTasks(tx *gorm.DB, p models.Player, day game.Day) (lists TaskLists, err error) {
	var rows []models.PlayerTask
	err = tx.InnerJoins("Task").Where(`player_tasks.player_id = ? AND ("Task".day = ?
		OR ("Task".day IS NULL AND ("Task".retired_at IS NULL OR player_tasks.state = 'completed')))`, p.ID, day).Order(`"Task".id`).Find(&rows).Error
	if err != nil {
		return TaskLists{}, fmt.Errorf("read the tasks of player %d: %w", p.ID, err)
	}
	for _, row := range rows {
		row.CountBag(p)
		if row.Task.Day == nil {
			lists.Permanent = append(lists.Permanent, row)
		} else {
			lists.Daily = append(lists.Daily, row)
		}
	}
	return lists, nil
}
