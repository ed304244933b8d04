package tasks

import (
	"context"
	"time"

	"mcbk/game"
)

// Statements whose plans a test reads.
var (
	DueDay         = dueDay
	PermanentTasks = permanentTasks
)

// DuePermanentPage is the page of CloseTasks for permanent tasks.
var DuePermanentPage = duePermanent.page()

// DueOnPage is that of a day.
func DueOnPage(day game.Day) (statement string, values []any) {
	return dueOn(day).page(), dueOn(day).Values
}

// LearnTasks caches the tasks of a day, and reports whether they are cached then.
func (s *Store) LearnTasks(ctx context.Context, now time.Time) (cached bool, err error) {
	day := game.DayOf(now)
	_, err = s.DayTasks(ctx, now)
	_, cached = s.cachedTasks(day)
	return cached, err
}
