package treasury_test

import (
	"testing"
	"time"

	"mcbk/models/modelstest"
	"mcbk/models/treasury"
)

func TestExecutedActionsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "admin_actions")
	plans.WantIndex(t, "admin_actions_executed", treasury.ActionsSince, "match", 1, time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC))
	plans.WantIndex(t, "admin_actions_executed", treasury.ActionsWith, "settings", "[%")
}
