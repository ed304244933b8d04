package tasks

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// Actions of admins on permanent tasks.
const (
	ActionAddTask    models.Action = "task add"    // args: the action, the link or @channel, the title in English, in Russian, the reward that was shown
	ActionRetireTask models.Action = "task retire" // args: the task's id
)

// LongestTaskTitle is the most characters that a title has, in each language.
const LongestTaskTitle = 100

// PermanentTask is a task that an admin added, and how many players have completed it.
type PermanentTask struct {
	models.Task
	Done int64 // completed, including claimed
}

// PermanentTasks lists the permanent tasks on offer, newest first.
func (s *Store) PermanentTasks(ctx context.Context) ([]PermanentTask, error) {
	var all []PermanentTask
	err := s.db.Read(ctx).Raw(permanentTasks).Scan(&all).Error
	return all, db.WrapUnavailable(err)
}

// permanentTasks selects the permanent tasks with how many completed each.
var permanentTasks = `SELECT ` + db.Columns[models.Task]("tasks") + `, (
		SELECT COUNT(*) FROM player_tasks u WHERE u.task_id = tasks.id AND u.day IS NULL AND u.state IN ('completed', 'claimed')) AS done
	FROM tasks WHERE day IS NULL AND retired_at IS NULL ORDER BY id DESC`

// RewardOf returns in words what a task pays.
func RewardOf(t game.TaskTerms) string {
	return fmt.Sprintf("%s MCBK and %d points", t.Coins.Decimal(), t.Points)
}

// AddTask offers a permanent task to everybody. It refuses with validation_failed for a target that no player may be sent to, with
// not_eligible if it would pay something else than was shown, and with already_offered for a link that is offered already.
func (s *Store) AddTask(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 4 && len(q.Args) != 5 { // a version that stored no reward left it to the outcome
		return "", fmt.Errorf("task with %d arguments", len(q.Args))
	}
	set, err := settings.ReadSettings(tx)
	if err != nil {
		return "", err
	}
	terms, ok := set.Runtime.PermanentTask(game.TaskAction(q.Args[0]))
	link := q.Args[1]
	switch {
	case !ok:
		return "", models.WrongField("action", "is not one of permanent tasks")
	case terms.Action == game.TelegramSubscription:
		if link, ok = ChannelLink(link); !ok {
			return "", models.WrongField("url", "is no public channel")
		}
	case !IsPublicLink(link):
		return "", models.WrongField("url", "is no public link")
	}
	if len(q.Args) == 5 && q.Args[4] != RewardOf(terms) {
		return "", game.Refuse(models.NotEligible)
	}
	for _, title := range q.Args[2:4] {
		if !strings.ContainsFunc(title, unicode.IsLetter) || utf8.RuneCountInString(title) > LongestTaskTitle {
			return "", models.WrongField("title", "is empty or too long")
		}
	}
	if err := s.db.Dialect.LockTable(tx, "tasks"); err != nil { // another admin may offer the same link now
		return "", err
	}
	same, err := db.Count(tx.Model(&models.Task{}).Where("day IS NULL AND retired_at IS NULL AND LOWER(url) = LOWER(?)", link))
	if err != nil {
		return "", fmt.Errorf("count tasks of that link: %w", err)
	}
	if same > 0 {
		return "", game.Refuse(models.AlreadyOffered)
	}
	task := models.Task{
		Action: terms.Action, Target: terms.Target, RewardCoins: terms.Coins, RewardPoints: terms.Points, URL: link,
		TitleEn: strings.TrimSpace(q.Args[2]), TitleRu: strings.TrimSpace(q.Args[3]), CreatedAt: db.Time(now),
	}
	if err := tx.Create(&task).Error; err != nil {
		return "", fmt.Errorf("add a task: %w", err)
	}
	return fmt.Sprintf("task %d is offered: %s %s for %s", task.ID, terms.Action, link, RewardOf(terms)), nil
}

// RetireTask retires a permanent task. Players who have completed it may still claim.
func RetireTask(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("task to retire with %d arguments", len(q.Args))
	}
	id, err := strconv.ParseInt(q.Args[0], 10, 64)
	if err != nil {
		return "", fmt.Errorf("task %q: %w", q.Args[0], db.ErrNotFound)
	}
	retired := tx.Model(&models.Task{}).Where("id = ? AND day IS NULL AND retired_at IS NULL", id).Update("retired_at", db.Time(now))
	if retired.Error != nil {
		return "", fmt.Errorf("retire task %d: %w", id, retired.Error)
	}
	if retired.RowsAffected == 0 {
		return "", db.ErrNotFound
	}
	return fmt.Sprintf("task %d is retired", id), nil
}
