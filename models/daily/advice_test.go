package daily_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

func points(t *testing.T, store *store.Store, player models.Player) int64 {
	t.Helper()
	now := modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
	return now.Balances.GamePoints
}

func TestRepeatedRequestReturnsSameAdvice(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		first := modelstest.Advice(t, store, player, modelstest.Noon)
		if again := modelstest.Advice(t, store, player, modelstest.Noon.Add(time.Hour)); again.ID != first.ID || again.TextNumber != first.TextNumber {
			t.Errorf("first %+v, then %+v", first, again)
		}
		if next := modelstest.Advice(t, store, player, modelstest.Noon.Add(24*time.Hour)); next.ID == first.ID {
			t.Errorf("the next day's advice is the same: %+v", next)
		}
		numbers := map[int]bool{}
		for range 40 {
			numbers[modelstest.Advice(t, store, modelstest.Player(t, store), modelstest.Noon).TextNumber] = true
		}
		for number := range numbers {
			if number < 0 || number >= modelstest.AdviceTexts {
				t.Errorf("there is no text %d", number)
			}
		}
		if len(numbers) < 10 { // one in 10^20 by chance
			t.Errorf("forty players got %d texts", len(numbers))
		}
	})
}

func TestAdviceIsNotRepeatedSoon(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		var told []int
		for i := range modelstest.AdviceTexts {
			number := modelstest.Advice(t, store, player, modelstest.Noon.Add(time.Duration(i)*24*time.Hour)).TextNumber
			if lately := told[max(len(told)-modelstest.AdviceTexts/2, 0):]; slices.Contains(lately, number) {
				t.Errorf("on day %d text %d again, after %v", i, number, lately)
			}
			told = append(told, number)
		}
		few := modelstest.Player(t, store)
		for i := range 3 { // there is always one
			modelstest.Must(store.Daily.Advice(t.Context(), modelstest.By(few), 1, modelstest.Season, modelstest.Noon.Add(time.Duration(i)*24*time.Hour)))(t)
		}
	})
}

func TestAdviceIsClaimedOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player, other := modelstest.Player(t, store), modelstest.Player(t, store)
		advice := modelstest.Advice(t, store, player, modelstest.Noon)
		modelstest.WantError(t, modelstest.ClaimAdvice(t, store, other, advice.ID, modelstest.Noon), db.ErrNotFound, "another's advice")
		modelstest.NoError(t, modelstest.ClaimAdvice(t, store, player, advice.ID, modelstest.Noon))
		modelstest.WantRefusal(t, modelstest.ClaimAdvice(t, store, player, advice.ID, modelstest.Noon), game.AlreadyClaimed, "a second claim")
		modelstest.Refuses(store.Daily.Advice(t.Context(), modelstest.By(player), modelstest.AdviceTexts, modelstest.Season, modelstest.Noon))(t, game.AlreadyClaimed, "asking after the claim")
		modelstest.Refuses(store.Daily.DoubledAdvice(t.Context(), player.ID, advice.ID, modelstest.Noon))(t, game.AlreadyClaimed, "doubling after the claim")
		modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdPrediction, 0, modelstest.Season, modelstest.Noon))(t, game.AlreadyClaimed, "an ad after the claim")
		modelstest.Equal(t, points(t, store, player), game.AdvicePoints, "paid points")
	})
}

func TestAdDoublesAdvice(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		_, err := store.Ads.StartAd(t.Context(), player.ID, models.AdPrediction, 0, modelstest.Season, modelstest.Noon)
		modelstest.WantError(t, err, db.ErrNotFound, "an ad before asking")
		advice := modelstest.Advice(t, store, player, modelstest.Noon)
		modelstest.Refuses(store.Daily.DoubledAdvice(t.Context(), player.ID, advice.ID, modelstest.Noon))(t, models.AdNotConfirmed, "before an ad")
		modelstest.WatchAd(t, store, player, models.AdPrediction, modelstest.Noon)
		for range 2 {
			after, err := store.Daily.DoubledAdvice(t.Context(), player.ID, advice.ID, modelstest.Noon.Add(time.Minute))
			if err != nil || after.Balances.GamePoints != 2*game.AdvicePoints || after.CanTakeAdvice(modelstest.Season, modelstest.Noon) {
				t.Errorf("doubled: %+v, %v", after, err)
			}
		}
		modelstest.WantRefusal(t, modelstest.ClaimAdvice(t, store, player, advice.ID, modelstest.Noon), game.AlreadyClaimed, "claiming what was doubled")
	})
}

func TestAdvicePaysRewardSetWhenOffered(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		before, claimer, doubler := modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)
		modelstest.Advice(t, store, before, modelstest.Noon)
		modelstest.Done(t, store, settings.ActionChangeSetting, "advice_points", "30")
		first, second := modelstest.Advice(t, store, claimer, modelstest.Noon), modelstest.Advice(t, store, doubler, modelstest.Noon)
		modelstest.Done(t, store, settings.ActionChangeSetting, "advice_points", "40")
		if again := modelstest.Advice(t, store, claimer, modelstest.Noon); again.Pays() != 30 || first.Pays() != 30 || second.Pays() != 30 {
			t.Errorf("asked twice: %d and %d points", first.Pays(), again.Pays())
		}
		modelstest.NoError(t, modelstest.ClaimAdvice(t, store, claimer, first.ID, modelstest.Noon))
		modelstest.WatchAd(t, store, doubler, models.AdPrediction, modelstest.Noon)
		modelstest.NoError(t, modelstest.ClaimAdvice(t, store, before, modelstest.Advice(t, store, before, modelstest.Noon).ID, modelstest.Noon))
		for player, want := range map[models.PlayerID]int64{before.ID: 25, claimer.ID: 30, doubler.ID: 60} {
			modelstest.Equal(t, points(t, store, models.Player{ID: player}), want, "player", player, "was paid points")
		}
	})
}

func TestAdviceClaimedDuringAdIsDoubled(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		advice := modelstest.Advice(t, store, player, modelstest.Noon)
		ticket := modelstest.OpenAd(t, store, player, models.AdPrediction, modelstest.Noon)
		modelstest.NoError(t, modelstest.ClaimAdvice(t, store, player, advice.ID, modelstest.Noon))
		modelstest.Refuses(store.Daily.DoubledAdvice(t.Context(), player.ID, advice.ID, modelstest.Noon))(t, models.AdNotConfirmed, "while the ad is shown")
		modelstest.ConfirmAd(t, store, player, modelstest.Noon.Add(time.Minute), ticket)
		modelstest.Equal(t, points(t, store, player), 2*game.AdvicePoints, "paid points")
	})
}

func TestUnclaimedAdviceExpiresAtDayEnd(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		midnight := (game.DayOf(modelstest.Noon) + 1).Start()
		advice := modelstest.Advice(t, store, player, midnight.Add(-time.Second))
		ticket := modelstest.OpenAd(t, store, player, models.AdPrediction, midnight.Add(-time.Second))
		modelstest.WantRefusal(t, modelstest.ClaimAdvice(t, store, player, advice.ID, midnight), models.Expired, "after midnight")
		modelstest.Must(store.Ads.ExpireOffers(t.Context(), midnight))(t)
		// The ad was for what was offered when it began.
		modelstest.ConfirmAd(t, store, player, midnight.Add(10*time.Second), ticket)
		modelstest.Equal(t, points(t, store, player), 2*game.AdvicePoints, "paid points")
		modelstest.Advice(t, store, player, midnight.Add(time.Minute)) // today's is another
	})
}

// A claim and the confirmation of an ad for the same advice, at once and in either order, pay both halves once.
func TestConcurrentAdviceClaimAndAdPayOnceEach(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		for range 10 {
			player := modelstest.Player(t, store)
			advice := modelstest.Advice(t, store, player, modelstest.Noon)
			modelstest.OpenAd(t, store, player, models.AdPrediction, modelstest.Noon)
			var calls sync.WaitGroup
			for range 25 {
				calls.Go(func() {
					_, err := store.Daily.ClaimAdvice(t.Context(), modelstest.By(player), advice.ID, modelstest.Season, modelstest.Noon)
					var refusal *game.Refusal
					if err != nil && !errors.As(err, &refusal) {
						t.Errorf("claim: %v", err)
					}
				})
				calls.Go(func() {
					modelstest.Succeeds(store.Ads.ConfirmAd(t.Context(), ads.AdCallback{TelegramID: player.TelegramID}, modelstest.Noon.Add(time.Minute)))(t, "the network's word")
				})
			}
			calls.Wait()
			modelstest.Equal(t, points(t, store, player), 2*game.AdvicePoints, "paid points")
		}
	})
}
