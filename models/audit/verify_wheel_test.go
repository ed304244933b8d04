package audit_test

import (
	"database/sql"
	"fmt"
	"maps"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

const (
	wheelMatchesLedger = "a player's spins, streak and coins won follow from what was posted"
	spinsAreLimited    = "nobody ever held more spins than they may"
	spinsMatchLedger   = "every spin was posted as its state says"
	outcomesAreDrawn   = "every spin stopped where its seeds say, and was paid for that"
	seedsAreCounted    = "every seed made the spins it counts"
	loyaltyWasMerited  = "every loyalty bonus was earned by the ads of its day"
	loyaltyMatchesAds  = "a player's loyalty bonus is that of the newest day whose ads earned it"
)

func TestVerifyFindsInvalidSpins(t *testing.T) {
	const (
		points  = "(SELECT id FROM spins WHERE player_id = {player} AND state = 'doubled')"
		waiting = "(SELECT id FROM spins WHERE player_id = {player} AND state = 'pending')"
	)
	cases := map[string]finding{
		"more won":               {"UPDATE players SET wheel_won = wheel_won + 1 WHERE id = {player}", []string{wheelMatchesLedger}},
		"fewer spins that day":   {"UPDATE players SET wheel_spins_today = wheel_spins_today - 1 WHERE id = {player}", []string{wheelMatchesLedger}},
		"a longer streak":        {"UPDATE players SET wheel_streak = 7 WHERE id = {player}", []string{wheelMatchesLedger}},
		"spins not counted":      {"UPDATE players SET bag_spins = 1 WHERE id = {player}", []string{wheelMatchesLedger}},
		"another day":            {"UPDATE players SET wheel_looked_day = 1 WHERE id = {player}", []string{wheelMatchesLedger}},
		"too many spins given":   {"UPDATE postings SET amount = 21 WHERE player_id = {player} AND reference LIKE 'spins:%' AND line = 0", []string{receiptsMatch, balancesAreSums, spinsAreLimited}},
		"spins given by more":    {"UPDATE postings SET memo = '21' WHERE player_id = {player} AND reference LIKE 'spins:%'", []string{receiptsMatch}},
		"spins given by fewer":   {"UPDATE postings SET memo = '9' WHERE player_id = {player} AND reference LIKE 'spins:%'", []string{receiptsMatch}},
		"the usual spins told":   {"UPDATE postings SET memo = '10' WHERE player_id = {player} AND reference LIKE 'spins:%'", []string{receiptsMatch}},
		"a prize paid more":      {"UPDATE postings SET amount = 1000 WHERE player_id = {player} AND reference LIKE 'spin:%' AND asset = 'POINT'", []string{receiptsMatch, balancesAreSums}},
		"an ad paid more":        {"UPDATE postings SET amount = 1000 WHERE player_id = {player} AND reference LIKE 'spin2:%'", []string{receiptsMatch, balancesAreSums}},
		"an ad spin paid more":   {"UPDATE postings SET amount = 1000 WHERE player_id = {player} AND reference LIKE 'adspin:%' AND asset = 'POINT'", []string{receiptsMatch, balancesAreSums}},
		"another prize":          {"UPDATE postings SET memo = '1 7 -1 false' WHERE player_id = {player} AND reference = 'spin:' || " + points, []string{receiptsMatch, outcomesAreDrawn}},
		"golden at once":         {"UPDATE postings SET memo = '1 3 -1 true' WHERE player_id = {player} AND reference = 'roll:' || " + points, []string{receiptsMatch, wheelMatchesLedger, outcomesAreDrawn}},
		"a version never there":  {"UPDATE spins SET odds_version = 9 WHERE player_id = {player} AND id = " + waiting, []string{outcomesAreDrawn}},
		"stopped elsewhere":      {"UPDATE spins SET segment = 7 WHERE player_id = {player} AND id = " + waiting, []string{outcomesAreDrawn}},
		"claimed without pay":    {"UPDATE spins SET state = 'claimed', settled_at = spun_at WHERE player_id = {player} AND id = " + waiting, []string{spinsMatchLedger}},
		"doubled but not told":   {"UPDATE spins SET state = 'credited' WHERE player_id = {player} AND id = " + points, []string{spinsMatchLedger}},
		"a spin that is gone":    {"DELETE FROM spins WHERE player_id = {player} AND id = " + waiting, []string{spinsMatchLedger, seedsAreCounted}},
		"a nonce left out":       {"UPDATE wheel_seeds SET nonce = nonce + 1 WHERE player_id = {player} AND state = 'present'", []string{seedsAreCounted}},
		"no next seed":           {"DELETE FROM wheel_seeds WHERE player_id = {player} AND state = 'next'", []string{seedsAreCounted}},
		"an ad that did not pay": {"UPDATE ad_tickets SET paid = FALSE WHERE player_id = {player} AND purpose = 'roulette'", []string{ticketsMatchLedger}},
		"an ad spin without its ad": {"UPDATE ad_tickets SET paid = FALSE WHERE player_id = {player} AND purpose = 'spin' AND ticket = (" +
			"SELECT MIN(ticket) FROM ad_tickets WHERE player_id = {player} AND purpose = 'spin')", []string{ticketsMatchLedger, loyaltyWasMerited, loyaltyMatchesAds}},
		"loyal on another day":        {"UPDATE ad_tickets SET day = day + 1 WHERE player_id = {player} AND purpose = 'prediction'", []string{loyaltyWasMerited, loyaltyMatchesAds}},
		"loyal on no day":             {"UPDATE players SET loyalty_day = 0, loyalty_claimed = FALSE WHERE id = {player}", []string{loyaltyMatchesAds}},
		"loyal the day after":         {"UPDATE players SET loyalty_day = loyalty_day + 1, loyalty_claimed = FALSE WHERE id = {player}", []string{loyaltyMatchesAds}},
		"loyalty to be claimed again": {"UPDATE players SET loyalty_claimed = FALSE WHERE id = {player}", []string{loyaltyMatchesAds}},
		"loyalty paid more":           {"UPDATE postings SET amount = 1000 WHERE player_id = {player} AND reference LIKE 'loyal:%' AND asset = 'POINT'", []string{receiptsMatch, balancesAreSums}},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		var player models.Player
		for range 2 {
			player = modelstest.Loyal(t, store, "")
			at := modelstest.Noon.Add(time.Hour)
			modelstest.Must(store.Daily.ClaimLoyalty(t.Context(), modelstest.By(player), modelstest.Season, at))(t)
			spin, _ := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_200"), at)
			modelstest.DoubleSpin(t, store, player, spin, at)
			modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_100"), at)
		}
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		cases := maps.Clone(cases)
		cases["another seed"] = finding{"UPDATE wheel_seeds SET client_seed = '" + otherClientSeed(t, raw, player.ID) + "' WHERE player_id = {player} AND nonce > 0", []string{outcomesAreDrawn}}
		wantFound(t, store, raw, player.ID, cases)
	})
}

// otherClientSeed is a client seed with which a player's first spin would have stopped at another segment.
func otherClientSeed(t *testing.T, raw *sql.DB, id models.PlayerID) string {
	t.Helper()
	var seed []byte
	var segment int
	modelstest.NoError(t, raw.QueryRowContext(t.Context(), fmt.Sprintf(`SELECT seed, segment FROM spins JOIN wheel_seeds ON wheel_seeds.id = seed_id
		WHERE spins.player_id = %d AND spins.nonce = 0 ORDER BY spins.id LIMIT 1`, id)).Scan(&seed, &segment))
	for n := range 1000 {
		client := fmt.Sprint("the-servers-choice-", n)
		if game.CurrentOdds().Draw(game.Rolls(game.ServerSeed(seed), client, 0)).Segment != segment {
			return client
		}
	}
	t.Fatal("the wheel stops there whatever the seed")
	return ""
}
