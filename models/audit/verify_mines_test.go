package audit_test

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

const (
	minesAreOpen      = "the mines of a player are open from the first on without a gap, each by an order that was paid"
	minersMatchLedger = "every miner's row is what the last batch says"
	minersArePaid     = "every miner's ore and prize were paid as the row says"
	ranksAreTrue      = "every miner of an ended tournament has the rank and the prize that the ore of all makes"
)

func TestVerifyFindsInvalidMines(t *testing.T) {
	only := func(invariants ...string) []string { return invariants }
	cases := map[string]finding{ // of {player}, who has won the tournament
		"a level nobody paid":       {"UPDATE miners SET level = 3 WHERE player_id = {player}", only(minesAreOpen)},
		"a gap":                     {"UPDATE mine_levels SET level = 5 WHERE player_id = {player} AND level = 2", only(minesAreOpen)},
		"a level that is forgotten": {"DELETE FROM mine_levels WHERE player_id = {player} AND level = 2", only(minesAreOpen)},
		"an order that is not paid": {"UPDATE orders SET mine_level = 7 WHERE player_id = {player} AND mine_level = 2", only(minesAreOpen)},
		"more ore":                  {"UPDATE miners SET ore = ore + 250000 WHERE player_id = {player}", only(minesAreOpen, minersMatchLedger, minersArePaid)},
		"more taps":                 {"UPDATE miners SET taps = taps + 1 WHERE player_id = {player}", only(minersMatchLedger)},
		"energy given back":         {"UPDATE miners SET energy_spent = 0 WHERE player_id = {player}", only(minersMatchLedger)},
		"a batch with more ore":     {"UPDATE postings SET amount = amount + 250000 WHERE player_id = {player} AND reference = 'tap:batch-0-4'", only(receiptsMatch, balancesAreSums, minesAreOpen)},
		"a batch that is gone":      {"DELETE FROM postings WHERE player_id = {player} AND reference = 'tap:batch-0-1'", only(receiptsMatch, balancesAreSums, minesAreOpen, minersMatchLedger, nothingIsNegative)},
		"ore paid twice over":       {"UPDATE miners SET ore_coins = 2 * ore_coins WHERE player_id = {player}", only(minersArePaid)},
		"a prize never given":       {"DELETE FROM postings WHERE player_id = {player} AND reference LIKE 'prize:%'", only(balancesAreSums, minersArePaid)},
		"another prize":             {"UPDATE postings SET amount = amount + 1 WHERE player_id = {player} AND reference LIKE 'prize:%'", only(balancesAreSums, minersArePaid)},
		"a prize that nobody won": {`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at, mark)
			SELECT player_id, 'prize:999', line, source, destination, asset, amount, memo, posted_at, 0 FROM postings WHERE player_id = {player} AND reference = 'prize:1';
			UPDATE players SET balance_game = balance_game + (SELECT amount FROM postings WHERE player_id = {player} AND reference = 'prize:999') WHERE id = {player}`, only(minersArePaid)},
		"a mine for less": {`UPDATE payments SET amount = amount - 1 WHERE order_id IN (SELECT id FROM orders WHERE player_id = {player} AND mine_level = 2);
			UPDATE treasury_transactions SET amount = amount - 1 WHERE lt IN (SELECT p.lt FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.player_id = {player} AND o.mine_level = 2);
			UPDATE orders SET amount = amount - 1, paid = paid - 1 WHERE player_id = {player} AND mine_level = 2`, only(minesAreOpen)},
		"nothing owed": {"DELETE FROM payables WHERE player_id = {player}", only(minersArePaid)},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		r := modelstest.NewRush(t, store, 2, func(i int) (int, []int) { return []int{490, 420}[i], []int{0, 1, 2, 3, 4} })
		r.OpenMines(t, r.Players[0], r.Start.Add(6*24*time.Hour), 2)
		r.Finish(t)
		modelstest.Done(t, store, mines.ActionAward, "1")
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		winner := r.Players[0].ID
		cases := maps.Clone(cases)
		cases["another place"] = finding{"UPDATE miners SET place = 2 WHERE player_id = {player}", only(minersArePaid, of(ranksAreTrue, fmt.Sprintf("player %d in tournament 1", winner)))}
		restore := wantFound(t, store, raw, winner, cases)
		for change, want := range map[string][]string{
			"UPDATE payables SET amount = amount + 1":                   {"payable 1 is a prize that nobody won", "payable 2 is a prize that nobody won"},
			"UPDATE miners SET prized_at = NULL":                        {"payable 1 is a prize that nobody won", "payable 2 is a prize that nobody won"},
			"UPDATE payments SET state = 'refundable'":                  {"payment 1 is sent back by nobody", "payment 2 is sent back by nobody", "payment 3 is sent back by nobody"},
			"UPDATE payables SET tournament_id = NULL, payment_id = id": {"payable 1 is not the payment that it sends back", "payable 2 is not the payment that it sends back"},
		} {
			modelstest.MustExec(t, raw, change)
			got := slices.DeleteFunc(findBroken(t, store)[rowsAreDecided], func(row string) bool { return !slices.Contains(want, row) })
			modelstest.Equal(t, got, want, change)
			restore()
		}
	})
}

func TestLeastPrizeIsFixedWhenTournamentCloses(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		r := modelstest.NewRush(t, store, 3, func(i int) (int, []int) { return []int{500, 390, 190}[i], []int{0, 1, 2, 3, 4, 5, 6} })
		needs := func() game.MicroMCBK {
			mines := modelstest.Must(store.Mines.Mines(t.Context(), r.Players[0].ID, r.End.Add(-time.Second)))(t)
			return mines.PrizeNeeds(store.Settings.RuntimeSettings(t.Context(), r.End).LeastPrizeOre())
		}
		modelstest.AdvanceTournaments(t, store, r.Start)
		usual := needs()
		modelstest.Done(t, store, settings.ActionChangeSetting, "least_prize_ore", "50")
		if usual != game.LeastPrizeOre || needs() != 50*game.MCBK {
			t.Errorf("while it runs a prize needs %d, then %d", usual, needs())
		}
		modelstest.AdvanceTournaments(t, store, r.End)
		modelstest.Done(t, store, settings.ActionChangeSetting, "least_prize_ore", "1000")
		r.Record(t, r.End.Add(time.Second))
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Minute))
		if status := modelstest.WantTournament(t, store, game.TournamentFinal); status.Prizes.Winners != 2 || needs() != 50*game.MCBK {
			t.Errorf("it ended with %+v, a prize needed %d", status, needs())
		}
		modelstest.Sound(t, store)
		modelstest.Done(t, store, mines.ActionAward, "1")
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Hour))
		modelstest.Done(t, store, settings.ActionChangeSetting, "least_prize_ore", "1")
		modelstest.Sound(t, store)
		dropFixed(t, raw)
		modelstest.MustExec(t, raw, "UPDATE tournaments SET least_prize_ore = 97500001")
		breaks := fmt.Sprintf("player %d in tournament 1", r.Players[1].ID)
		modelstest.Equal(t, findBroken(t, store)[ranksAreTrue], []string{breaks}, "another least prize is told by")
		modelstest.MustExec(t, raw, "UPDATE tournaments SET least_prize_ore = NULL") // as a program closed it that knew only the usual
		modelstest.Equal(t, findBroken(t, store)[ranksAreTrue], []string{breaks}, "the usual one is told by")
	})
}
