package players_test

import (
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/players"
)

// Whoever has not played for long has only old postings, which are far from the newest.
func TestOldPostingsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "postings")
	for _, plan := range []string{
		plans.Postgres(t, players.NewestPostings, 7, 5), plans.Postgres(t, ledger.TapReceipts, 7, models.HouseTaps),
	} {
		if !strings.Contains(plan, "postings_player_id_reference_line_key") {
			t.Error(plan)
		}
	}
}
