package tasks

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// CompletedTask is a task that a player has completed by what their row counts.
type CompletedTask struct {
	player models.PlayerID
	task   models.Task
	at     time.Time
}

// reachedUnseen fills in the progress that only the player's own row holds. It completes, and returns to be stored, tasks that were
// reached before they existed, as on the day on which tasks are introduced: the command that reaches any other has completed it.
func reachedUnseen(rows []models.PlayerTask, p models.Player, now time.Time) (done []CompletedTask) {
	for i := range rows {
		u := &rows[i]
		if u.Day == nil || (u.State != models.TaskActive && u.State != models.TaskExpired) {
			continue
		}
		reached, counted := u.Task.Terms().Progress(p.CountsOn(*u.Day))
		if !counted {
			continue
		}
		if u.Progress = reached; reached == u.Task.Target {
			u.State = models.TaskCompleted
			done = append(done, CompletedTask{p.ID, u.Task, now})
		}
	}
	return done
}

// completeTask completes tasks together with the command that reached them.
var completeTask = commit.Write[CompletedTask]{Statement: complete}

// CompleteFulfilled completes the tasks of a day that a command has reached by changing what its player's row counts. Taps made before
// a task existed count with the first batch after that.
func CompleteFulfilled(c *commit.Scope, day []models.Task, before models.Player) {
	for _, task := range day {
		was := before.CountsOn(*task.Day)
		if before.Bag != c.Player.Bag && before.Bag.AllowanceAt.Before(task.CreatedAt) {
			was.Taps, was.EnergySpent = 0, 0
		}
		if task.Terms().ReachedBy(was, c.Player.CountsOn(*task.Day)) {
			completeTask.Add(c, CompletedTask{c.Player.ID, task, c.Now})
		}
	}
}

// Complete completes tasks that players have reached; a task that was completed before stays so.
func (s *Store) Complete(tx *gorm.DB, all []CompletedTask) error {
	if len(all) == 0 {
		return nil
	}
	done := complete(s.db.Dialect, all)
	return db.Wrap(tx.Exec(done.Text, done.Values...).Error, "complete %d tasks, the first of player %d", len(all), all[0].player)
}

func complete(d db.Dialect, all []CompletedTask) db.Statement {
	table, values := d.Values(
		db.Integers("player_id", all, func(r CompletedTask) models.PlayerID { return r.player }),
		db.Integers("task_id", all, func(r CompletedTask) int64 { return r.task.ID }),
		db.Integers("day", all, func(r CompletedTask) game.Day { return *r.task.Day }),
		db.Integers("progress", all, func(r CompletedTask) int64 { return r.task.Target }),
		db.Times("at", all, func(r CompletedTask) time.Time { return db.Time(r.at) }),
	)
	return db.Statement{Text: `INSERT INTO player_tasks (player_id, task_id, day, state, progress, evidence, opened_at, completed_at)
		SELECT player_id, task_id, day, 'completed', progress, '', at, at FROM ` + table + ` WHERE true ORDER BY player_id, task_id
		ON CONFLICT (player_id, task_id) DO UPDATE SET state = 'completed', progress = excluded.progress, completed_at = excluded.completed_at
		WHERE player_tasks.state IN ('active', 'expired')`, Values: values}
}

// Progress is an event that counts for a player's daily task.
type Progress struct {
	player models.PlayerID
	task   models.Task
	by     int64
	at     time.Time
}

// countProgress counts events and completes tasks at their target. The players are locked before, as a claim locks the player first; only
// a friend's check-in counts for an inviter who is not, for whose task alone the claim's condition on its state is enough.
var countProgress = commit.Write[Progress]{Statement: advance}

// Count counts an event of a command's day, of which these are the tasks, for a player's task, in the transaction of the event. It
// does nothing if the day has no such task, as on the day on which a new kind of task is introduced.
func Count(c *commit.Scope, of models.PlayerID, day []models.Task, action game.TaskAction) {
	if i := slices.IndexFunc(day, func(t models.Task) bool { return t.Action == action }); i >= 0 {
		countProgress.Add(c, Progress{of, day[i], 1, c.Now})
	}
}

// AdvanceTask counts events for a player's task of their day. Those of a day that was closed meanwhile still count, and are paid with
// the next day's.
func AdvanceTask(tx *gorm.DB, s *Store, id models.PlayerID, action game.TaskAction, by int64, day game.Day, now time.Time) error {
	tasks, err := s.TasksOf(tx, day, now)
	if err != nil {
		return err
	}
	daily := func(t game.TaskTerms) bool { return t.Action == action }
	if by < 1 || !slices.ContainsFunc(settings.DefaultSettings().DailyTasks(), daily) {
		return fmt.Errorf("advance player %d by %d %s: there is no such daily task", id, by, action)
	}
	i := slices.IndexFunc(tasks, func(t models.Task) bool { return t.Action == action })
	if i < 0 { // a program that had no such task wrote the day's: the event itself must not fail for it
		return nil
	}
	count := advance(s.db.Dialect, []Progress{{id, tasks[i], by, now}})
	return db.Wrap(tx.Exec(count.Text, count.Values...).Error, "advance %s of player %d", action, id)
}

// perTask adds up the events of each player's task, as of friends of one inviter, in ascending order.
func perTask(rows []Progress) (sums []Progress) {
	slices.SortStableFunc(rows, func(a, b Progress) int {
		return cmp.Or(cmp.Compare(a.player, b.player), cmp.Compare(a.task.ID, b.task.ID))
	})
	for _, p := range rows {
		if last := len(sums) - 1; last >= 0 && sums[last].player == p.player && sums[last].task.ID == p.task.ID {
			sums[last].by += p.by
			continue
		}
		sums = append(sums, p)
	}
	return sums
}

func advance(d db.Dialect, rows []Progress) db.Statement {
	rows = perTask(rows)
	table, values := d.Values(
		db.Integers("player_id", rows, func(p Progress) models.PlayerID { return p.player }),
		db.Integers("task_id", rows, func(p Progress) int64 { return p.task.ID }),
		db.Integers("day", rows, func(p Progress) game.Day { return *p.task.Day }),
		db.Integers("by", rows, func(p Progress) int64 { return min(p.by, p.task.Target) }),
		db.Integers("target", rows, func(p Progress) int64 { return p.task.Target }),
		db.Times("at", rows, func(p Progress) time.Time { return db.Time(p.at) }),
	)
	const (
		so  = "player_tasks.progress + excluded.progress"
		all = "(SELECT target FROM tasks WHERE id = excluded.task_id)"
	)
	return db.Statement{Text: `INSERT INTO player_tasks (player_id, task_id, day, state, progress, evidence, opened_at, completed_at)
		SELECT v.player_id, v.task_id, v.day, CASE WHEN v.by < v.target THEN 'active' ELSE 'completed' END, v.by, '', v.at,
			CASE WHEN v.by < v.target THEN NULL ELSE v.at END FROM ` + table + ` WHERE true ORDER BY v.player_id
		ON CONFLICT (player_id, task_id) DO UPDATE SET
			state = CASE WHEN ` + so + ` < ` + all + ` THEN player_tasks.state ELSE 'completed' END,
			progress = CASE WHEN ` + so + ` < ` + all + ` THEN ` + so + ` ELSE ` + all + ` END,
			completed_at = CASE WHEN ` + so + ` < ` + all + ` THEN NULL ELSE excluded.opened_at END
		WHERE player_tasks.state IN ('active', 'expired')`, Values: values}
}
