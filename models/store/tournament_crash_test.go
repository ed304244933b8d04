package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// cutShort does something again and again, each time with a little longer before its context ends, until it has been done whole.
// What is open then is rolled back, as when a process is killed.
func cutShort(t *testing.T, store *store.Store, what string, do func(ctx context.Context) error) {
	t.Helper()
	cut := 0
	for after := time.Duration(0); ; after += max(300*time.Microsecond, after/50) {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		err := do(ctx)
		cancel()
		if err == nil {
			break
		}
		cut++
		if after > 5*time.Second {
			t.Fatalf("%s is never done: %v", what, err)
		}
		if cut%20 == 0 {
			modelstest.Sound(t, store)
		}
	}
	if cut == 0 {
		t.Errorf("%s was never cut short", what)
	}
	modelstest.Sound(t, store)
}

// Every step of a tournament is cut short at every place, by processes that go on with one another's work, and nobody is paid twice.
func TestATournamentCutShortAnywherePaysNothingTwice(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 24, func(i int) (int, []int) { return 490 - i, []int{0, 1, 2, 3, 4} })
		step := func(at time.Time) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				_, err := store.Mines.AdvanceTournaments(ctx, []int64{modelstest.Admin}, at)
				return err
			}
		}
		cutShort(t, store, "the start", step(r.Start))
		cutShort(t, store, "the end", step(r.End))
		modelstest.WantTournament(t, store, game.TournamentClosed)
		r.Record(t, r.End.Add(time.Second))
		cutShort(t, store, "the payment of ore", step(r.End.Add(time.Minute)))
		modelstest.Concurrently(8, func(int) {
			if err := step(r.End.Add(time.Minute))(t.Context()); err != nil {
				t.Error(err)
			}
		})
		status := modelstest.WantTournament(t, store, game.TournamentFinal)
		for i, p := range r.Players {
			if now, err := store.Players.Player(t.Context(), p.ID); err != nil || now.Balances.Game != game.MicroMCBK(490-i)*game.MCBK/4 || now.Balances.Mine != 0 {
				t.Errorf("player %d has %+v, %v", i, now.Balances, err)
			}
		}
		cutShort(t, store, "the award", func(ctx context.Context) error {
			nonce, err := store.Admin.RequestConfirmation(ctx, models.PendingAction{Admin: modelstest.Admin, Action: mines.ActionAward, Args: []string{fmt.Sprint(status.ID)}}, modelstest.Noon)
			if err != nil {
				return err
			}
			_, err = store.Admin.ConfirmAction(ctx, admin.Confirmation{Admin: modelstest.Admin, ChatID: modelstest.Admin, Nonce: nonce, Admins: []int64{modelstest.Admin}}, modelstest.Noon)
			return err
		})
		modelstest.Concurrently(8, func(int) {
			if err := step(r.End.Add(time.Hour))(t.Context()); err != nil {
				t.Error(err)
			}
		})
		for i, p := range r.Players {
			want := game.MicroMCBK(490-i)*game.MCBK/4 + game.PrizeAt(i+1).Coins
			if now, err := store.Players.Player(t.Context(), p.ID); err != nil || now.Balances.Game != want {
				t.Errorf("player %d has %+v, want %d, %v", i, now.Balances, want, err)
			}
		}
		if n := modelstest.CountMessages(t, store, "prize:"); n != len(r.Players) {
			t.Errorf("%d are told of their prizes", n)
		}
		if payables, err := store.Treasury.Payouts(t.Context(), 10); err != nil || len(payables) != 3 {
			t.Errorf("owed are %+v, %v", payables, err)
		}
		modelstest.Sound(t, store)
	})
}

// Of many who share a rank some get their prize with the award, the others from the job.
func TestManyWhoShareARankGetTheirPrizesInParts(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 103, func(int) (int, []int) { return 400, []int{0, 1, 2, 3, 4} })
		modelstest.AdvanceTournaments(t, store, r.End)
		r.Record(t, r.End.Add(time.Second))
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Minute))
		modelstest.Done(t, store, mines.ActionAward, "1")
		if status := modelstest.WantTournament(t, store, game.TournamentAwarded); status.Waiting != 3 {
			t.Errorf("%d wait", status.Waiting)
		}
		modelstest.Sound(t, store)
		modelstest.AdvanceTournaments(t, store, r.End.Add(2*time.Minute))
		if status := modelstest.WantTournament(t, store, game.TournamentAwarded); status.Waiting != 0 || status.Prizes.Winners != 103 ||
			status.Prizes.TON != 60*game.TON/103*103 || status.Prizes.Coins != 695_000*game.MCBK/103*103 {
			t.Errorf("awarded %+v", status)
		}
		modelstest.Sound(t, store)
	})
}

const (
	minesAreOpen  = "the mines of a player are open from the first on without a gap, each by an order that was paid"
	minersAreTold = "every miner's row is what the last batch says"
	minersArePaid = "every miner's ore and prize were paid as the row says"
	ranksAreTrue  = "every miner of an ended tournament has the rank and the prize that the ore of all makes"
)

func TestVerifyFindsWhatDidNotHappenInTheMines(t *testing.T) {
	only := func(invariants ...string) []string { return invariants }
	cases := map[string]struct {
		change string // of {player}, who has won the tournament
		broken []string
	}{
		"a level nobody paid":       {"UPDATE miners SET level = 3 WHERE player_id = {player}", only(minesAreOpen)},
		"a gap":                     {"UPDATE mine_levels SET level = 5 WHERE player_id = {player} AND level = 2", only(minesAreOpen)},
		"a level that is forgotten": {"DELETE FROM mine_levels WHERE player_id = {player} AND level = 2", only(minesAreOpen)},
		"an order that is not paid": {"UPDATE orders SET mine_level = 7 WHERE player_id = {player} AND mine_level = 2", only(minesAreOpen)},
		"more ore":                  {"UPDATE miners SET ore = ore + 250000 WHERE player_id = {player}", only(minesAreOpen, minersAreTold, minersArePaid)},
		"more taps":                 {"UPDATE miners SET taps = taps + 1 WHERE player_id = {player}", only(minersAreTold)},
		"energy given back":         {"UPDATE miners SET energy_spent = 0 WHERE player_id = {player}", only(minersAreTold)},
		"a batch with more ore":     {"UPDATE postings SET amount = amount + 250000 WHERE player_id = {player} AND reference = 'tap:batch-0-4'", only(receiptsAreTrue, balancesAreSums, minesAreOpen)},
		"a batch that is gone":      {"DELETE FROM postings WHERE player_id = {player} AND reference = 'tap:batch-0-1'", only(receiptsAreTrue, balancesAreSums, minesAreOpen, minersAreTold, nothingIsOwed)},
		"ore paid twice over":       {"UPDATE miners SET ore_coins = 2 * ore_coins WHERE player_id = {player}", only(minersArePaid)},
		"a prize never given":       {"DELETE FROM postings WHERE player_id = {player} AND reference LIKE 'prize:%'", only(balancesAreSums, minersArePaid)},
		"another prize":             {"UPDATE postings SET amount = amount + 1 WHERE player_id = {player} AND reference LIKE 'prize:%'", only(balancesAreSums, minersArePaid)},
		"a prize that nobody won": {`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at, mark)
			SELECT player_id, 'prize:999', line, source, destination, asset, amount, memo, posted_at, 0 FROM postings WHERE player_id = {player} AND reference = 'prize:1';
			UPDATE players SET balance_game = balance_game + (SELECT amount FROM postings WHERE player_id = {player} AND reference = 'prize:999') WHERE id = {player}`, only(minersArePaid)},
		"a mine for less": {`UPDATE payments SET amount = amount - 1 WHERE order_id IN (SELECT id FROM orders WHERE player_id = {player} AND mine_level = 2);
			UPDATE treasury_transactions SET amount = amount - 1 WHERE lt IN (SELECT p.lt FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.player_id = {player} AND o.mine_level = 2);
			UPDATE orders SET amount = amount - 1, paid = paid - 1 WHERE player_id = {player} AND mine_level = 2`, only(minesAreOpen)},
		"nothing owed":  {"DELETE FROM payables WHERE player_id = {player}", only(minersArePaid)},
		"another place": {"UPDATE miners SET place = 2 WHERE player_id = {player}", only(minersArePaid, ranksAreTrue)},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		r := modelstest.NewRush(t, store, 2, func(i int) (int, []int) { return []int{490, 420}[i], []int{0, 1, 2, 3, 4} })
		r.OpenMines(t, r.Players[0], r.Start.Add(6*24*time.Hour), 2)
		modelstest.AdvanceTournaments(t, store, r.End)
		r.Record(t, r.End.Add(time.Second))
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Minute))
		modelstest.Done(t, store, mines.ActionAward, "1")
		modelstest.Sound(t, store)
		unguarded(t, raw)
		restore := remembered(t, raw)
		winner := r.Players[0].ID
		for name, c := range cases {
			for statement := range strings.SplitSeq(c.change, ";") {
				modelstest.MustExec(t, raw, strings.ReplaceAll(statement, "{player}", fmt.Sprint(winner)))
			}
			want := naming(winner, c.broken)
			if _, ranked := want[ranksAreTrue]; ranked {
				want[ranksAreTrue] = []string{fmt.Sprintf("player %d in tournament 1", winner)}
			}
			if got := brokenPlayers(t, store); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: found %v,\nwant  %v", name, got, want)
			}
			restore()
		}
		for change, want := range map[string][]string{
			"UPDATE payables SET amount = amount + 1":                   {"payable 1 is a prize that nobody won", "payable 2 is a prize that nobody won"},
			"UPDATE miners SET prized_at = NULL":                        {"payable 1 is a prize that nobody won", "payable 2 is a prize that nobody won"},
			"UPDATE payments SET state = 'refundable'":                  {"payment 1 is sent back by nobody", "payment 2 is sent back by nobody", "payment 3 is sent back by nobody"},
			"UPDATE payables SET tournament_id = NULL, payment_id = id": {"payable 1 is not the payment that it sends back", "payable 2 is not the payment that it sends back"},
		} {
			modelstest.MustExec(t, raw, change)
			got := slices.DeleteFunc(found(t, store)[rowsAreDecided], func(row string) bool { return !slices.Contains(want, row) })
			if !slices.Equal(got, want) {
				t.Errorf("%s: found %q, want %q", change, got, want)
			}
			restore()
		}
	})
}
