package wallet_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/treasury"
	"mcbk/models/wallet"
)

// coinHistory are the rows of a player's list as text, read page by page.
func coinHistory(t *testing.T, store *store.Store, p models.Player, kinds ...ledger.CoinKind) (lines []string, sum game.MicroMCBK) {
	t.Helper()
	for {
		rows, more, err := store.Wallet.CoinRows(t.Context(), p.ID, models.Page{Limit: 2, Offset: len(lines)}, kinds...)
		if err != nil || more && len(rows) != 2 {
			t.Fatalf("%d rows, more %v: %v", len(rows), more, err)
		}
		for _, row := range rows {
			lines = append(lines, fmt.Sprintf("%s %d %s", row.Kind, row.Coins, row.At.Format("02 15:04")))
			sum += row.Coins
		}
		if !more {
			return lines, sum
		}
	}
}

func TestCoinHistoryGroupsByDayAndListsPurchases(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		inviter := modelstest.Player(t, store)
		ann := modelstest.Buyer(t, store, modelstest.InvitedBy(inviter))
		modelstest.Tap(t, store, ann, 5, "batch-0001", modelstest.Noon)
		modelstest.Tap(t, store, ann, 7, "batch-0002", modelstest.Noon.Add(time.Minute))
		modelstest.NoError(t, modelstest.ErrorOf(store.Daily.CheckIn(t.Context(), modelstest.By(ann), modelstest.Season, modelstest.Noon.Add(2*time.Minute))))
		for i := range 2 {
			order := modelstest.OrderCoins(t, store, ann, game.TON, modelstest.Noon.Add(time.Duration(3+i)*time.Minute))
			m.Pay(game.TON, order.Comment, modelstest.Noon.Add(time.Duration(3+i)*time.Minute))
			m.Record(t, modelstest.Noon.Add(time.Duration(3+i)*time.Minute))
		}
		modelstest.Tap(t, store, ann, 3, "batch-0003", modelstest.Noon.Add(5*time.Minute))
		midnight := modelstest.Noon.Add(12 * time.Hour)
		modelstest.Tap(t, store, ann, 2, "batch-0004", midnight.Add(-time.Second))
		modelstest.Tap(t, store, ann, 4, "batch-0005", midnight)

		all := []string{
			"tap 4000 05 00:00", "purchase 1250000000 04 12:04", "purchase 1250000000 04 12:03", "checkin 1000000 04 12:02", "tap 17000 04 12:00",
		}
		lines, sum := coinHistory(t, store, ann)
		modelstest.Equal(t, lines, all, "told")
		now := modelstest.Must(store.Players.Player(t.Context(), ann.ID))(t)
		modelstest.Equal(t, sum, now.Balances.Coins(), "coins told of")
		if lines, _ := coinHistory(t, store, ann, ledger.CoinsPurchase); !slices.Equal(lines, all[1:3]) {
			t.Errorf("purchases %q", lines)
		}
		if lines, _ := coinHistory(t, store, ann, ledger.CoinsReferral); len(lines) != 0 {
			t.Errorf("from friends %q", lines)
		}
		shares := []string{"referral 12500000 04 12:04", "referral 12500000 04 12:03"}
		if lines, _ := coinHistory(t, store, inviter, ledger.CoinsReferral); !slices.Equal(lines, shares) {
			t.Errorf("from friends %q, want %q", lines, shares)
		}
		if rows, more, err := store.Wallet.CoinRows(t.Context(), ann.ID, models.Page{Limit: 5, Offset: 5}); err != nil || more || len(rows) != 0 {
			t.Errorf("beyond the last: %v, %v, %v", rows, more, err)
		}
	})
}

// Once, and not before the chain shows it; one that came back is owed again.
func TestTONPrizeIsListedOnceSettled(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 1, func(int) (int, []int) { return 450, []int{0, 1, 2, 3, 4} })
		r.Finish(t)
		modelstest.Done(t, store, mines.ActionAward, "1")
		winner := r.Players[0]
		address := *winner.Wallet
		modelstest.ProveWallet(t, store, winner, address, modelstest.Noon)
		rows := func() (all []wallet.CoinRow) {
			t.Helper()
			for {
				page, more, err := store.Wallet.CoinRows(t.Context(), winner.ID, models.Page{Limit: 1, Offset: len(all)})
				modelstest.NoError(t, err)
				if all = append(all, page...); !more {
					return all
				}
			}
		}
		before := rows()
		modelstest.ApprovePayout(t, store, "1")
		modelstest.Equal(t, len(rows()), len(before), "an approved prize is told")
		settled := r.End.Add(time.Minute)
		modelstest.NoError(t, store.Orders.SavePrice(t.Context(), game.PriceReading{At: settled, Price: 2 * game.USD}))
		r.Send(settled, treasury.ChainTransfer{To: address, Amount: 30 * game.TON, Comment: "MCBK-1"})
		r.Record(t, settled)
		modelstest.Tap(t, store, winner, 1, "batch-later", settled.Add(time.Hour))
		now := rows()
		if len(now) != len(before)+2 || now[0].Kind != ledger.CoinsTap {
			t.Fatalf("told %+v, before %+v", now, before)
		}
		if prize := now[1]; prize.Kind != ledger.TONPrize || prize.Paid != 30*game.TON || prize.Coins != 0 || !prize.At.Equal(settled) || prize.Price != 2*game.USD || prize.ID >= 0 {
			t.Errorf("the prize is told as %+v", prize)
		}
		modelstest.Equal(t, fmt.Sprint(now[2:]), fmt.Sprint(before), "the others became", now[2:], before)
		if prizes, _, err := store.Wallet.CoinRows(t.Context(), winner.ID, models.Page{Limit: 5}, ledger.CoinsPurchase); err != nil || len(prizes) != 0 {
			t.Errorf("among the purchases: %+v, %v", prizes, err)
		}
	})
}

func TestHistoryListsAllCoinsFromTheHouse(t *testing.T) {
	givers := 0
	for _, house := range ledger.Chart {
		if !slices.Contains(house.Assets, models.AssetMCBK) {
			continue
		}
		if givers++; len(house.History) == 0 {
			t.Errorf("nobody is told of coins from %s: give it a history in the chart", house.Account)
		}
	}
	if givers < 5 {
		t.Errorf("only %d accounts give coins", givers)
	}
}
