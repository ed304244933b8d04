package models_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

// found are the players named by each broken invariant.
func found(t *testing.T, store *models.Store) map[string][]models.PlayerID {
	t.Helper()
	findings, err := store.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]models.PlayerID{}
	for _, f := range findings {
		all[f.Invariant] = f.Players
	}
	return all
}

const (
	balancesAreSums = "every balance equals the sum of its postings"
	energyIsLimited = "no energy is spent beyond the day's"
	assetsFit       = "every posting moves the asset of its accounts"
)

func TestAnEmptyAndAnHonestDatabaseAreSound(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		given.Sound(t, store)
		given.Player(t, store)
		given.Player(t, store, given.Tapped(20))
		given.Player(t, store, given.Unconsented())
		given.Sound(t, store)
	})
}

func TestVerifyFindsABalanceChangedByHand(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		given.Player(t, store, given.Tapped(20))
		robbed := given.Player(t, store, given.Tapped(20))
		for _, account := range []models.Account{
			models.AccountGame, models.AccountReferral, models.AccountPurchased, models.AccountGamePoints,
			models.AccountReferralPoints, models.AccountMine, models.AccountSpins, models.AccountAdSpins,
		} {
			change := "UPDATE players SET balance_%[1]s = balance_%[1]s %[2]s 1 WHERE id = %[3]d"
			do(t, raw, fmt.Sprintf(change, account, "+", robbed.ID))
			if got := found(t, store); len(got) != 1 || !slices.Equal(got[balancesAreSums], []models.PlayerID{robbed.ID}) {
				t.Errorf("%s: found %v, want player %d", account, got, robbed.ID)
			}
			do(t, raw, fmt.Sprintf(change, account, "-", robbed.ID))
			given.Sound(t, store)
		}
	})
}

// Two accounts that are wrong by the same amount do not cancel out, nor do two players.
func TestVerifyFindsCoinsMovedByHand(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		from, to := given.Player(t, store, given.Tapped(20)), given.Player(t, store, given.Tapped(20))
		do(t, raw, fmt.Sprintf("UPDATE players SET balance_game = balance_game - 1, balance_referral = 1 WHERE id = %d", from.ID))
		if got := found(t, store); !slices.Contains(got[balancesAreSums], from.ID) {
			t.Errorf("between accounts: found %v", got)
		}
		do(t, raw, fmt.Sprintf("UPDATE players SET balance_referral = 0 WHERE id = %d", from.ID))
		do(t, raw, fmt.Sprintf("UPDATE players SET balance_game = balance_game + 1 WHERE id = %d", to.ID))
		if got := found(t, store); !slices.Equal(got[balancesAreSums], []models.PlayerID{from.ID, to.ID}) {
			t.Errorf("between players: found %v", got)
		}
	})
}

func TestVerifyFindsAPostingChangedBehindTheTrigger(t *testing.T) {
	for name, change := range map[string]string{
		"amount":  "UPDATE postings SET amount = amount + 1 WHERE player_id = %d",
		"account": "UPDATE postings SET destination = 'referral' WHERE player_id = %d",
		"source":  "UPDATE postings SET source = 'spins' WHERE player_id = %d",
		"gone":    "DELETE FROM postings WHERE player_id = %d",
	} {
		t.Run(name, func(t *testing.T) {
			eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
				given.Player(t, store, given.Tapped(20))
				player := given.Player(t, store, given.Tapped(20))
				if isPostgres(t) {
					do(t, raw, "DROP TRIGGER postings_no_change ON postings")
				} else {
					do(t, raw, "DROP TRIGGER postings_no_update")
					do(t, raw, "DROP TRIGGER postings_no_delete")
				}
				given.Sound(t, store)
				do(t, raw, fmt.Sprintf(change, player.ID))
				if got := found(t, store); !slices.Contains(got[balancesAreSums], player.ID) {
					t.Errorf("found %v, want player %d", got, player.ID)
				}
			})
		})
	}
}

func TestVerifyFindsPointsAmongTheCoins(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		player := given.Player(t, store)
		do(t, raw, fmt.Sprintf(`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
			VALUES (%d, 'odd', 0, 'house:taps', 'game', 'POINT', 0, '', '2026-03-04 12:00:00+00:00')`, player.ID))
		if got := found(t, store); !slices.Equal(got[assetsFit], []models.PlayerID{player.ID}) {
			t.Errorf("found %v", got)
		}
	})
}

func TestVerifyFindsEnergySpentBeyondTheDays(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		player := given.Player(t, store)
		for _, level := range game.EnergyLevels {
			do(t, raw, fmt.Sprintf("UPDATE players SET bag_spins = %d, bag_energy_spent = %d", level.Spins, level.Energy))
			given.Sound(t, store)
		}
		do(t, raw, "UPDATE players SET bag_spins = 319, bag_energy_spent = 1001")
		if got := found(t, store); !slices.Equal(got[energyIsLimited], []models.PlayerID{player.ID}) {
			t.Errorf("found %v, want player %d", got, player.ID)
		}
	})
}

func TestVerifyNamesTheFirstTwenty(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		var first []models.PlayerID
		for range 21 {
			first = append(first, given.Player(t, store, given.Unconsented()).ID)
		}
		do(t, raw, "UPDATE players SET balance_game = 1")
		if got := found(t, store); !slices.Equal(got[balancesAreSums], first[:20]) {
			t.Errorf("found %v, want %v", got, first[:20])
		}
	})
}
