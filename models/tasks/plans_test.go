package tasks_test

import (
	"testing"

	"mcbk/models/modelstest"
	"mcbk/models/tasks"
)

// Jobs find what they look for by an index, however long the season is.
func TestTasksAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "player_tasks")
	plans.WantIndex(t, "player_tasks_open", tasks.DueDay, -1, 6)
	page, values := tasks.DueOnPage(5)
	plans.WantIndex(t, "player_tasks_open", page, append(values, 100, 100)...)
	plans.WantIndex(t, "player_tasks_open", tasks.DuePermanentPage, 100, 100)
	plans.WantIndex(t, "player_tasks_permanent", tasks.PermanentTasks)
}
