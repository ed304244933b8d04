package daily_test

import (
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/daily"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestLoyaltyBonusIsPaidOncePerDay(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Loyal(t, store, "")
		at := modelstest.Noon.Add(time.Hour)
		if got, err := store.Daily.Loyalty(t.Context(), player.ID, at); err != nil || got != (daily.Loyalty{Eligible: true}) {
			t.Errorf("before: %+v, %v", got, err)
		}
		if paid := modelstest.FiftyAtOnce(t, game.AlreadyClaimed, func() error {
			_, err := store.Daily.ClaimLoyalty(t.Context(), player.ID, modelstest.Season, at)
			return err
		}); paid != 1 {
			t.Errorf("paid %d times", paid)
		}
		after, err := store.Players.Player(t.Context(), player.ID)
		if reward, _ := modelstest.Gained(player, after); err != nil || reward != (game.Reward{Coins: 3e6, Points: 150}) {
			t.Errorf("paid %+v, %v", reward, err)
		}
		if got, err := store.Daily.Loyalty(t.Context(), player.ID, at); err != nil || got != (daily.Loyalty{Eligible: true, Claimed: true}) {
			t.Errorf("afterwards: %+v, %v", got, err)
		}
		midnight := modelstest.Season.Start.Add(24 * time.Hour)
		if got, err := store.Daily.Loyalty(t.Context(), player.ID, midnight.Add(-time.Millisecond)); err != nil || !got.Claimed {
			t.Errorf("at the day's end: %+v, %v", got, err)
		}
		if got, err := store.Daily.Loyalty(t.Context(), player.ID, midnight.Add(time.Millisecond)); err != nil || got != (daily.Loyalty{}) {
			t.Errorf("the next day: %+v, %v", got, err)
		}
		_, err = store.Daily.ClaimLoyalty(t.Context(), player.ID, modelstest.Season, midnight.Add(time.Millisecond))
		modelstest.WantRefusal(t, "the next day", err, game.NotCompleted)
		modelstest.Sound(t, store)
	})
}

func TestLoyaltyBonusNeedsAllThreeAds(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, but := range []models.AdPurpose{models.AdDaily, models.AdPrediction, models.AdSpin} {
			player := modelstest.Loyal(t, store, but)
			_, err := store.Daily.ClaimLoyalty(t.Context(), player.ID, modelstest.Season, modelstest.Noon.Add(time.Hour))
			modelstest.WantRefusal(t, "without "+string(but), err, game.NotCompleted)
			if got, err := store.Daily.Loyalty(t.Context(), player.ID, modelstest.Noon.Add(time.Hour)); err != nil || got.Eligible {
				t.Errorf("without %s: %+v, %v", but, got, err)
			}
		}
		modelstest.Sound(t, store)
	})
}
