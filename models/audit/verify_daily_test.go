package audit_test

import (
	"database/sql"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

const (
	visitsMatchLedger   = "a player's days, streak and doubled reward follow from what was paid"
	checkInsAreKept     = "every check-in was paid once, and doubled only where it says so"
	rewardsAreSet       = "every changed reward of a check-in or advice was set by an admin"
	adviceIsPaid        = "every advice was paid as its state and points say"
	adsPayOnce          = "no two ads paid the same thing"
	streaksAreTold      = "every day's row tells the streak and the reward that were paid"
	adviceMatchesLedger = "a player's last advice is the newest that was paid"
	ticketsMatchLedger  = "every ad that paid has its entry, and every such entry its ad"
)

func TestVerifyFindsRewardWithoutRow(t *testing.T) {
	cases := map[string]finding{
		"more coins of the day":     {"UPDATE checkins SET coins = 6000000 WHERE player_id = {player}", []string{streaksAreTold, rewardsAreSet}},
		"other points of the day":   {"UPDATE checkins SET points = 8 WHERE player_id = {player}", []string{streaksAreTold, rewardsAreSet}},
		"the usual for the day":     {"UPDATE checkins SET coins = 0, points = 0 WHERE player_id = {player}", []string{streaksAreTold}},
		"more coins of the player":  {"UPDATE players SET visits_coins = 6000000 WHERE id = {player}", []string{visitsMatchLedger}},
		"the usual of the player":   {"UPDATE players SET visits_coins = 0, visits_points = 0 WHERE id = {player}", []string{visitsMatchLedger}},
		"pay of more":               {"UPDATE postings SET amount = 6000000 WHERE player_id = {player} AND reference LIKE 'checkin:%' AND line = 0", []string{receiptsMatch, balancesAreSums}},
		"a double of more":          {"UPDATE postings SET amount = 6000000 WHERE player_id = {player} AND reference LIKE 'checkin2:%' AND line = 0", []string{receiptsMatch, balancesAreSums}},
		"pay and receipt of more":   {"UPDATE postings SET amount = CASE line WHEN 0 THEN 6000000 ELSE amount END, memo = '1 6000000 7' WHERE player_id = {player} AND reference LIKE 'checkin:%'", []string{receiptsMatch, balancesAreSums, visitsMatchLedger, streaksAreTold}},
		"a receipt without reward":  {"UPDATE postings SET memo = '1' WHERE player_id = {player} AND reference LIKE 'checkin:%'", []string{receiptsMatch, visitsMatchLedger, streaksAreTold}},
		"a receipt of half of it":   {"UPDATE postings SET memo = '1 5000000' WHERE player_id = {player} AND reference LIKE 'checkin:%'", []string{receiptsMatch, visitsMatchLedger, streaksAreTold}},
		"a receipt of something on": {"UPDATE postings SET memo = '1 5000000 7 1' WHERE player_id = {player} AND reference LIKE 'checkin:%'", []string{receiptsMatch, streaksAreTold}},
		"other points of advice":    {"UPDATE predictions SET points = 31 WHERE player_id = {player}", []string{adviceIsPaid, rewardsAreSet}},
		"the usual for advice":      {"UPDATE predictions SET points = 0 WHERE player_id = {player}", []string{adviceIsPaid}},
		"advice paid as usual":      {"UPDATE postings SET amount = 25 WHERE player_id = {player} AND reference LIKE 'pred:%'", []string{receiptsMatch, balancesAreSums}},
		"advice told as usual":      {"UPDATE postings SET amount = 25, memo = '' WHERE player_id = {player} AND reference LIKE 'pred2:%'", []string{balancesAreSums, adviceIsPaid}},
		"advice's usual told":       {"UPDATE postings SET amount = 25, memo = '25' WHERE player_id = {player} AND reference LIKE 'pred2:%'", []string{receiptsMatch, balancesAreSums, adviceIsPaid}},
		"a double's receipt":        {"UPDATE postings SET memo = '1' WHERE player_id = {player} AND reference LIKE 'checkin2:%'", []string{receiptsMatch}},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.Done(t, store, settings.ActionChangeSetting, "checkin_coins", "5,1,1,2,2,2,3")
		modelstest.Done(t, store, settings.ActionChangeSetting, "checkin_points", "7,20,30,40,50,60,100")
		player := modelstest.Player(t, store, modelstest.Tapped(5))
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		modelstest.WatchAd(t, store, player, models.AdDaily, modelstest.Noon)
		modelstest.Done(t, store, settings.ActionChangeSetting, "advice_points", "30")
		modelstest.Advice(t, store, player, modelstest.Noon)
		modelstest.WatchAd(t, store, player, models.AdPrediction, modelstest.Noon)
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		wantFound(t, store, raw, player.ID, cases)
	})
}

func TestVerifyFindsUnpaidDay(t *testing.T) {
	cases := map[string]finding{
		"a shorter streak":          {"UPDATE players SET visits_streak = 0 WHERE id = {player}", []string{visitsMatchLedger}},
		"more days":                 {"UPDATE players SET visits_total = 3 WHERE id = {player}", []string{visitsMatchLedger}},
		"not doubled":               {"UPDATE players SET visits_doubled = FALSE WHERE id = {player}", []string{visitsMatchLedger}},
		"a day without pay":         {"INSERT INTO checkins SELECT player_id, day + 1, 1, checked_in_at, NULL, 0, 0 FROM checkins WHERE player_id = {player}", []string{checkInsAreKept}},
		"a double without its row":  {"UPDATE checkins SET doubled_at = NULL WHERE player_id = {player}", []string{checkInsAreKept}},
		"pay without its day":       {"DELETE FROM checkins WHERE player_id = {player}", []string{checkInsAreKept}},
		"pay for another streak":    {"UPDATE postings SET memo = '2' WHERE player_id = {player} AND reference LIKE 'checkin:%'", []string{receiptsMatch, streaksAreTold}},
		"pay twice":                 {"UPDATE postings SET amount = 2000000 WHERE player_id = {player} AND reference LIKE 'checkin:%' AND line = 0", []string{receiptsMatch, balancesAreSums}},
		"a double of another day":   {"UPDATE postings SET reference = 'checkin2:1' WHERE player_id = {player} AND reference LIKE 'checkin2:%'", []string{receiptsMatch, visitsMatchLedger, checkInsAreKept, ticketsMatchLedger}},
		"advice only claimed":       {"UPDATE predictions SET state = 'claimed' WHERE player_id = {player}", []string{adviceIsPaid}},
		"advice taken back":         {"UPDATE predictions SET state = 'offered' WHERE player_id = {player}", []string{adviceIsPaid, adviceMatchesLedger}},
		"advice paid more":          {"UPDATE postings SET amount = 26 WHERE player_id = {player} AND reference LIKE 'pred:%'", []string{receiptsMatch, balancesAreSums}},
		"another streak of a day":   {"UPDATE checkins SET streak = 9 WHERE player_id = {player}", []string{streaksAreTold}},
		"another day of advice":     {"UPDATE players SET advised_day = 0 WHERE id = {player}", []string{adviceMatchesLedger}},
		"tickets gone":              {"DELETE FROM ad_tickets WHERE player_id = {player}", []string{ticketsMatchLedger}},
		"tickets that did not pay":  {"UPDATE ad_tickets SET paid = FALSE WHERE player_id = {player}", []string{ticketsMatchLedger}},
		"a ticket for other advice": {"UPDATE ad_tickets SET target_id = target_id + 100 WHERE player_id = {player} AND purpose = 'prediction'", []string{ticketsMatchLedger}},
		"a second ticket that paid": {"UPDATE ad_tickets SET paid = TRUE WHERE player_id = {player}", []string{adsPayOnce}},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		other, player := modelstest.Player(t, store, modelstest.Tapped(3)), modelstest.Player(t, store, modelstest.Tapped(5))
		for _, p := range []models.Player{other, player} {
			modelstest.CheckIn(t, store, p, modelstest.Noon)
			first, second := modelstest.OpenAd(t, store, p, models.AdDaily, modelstest.Noon), modelstest.OpenAd(t, store, p, models.AdDaily, modelstest.Noon.Add(time.Second))
			modelstest.ConfirmAd(t, store, p, modelstest.Noon.Add(10*time.Second), first)
			modelstest.ConfirmAd(t, store, p, modelstest.Noon.Add(20*time.Second), second)
			modelstest.Advice(t, store, p, modelstest.Noon)
			modelstest.WatchAd(t, store, p, models.AdPrediction, modelstest.Noon)
			modelstest.Tap(t, store, p, 2, modelstest.Key(1), modelstest.Noon.Add(time.Minute))
		}
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		wantFound(t, store, raw, player.ID, cases)
	})
}
