package daily_test

import (
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestLoyaltyBonusIsPaidOncePerDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Loyal(t, store, "")
		at := modelstest.Noon.Add(time.Hour)
		wantLoyalty(t, store, player.ID, game.Loyalty{Day: game.DayOf(at)})
		if paid := modelstest.FiftyAtOnce(t, game.AlreadyClaimed, func() error {
			return modelstest.ErrorOf(store.Daily.ClaimLoyalty(t.Context(), modelstest.By(player), modelstest.Season, at))
		}); paid != 1 {
			t.Errorf("paid %d times", paid)
		}
		modelstest.WantGained(t, player, modelstest.Must(store.Players.Player(t.Context(), player.ID))(t), game.Reward{Coins: 3e6, Points: 150})
		wantLoyalty(t, store, player.ID, game.Loyalty{Day: game.DayOf(at), Claimed: true})
		midnight := modelstest.Season.Start.Add(24 * time.Hour)
		modelstest.Refuses(store.Daily.ClaimLoyalty(t.Context(), modelstest.By(player), modelstest.Season, midnight.Add(-time.Millisecond)))(t, game.AlreadyClaimed, "at the day's end")
		modelstest.Refuses(store.Daily.ClaimLoyalty(t.Context(), modelstest.By(player), modelstest.Season, midnight.Add(time.Millisecond)))(t, game.NotCompleted, "the next day")
	})
}

func TestLoyaltyBonusNeedsAllThreeAds(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		for _, but := range []models.AdPurpose{models.AdDaily, models.AdPrediction, models.AdSpin} {
			player := modelstest.Loyal(t, store, but)
			modelstest.Refuses(store.Daily.ClaimLoyalty(t.Context(), modelstest.By(player), modelstest.Season, modelstest.Noon.Add(time.Hour)))(t, game.NotCompleted, "without "+string(but))
			wantLoyalty(t, store, player.ID, game.Loyalty{})
		}
	})
}

// The last ad of the day before is confirmed when the new day's bonus is earned already, or not yet.
func TestAdSettledAfterMidnightCountsForItsDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		for _, nextDay := range []bool{false, true} {
			player := modelstest.Loyal(t, store, models.AdDaily)
			modelstest.CheckIn(t, store, player, modelstest.Noon)
			midnight := modelstest.Season.Start.Add(24 * time.Hour)
			ticket := modelstest.OpenAd(t, store, player, models.AdDaily, midnight.Add(-time.Minute))
			want := game.Loyalty{Day: ticket.Day}
			if nextDay {
				for player.Balances.Spins > 0 { // or there is no room for more
					_, player, _ = modelstest.SpinOnce(t.Context(), store, player, false, modelstest.Noon.Add(time.Hour))
				}
				modelstest.EarnLoyalty(t, store, player, midnight, "")
				want.Day++
			}
			modelstest.ConfirmAd(t, store, player, midnight.Add(40*time.Minute), ticket)
			wantLoyalty(t, store, player.ID, want)
			if nextDay {
				modelstest.Must(store.Daily.ClaimLoyalty(t.Context(), modelstest.By(player), modelstest.Season, midnight.Add(time.Hour)))(t)
			}
		}
	})
}

func wantLoyalty(t *testing.T, store *store.Store, id models.PlayerID, want game.Loyalty) {
	t.Helper()
	modelstest.Equal(t, modelstest.Must(store.Players.Player(t.Context(), id))(t).Loyalty, want, "earned")
}
