package ledger_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// Whatever entries are posted at once, what somebody has came from somewhere: over the players'
// rows and the house every asset adds up to zero, nobody is below zero, and a transaction with
// an entry that was refused left nothing.
func TestAnyInterleavingKeepsAssetsBalancedAndNonNegative(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, st *store.Store) {
		round := 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			players := []models.PlayerID{modelstest.Player(t, st).ID, modelstest.Player(t, st).ID, modelstest.Player(t, st).ID}
			transaction := rapid.SliceOfN(entryGenerator(players), 1, 3)
			clients := rapid.SliceOfN(rapid.SliceOfN(transaction, 1, 5), 2, 5).Draw(rt, "clients")
			errs := make([][]error, len(clients))
			modelstest.Concurrently(len(clients), func(client int) {
				for i, entries := range clients[client] {
					for j := range entries {
						entries[j].Reference = fmt.Sprintf("test:%d-%d-%d-%d", round, client, i, j)
					}
					_, err := modelstest.Post(t.Context(), st, entries, modelstest.Noon)
					errs[client] = append(errs[client], err)
				}
			})

			var want []string
			for client, transactions := range clients {
				for i, entries := range transactions {
					switch err := errs[client][i]; {
					case err == nil:
						for _, e := range entries {
							want = append(want, e.Reference)
						}
					case strings.Contains(err.Error(), "asked"): // more than the account holds
					case strings.Contains(err.Error(), "players_spins_limit"): // more than it may hold
					default:
						rt.Fatalf("%+v: %v", entries, err)
					}
				}
			}
			stayed := map[string]bool{}
			sums := map[models.Asset]int64{}
			for _, id := range players {
				player, err := st.Players.Player(t.Context(), id)
				if err != nil {
					rt.Fatal(err)
				}
				for account, amount := range player.Balances.Amounts() {
					if sums[models.AssetOf[account]] += *amount; *amount < 0 {
						rt.Errorf("player %d: account %s holds %d", id, account, *amount)
					}
				}
				postings, err := st.Ledger.Postings(t.Context(), id)
				if err != nil {
					rt.Fatal(err)
				}
				for _, p := range postings {
					stayed[p.Reference] = true
					switch modelstest.House {
					case p.Source:
						sums[p.Asset] -= p.Amount
					case p.Destination:
						sums[p.Asset] += p.Amount
					}
				}
			}
			slices.Sort(want)
			if got := slices.Sorted(maps.Keys(stayed)); !slices.Equal(got, want) {
				rt.Errorf("%v stayed, %v were confirmed", got, want)
			}
			for asset, sum := range sums {
				if sum != 0 {
					rt.Errorf("%s adds up to %d", asset, sum)
				}
			}
			report, err := st.Audit.Verify(t.Context(), modelstest.Season, modelstest.Noon)
			if err != nil {
				rt.Fatal(err)
			}
			for _, v := range report.Broken() {
				if strings.Contains(v.Invariant, "balance") { // the entries themselves are of no kind the game has
					rt.Errorf("not true that %s: %v", v.Invariant, v.Broken)
				}
			}
		})
	})
}

// entryGenerator moves something in or out, or between two accounts of a player; it may ask for more
// than there is.
func entryGenerator(players []models.PlayerID) *rapid.Generator[modelstest.Entry] {
	accounts := slices.Sorted(maps.Keys(models.AssetOf))
	return rapid.Custom(func(rt *rapid.T) modelstest.Entry {
		e := modelstest.Entry{Player: rapid.SampledFrom(players).Draw(rt, "player")}
		for range rapid.IntRange(1, 3).Draw(rt, "moves") {
			account := rapid.SampledFrom(accounts).Draw(rt, "account")
			other := modelstest.House
			if same := alike(account, accounts); len(same) > 0 && rapid.Bool().Draw(rt, "between accounts") {
				other = rapid.SampledFrom(same).Draw(rt, "other account")
			}
			m := ledger.Move{From: other, To: account, Asset: models.AssetOf[account], Amount: rapid.Int64Range(0, 30).Draw(rt, "amount")}
			if rapid.IntRange(0, 2).Draw(rt, "out") == 0 {
				m.From, m.To = m.To, m.From
			}
			e.Moves = append(e.Moves, m)
		}
		return e
	})
}

// alike are the other accounts that hold the same asset.
func alike(account models.Account, accounts []models.Account) (same []models.Account) {
	for _, other := range accounts {
		if other != account && models.AssetOf[other] == models.AssetOf[account] {
			same = append(same, other)
		}
	}
	return same
}
