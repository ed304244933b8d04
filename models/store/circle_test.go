package store_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/taps"
	"mcbk/models/treasury"
)

// Each of four players invited the next, so that whoever buys pays another as well. They buy in any
// order, while all of them tap and check in, an admin gives held money
// to one and a job pays all: nobody ever waits for somebody who waits for them.
func TestConcurrentPaymentsNeverDeadlock(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	raw := modelstest.Raw(t, address)
	before := modelstest.Deadlocks(t, raw)
	t.Run("they pay", func(t *testing.T) { // the store is closed after it, and has told its deadlocks
		st := modelstest.OpenStore(t, address)
		m := modelstest.NewMarket(t, st)
		players := []models.Player{modelstest.Buyer(t, st)}
		for range 3 {
			players = append(players, modelstest.Buyer(t, st, modelstest.InvitedBy(players[len(players)-1])))
		}
		now, round := modelstest.Noon, 0
		rapid.Check(t, func(rt *rapid.T) {
			now, round = now.Add(7*time.Minute), round+1
			m.SetPrice(t, 2_500_000, now)
			orders := make([]models.Order, len(players))
			for i, p := range players {
				orders[i] = modelstest.OrderCoins(t, st, p, game.TON, now)
			}
			for _, i := range rapid.Permutation([]int{0, 0, 1, 1, 2, 2, 3, 3}).Draw(rt, "who pays") {
				m.Pay(game.TON/2, orders[i].Comment, now)
			}
			m.Pay(game.TON, "somebody's, they say", now)
			m.Record(t, now.Add(time.Second))
			held, _, err := st.Treasury.HeldPayments(t.Context(), 1)
			if err != nil || len(held) != 1 {
				rt.Fatalf("held are %+v, %v", held, err)
			}
			for _, i := range rapid.Permutation([]int{0, 1, 2, 3}).Draw(rt, "who pays again") {
				m.Pay(game.TON/2, orders[i].Comment, now)
			}
			m.Pay(game.TON, "somebody's, they say", now)
			gifts := rapid.Permutation([]int{0, 1, 2, 3}).Draw(rt, "who is paid together")
			lucky := players[rapid.IntRange(0, 3).Draw(rt, "who is given it")]
			modelstest.Concurrently(2*len(players)+3, func(i int) {
				switch p := players[i%len(players)]; {
				case i < len(players):
					_, err := st.Taps.Tap(t.Context(), taps.Batch{TelegramID: p.TelegramID, Sent: 5, Key: modelstest.Key(round)}, modelstest.Season, now)
					if err != nil {
						t.Errorf("tap: %v", err)
					}
				case i < 2*len(players):
					if _, _, err := st.Daily.CheckIn(t.Context(), modelstest.By(p), modelstest.Season, now); err != nil {
						t.Errorf("check in: %v", err)
					}
				case i == 2*len(players):
					m.Record(t, now.Add(2*time.Second))
				case i == 2*len(players)+1:
					modelstest.Confirmed(t, st, models.PendingAction{
						Admin: modelstest.Admin, Action: treasury.ActionMatch, Args: []string{fmt.Sprint(held[0].ID), fmt.Sprint(lucky.ID)},
					}, now)
				default: // as a job pays many at once
					var all []modelstest.Entry
					for _, of := range gifts {
						all = append(all, modelstest.Entry{Player: players[of].ID, Reference: fmt.Sprint("test:", round), Moves: []ledger.Move{
							{From: modelstest.House, To: models.AccountGame, Asset: models.AssetMCBK, Amount: 1},
						}})
					}
					if _, err := modelstest.Post(t.Context(), st, all, now); err != nil {
						t.Errorf("pay many: %v", err)
					}
				}
			})
		})
	})
	if n := modelstest.Deadlocks(t, raw) - before; n > 0 {
		t.Errorf("%d times somebody waited in a circle", n)
	}
}
