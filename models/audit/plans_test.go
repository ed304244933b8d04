package audit_test

import (
	"testing"
	"time"

	"mcbk/models/audit"
	"mcbk/models/modelstest"
)

func TestStaleTasksAreFoundByIndex(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC)
	modelstest.NewPlans(t, "player_tasks").WantIndex(t, "player_tasks_open", audit.StaleTasks, "active", 5, end, end, 20)
}
