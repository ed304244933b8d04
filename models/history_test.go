package models_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

// coinsTold are the rows of a player's list as text, read page by page.
func coinsTold(t *testing.T, store *models.Store, p models.Player, kinds ...models.CoinKind) (lines []string, sum game.MicroMCBK) {
	t.Helper()
	for {
		rows, more, err := store.CoinRows(t.Context(), p.ID, models.Page{Limit: 2, Offset: len(lines)}, kinds...)
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

func TestAPlayersCoinsAreToldByDayAndKindAndPurchasesOneByOne(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		m := sells(t, store)
		inviter := given.Player(t, store)
		ann := buyer(t, store, given.InvitedBy(inviter))
		tapped(t, store, ann, 5, "batch-0001", given.Noon)
		tapped(t, store, ann, 7, "batch-0002", given.Noon.Add(time.Minute))
		if _, _, err := store.CheckIn(t.Context(), ann.ID, given.Season, given.Noon.Add(2*time.Minute)); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			order := ordered(t, store, ann, game.TON, given.Noon.Add(time.Duration(3+i)*time.Minute))
			m.comes(game.TON, order.Comment, given.Noon.Add(time.Duration(3+i)*time.Minute))
			m.records(t, given.Noon.Add(time.Duration(3+i)*time.Minute))
		}
		tapped(t, store, ann, 3, "batch-0003", given.Noon.Add(5*time.Minute))
		midnight := given.Noon.Add(12 * time.Hour)
		tapped(t, store, ann, 2, "batch-0004", midnight.Add(-time.Second))
		tapped(t, store, ann, 4, "batch-0005", midnight)

		all := []string{
			"tap 4000 05 00:00", "purchase 1250000000 04 12:04", "purchase 1250000000 04 12:03", "checkin 1000000 04 12:02", "tap 17000 04 12:00",
		}
		lines, sum := coinsTold(t, store, ann)
		if !slices.Equal(lines, all) {
			t.Errorf("told %q,\nwant %q", lines, all)
		}
		now, err := store.Player(t.Context(), ann.ID)
		if err != nil || sum != now.Balances.Coins() {
			t.Errorf("told of %d coins, the balances are %d: %v", sum, now.Balances.Coins(), err)
		}
		if lines, _ := coinsTold(t, store, ann, models.CoinsPurchase); !slices.Equal(lines, all[1:3]) {
			t.Errorf("purchases %q", lines)
		}
		if lines, _ := coinsTold(t, store, ann, models.CoinsReferral); len(lines) != 0 {
			t.Errorf("from friends %q", lines)
		}
		shares := []string{"referral 12500000 04 12:04", "referral 12500000 04 12:03"}
		if lines, _ := coinsTold(t, store, inviter, models.CoinsReferral); !slices.Equal(lines, shares) {
			t.Errorf("from friends %q, want %q", lines, shares)
		}
		if rows, more, err := store.CoinRows(t.Context(), ann.ID, models.Page{Limit: 5, Offset: 5}); err != nil || more || len(rows) != 0 {
			t.Errorf("beyond the last: %v, %v, %v", rows, more, err)
		}
	})
}

// Once, and not before the chain shows it; one that came back is owed again.
func TestAPrizeInTONIsToldOnceItIsSettled(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		r := aRush(t, store, 1, func(int) (int, []int) { return 450, []int{0, 1, 2, 3, 4} })
		advances(t, store, r.End)
		r.records(t, r.End.Add(time.Second))
		advances(t, store, r.End.Add(time.Second))
		given.Done(t, store, models.ActionAward, "1")
		winner := r.players[0]
		address := *winner.Wallet
		proves(t, store, winner, address, given.Noon)
		rows := func() (all []models.CoinRow) {
			t.Helper()
			for {
				page, more, err := store.CoinRows(t.Context(), winner.ID, models.Page{Limit: 1, Offset: len(all)})
				if err != nil {
					t.Fatal(err)
				}
				if all = append(all, page...); !more {
					return all
				}
			}
		}
		before := rows()
		approves(t, store, "1")
		if now := rows(); len(now) != len(before) {
			t.Errorf("an approved prize is told: %+v", now)
		}
		settled := r.End.Add(time.Minute)
		if err := store.KeepPrice(t.Context(), game.PriceReading{At: settled, Price: 2 * game.USD}); err != nil {
			t.Fatal(err)
		}
		r.sends(settled, models.ChainTransfer{To: address, Amount: 30 * game.TON, Comment: "MCBK-1"})
		r.records(t, settled)
		tapped(t, store, winner, 1, "batch-later", settled.Add(time.Hour))
		now := rows()
		if len(now) != len(before)+2 || now[0].Kind != models.CoinsTap {
			t.Fatalf("told %+v, before %+v", now, before)
		}
		if prize := now[1]; prize.Kind != models.TONPrize || prize.Paid != 30*game.TON || prize.Coins != 0 || !prize.At.Equal(settled) || prize.Price != 2*game.USD || prize.ID >= 0 {
			t.Errorf("the prize is told as %+v", prize)
		}
		if fmt.Sprint(now[2:]) != fmt.Sprint(before) {
			t.Errorf("the others became %+v, were %+v", now[2:], before)
		}
		if prizes, _, err := store.CoinRows(t.Context(), winner.ID, models.Page{Limit: 5}, models.CoinsPurchase); err != nil || len(prizes) != 0 {
			t.Errorf("among the purchases: %+v, %v", prizes, err)
		}
	})
}

func TestPlayersAreToldOfAllCoinsThatTheHouseGives(t *testing.T) {
	givers, told := models.CoinMoves()
	for _, giver := range givers {
		if len(told[giver]) == 0 {
			t.Errorf("nobody is told of coins from %s: give it a history in the chart", giver)
		}
	}
	if len(givers) < 5 {
		t.Errorf("only %v give coins", givers)
	}
}
