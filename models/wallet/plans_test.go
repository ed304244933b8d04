package wallet_test

import (
	"strings"
	"testing"

	"mcbk/models/modelstest"
	"mcbk/models/wallet"
)

// The history reads a player's postings before a prize, which may be far from the newest.
func TestPostingsBeforePrizesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "postings", "payables")
	plan := plans.Postgres(t, "SELECT 1, CAST(1 AS BIGINT), '', CAST(1 AS BIGINT)"+wallet.SettledPrizes, 7)
	if !strings.Contains(plan, "postings_player_id_reference_line_key") {
		t.Error(plan)
	}
}
