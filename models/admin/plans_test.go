package admin_test

import (
	"testing"
	"time"

	"mcbk/models/admin"
	"mcbk/models/modelstest"
)

// The audit is found beside what was refused.
func TestAuditIsFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "admin_actions")
	plans.WantIndex(t, "admin_actions_questions", admin.NewestQuestions, 20)
	plans.WantIndex(t, "admin_actions_refused_at", admin.RefusedSince, time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC))
}
