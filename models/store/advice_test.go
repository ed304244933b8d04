package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

const texts = 60

func advised(t *testing.T, store *store.Store, player models.Player, at time.Time) models.Advice {
	t.Helper()
	advice, err := store.Daily.Advice(t.Context(), player.ID, texts, modelstest.Season, at)
	if err != nil {
		t.Fatalf("ask for advice: %v", err)
	}
	return advice
}

func claim(t *testing.T, store *store.Store, player models.Player, id int64, at time.Time) error {
	t.Helper()
	_, err := store.Daily.ClaimAdvice(t.Context(), player.ID, id, modelstest.Season, at)
	return err
}

func points(t *testing.T, store *store.Store, player models.Player) int64 {
	t.Helper()
	now, err := store.Players.Player(t.Context(), player.ID)
	if err != nil {
		t.Fatal(err)
	}
	return now.Balances.GamePoints
}

func TestAskingTwiceGivesTheSameAdvice(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		first := advised(t, store, player, modelstest.Noon)
		if again := advised(t, store, player, modelstest.Noon.Add(time.Hour)); again.ID != first.ID || again.TextNumber != first.TextNumber {
			t.Errorf("first %+v, then %+v", first, again)
		}
		if next := advised(t, store, player, modelstest.Noon.Add(day)); next.ID == first.ID {
			t.Errorf("the next day's advice is the same: %+v", next)
		}
		numbers := map[int]bool{}
		for range 40 {
			numbers[advised(t, store, modelstest.Player(t, store), modelstest.Noon).TextNumber] = true
		}
		for number := range numbers {
			if number < 0 || number >= texts {
				t.Errorf("there is no text %d", number)
			}
		}
		if len(numbers) < 10 { // one in 10^20 by chance
			t.Errorf("forty players got %d texts", len(numbers))
		}
		modelstest.Sound(t, store)
	})
}

func TestAnAdviceIsNotGivenAgainSoon(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		var told []int
		for i := range texts {
			number := advised(t, store, player, modelstest.Noon.Add(time.Duration(i)*day)).TextNumber
			if lately := told[max(len(told)-texts/2, 0):]; slices.Contains(lately, number) {
				t.Errorf("on day %d text %d again, after %v", i, number, lately)
			}
			told = append(told, number)
		}
		few := modelstest.Player(t, store)
		for i := range 3 { // there is always one
			if _, err := store.Daily.Advice(t.Context(), few.ID, 1, modelstest.Season, modelstest.Noon.Add(time.Duration(i)*day)); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestAdviceIsClaimedOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player, other := modelstest.Player(t, store), modelstest.Player(t, store)
		advice := advised(t, store, player, modelstest.Noon)
		if err := claim(t, store, other, advice.ID, modelstest.Noon); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("another's advice: %v", err)
		}
		if err := claim(t, store, player, advice.ID, modelstest.Noon); err != nil {
			t.Fatalf("claim: %v", err)
		}
		refusedWith(t, "a second claim", claim(t, store, player, advice.ID, modelstest.Noon), game.AlreadyClaimed)
		_, err := store.Daily.Advice(t.Context(), player.ID, texts, modelstest.Season, modelstest.Noon)
		refusedWith(t, "asking after the claim", err, game.AlreadyClaimed)
		_, err = store.Daily.DoubledAdvice(t.Context(), player.ID, advice.ID, modelstest.Noon)
		refusedWith(t, "doubling after the claim", err, game.AlreadyClaimed)
		_, err = store.Ads.StartAd(t.Context(), player.ID, models.AdPrediction, 0, modelstest.Season, modelstest.Noon)
		refusedWith(t, "an ad after the claim", err, game.AlreadyClaimed)
		if got := points(t, store, player); got != game.AdvicePoints {
			t.Errorf("paid %d points", got)
		}
		modelstest.Sound(t, store)
	})
}

func TestAnAdPaysAdviceTwice(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		_, err := store.Ads.StartAd(t.Context(), player.ID, models.AdPrediction, 0, modelstest.Season, modelstest.Noon)
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("an ad before asking: %v", err)
		}
		advice := advised(t, store, player, modelstest.Noon)
		_, err = store.Daily.DoubledAdvice(t.Context(), player.ID, advice.ID, modelstest.Noon)
		refusedWith(t, "before an ad", err, models.AdNotConfirmed)
		watched(t, store, player, models.AdPrediction, modelstest.Noon)
		for range 2 {
			after, err := store.Daily.DoubledAdvice(t.Context(), player.ID, advice.ID, modelstest.Noon.Add(time.Minute))
			if err != nil || after.Balances.GamePoints != 2*game.AdvicePoints || after.CanTakeAdvice(modelstest.Season, modelstest.Noon) {
				t.Errorf("doubled: %+v, %v", after, err)
			}
		}
		refusedWith(t, "claiming what was doubled", claim(t, store, player, advice.ID, modelstest.Noon), game.AlreadyClaimed)
		modelstest.Sound(t, store)
	})
}

func TestAdvicePaysWhatAdminsHadSetWhenItWasGiven(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		before, claimer, doubler := modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)
		advised(t, store, before, modelstest.Noon)
		modelstest.Done(t, store, settings.ActionChangeSetting, "advice_points", "30")
		first, second := advised(t, store, claimer, modelstest.Noon), advised(t, store, doubler, modelstest.Noon)
		modelstest.Done(t, store, settings.ActionChangeSetting, "advice_points", "40")
		if again := advised(t, store, claimer, modelstest.Noon); again.Pays() != 30 || first.Pays() != 30 || second.Pays() != 30 {
			t.Errorf("asked twice: %d and %d points", first.Pays(), again.Pays())
		}
		if err := claim(t, store, claimer, first.ID, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		watched(t, store, doubler, models.AdPrediction, modelstest.Noon)
		if err := claim(t, store, before, advised(t, store, before, modelstest.Noon).ID, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		for player, want := range map[models.PlayerID]int64{before.ID: 25, claimer.ID: 30, doubler.ID: 60} {
			if got := points(t, store, models.Player{ID: player}); got != want {
				t.Errorf("player %d was paid %d points, not %d", player, got, want)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestAdviceClaimedWhileAnAdIsShownIsStillDoubled(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		advice := advised(t, store, player, modelstest.Noon)
		ticket := opened(t, store, player, models.AdPrediction, modelstest.Noon)
		if err := claim(t, store, player, advice.ID, modelstest.Noon); err != nil {
			t.Fatalf("claim: %v", err)
		}
		_, err := store.Daily.DoubledAdvice(t.Context(), player.ID, advice.ID, modelstest.Noon)
		refusedWith(t, "while the ad is shown", err, models.AdNotConfirmed)
		settles(t, store, player, modelstest.Noon.Add(time.Minute), ticket)
		if got := points(t, store, player); got != 2*game.AdvicePoints {
			t.Errorf("paid %d points", got)
		}
		modelstest.Sound(t, store)
	})
}

func TestAdviceNotClaimedOnItsDayExpires(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		midnight := (game.DayOf(modelstest.Noon) + 1).Start()
		advice := advised(t, store, player, midnight.Add(-time.Second))
		ticket := opened(t, store, player, models.AdPrediction, midnight.Add(-time.Second))
		refusedWith(t, "after midnight", claim(t, store, player, advice.ID, midnight), models.Expired)
		if _, err := store.Ads.ExpireOffers(t.Context(), midnight); err != nil {
			t.Fatal(err)
		}
		// The ad was for what was offered when it began.
		settles(t, store, player, midnight.Add(10*time.Second), ticket)
		if got := points(t, store, player); got != 2*game.AdvicePoints {
			t.Errorf("paid %d points", got)
		}
		advised(t, store, player, midnight.Add(time.Minute)) // today's is another
		modelstest.Sound(t, store)
	})
}
