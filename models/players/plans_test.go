package players_test

import (
	"strings"
	"testing"

	"mcbk/models/modelstest"
	"mcbk/models/players"
)

// Whoever has not played for long has only old postings, which are far from the newest.
func TestOldPostingsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plan := modelstest.NewPlans(t, "postings").Postgres(t, players.NewestPostings, 7, 5)
	if !strings.Contains(plan, "postings_player_id_reference_line_key") {
		t.Error(plan)
	}
}
