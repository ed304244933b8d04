package models_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

func TestTapsEarnAThousandthEach(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)

		answer, err := store.Tap(t.Context(), models.TapBatch{Player: player.ID, Sent: 20, Key: "batch-01"}, given.Season, given.Noon)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Accepted != 20 || answer.Player.Balances.Game != 20*game.MCBK/1000 || answer.Player.Bag.Energy() != 980 {
			t.Errorf("answer %+v", answer)
		}
		saved, err := store.Player(t.Context(), player.ID)
		if err != nil {
			t.Fatal(err)
		}
		if saved.Balances != answer.Player.Balances || saved.Bag.Energy() != 980 || saved.Bag.TapsToday != 20 {
			t.Errorf("saved %+v, answered %+v", saved, answer.Player)
		}
		given.Sound(t, store)
	})
}

func TestABatchSentFiftyTimesAtOnceCountsOnce(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		batch := models.TapBatch{Player: player.ID, Sent: 30, Key: "batch-01"}

		answers := make([]models.Tapped, 50)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				answer, err := store.Tap(t.Context(), batch, given.Season, given.Noon)
				if err != nil {
					t.Errorf("copy %d: %v", i, err)
				}
				answers[i] = answer
			})
		}
		all.Wait()

		for i, a := range answers {
			if a.Accepted != 30 || a.Player.Balances != answers[0].Player.Balances || a.Player.Bag.Energy() != 970 {
				t.Errorf("copy %d got %+v, not the first answer", i, a)
			}
		}
		postings, err := store.Postings(t.Context(), player.ID)
		if err != nil || len(postings) != 1 {
			t.Errorf("%d postings, %v", len(postings), err)
		}
		given.Sound(t, store)
	})
}

func TestARepeatedBatchGetsItsFirstAnswerAfterLaterPlay(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		tap := func(key string, sent int, at time.Time) models.Tapped {
			t.Helper()
			answer, err := store.Tap(t.Context(), models.TapBatch{Player: player.ID, Sent: sent, Key: key}, given.Season, at)
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		first := tap("batch-01", 10, given.Noon)
		tap("batch-02", 15, given.Noon.Add(time.Minute))

		again := tap("batch-01", 10, given.Noon.Add(24*time.Hour))
		if again.Accepted != first.Accepted || again.Player.Balances != first.Player.Balances || again.Player.Bag.Energy() != first.Player.Bag.Energy() {
			t.Errorf("first %+v, again %+v", first, again)
		}
		given.Sound(t, store)
	})
}

func TestABatchWithNothingAcceptedStaysRefusedLater(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store, given.Tapped(50))
		batch := models.TapBatch{Player: player.ID, Sent: 5, Key: "batch-01"}
		for _, at := range []time.Time{given.Noon, given.Noon.Add(24 * time.Hour)} {
			answer, err := store.Tap(t.Context(), batch, given.Season, at)
			if err != nil || answer.Accepted != 0 {
				t.Errorf("at %s: %d accepted, %v", at, answer.Accepted, err)
			}
		}
	})
}

func TestABatchIDWithAnotherCountIsRefused(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		for _, sent := range []int{10, 11} {
			_, err := store.Tap(t.Context(), models.TapBatch{Player: player.ID, Sent: sent, Key: "batch-01"}, given.Season, given.Noon)
			var refusal *game.Refusal
			if refused := errors.As(err, &refusal) && refusal.Code == models.IdempotencyKeyReused; refused != (sent == 11) {
				t.Errorf("%d taps: %v", sent, err)
			}
		}
	})
}

func TestTapsNeedConsentAndAnOpenSeason(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		for _, c := range []struct {
			name   string
			player models.Player
			at     time.Time
			code   game.Code
		}{
			{"no consent", given.Player(t, store, given.Unconsented()), given.Noon, game.AgeConsentRequired},
			{"too early", given.Player(t, store), given.Season.Start.Add(-time.Second), game.SeasonNotStarted},
			{"too late", given.Player(t, store), given.Season.Start.Add(90 * 24 * time.Hour), game.SeasonOver},
		} {
			_, err := store.Tap(t.Context(), models.TapBatch{Player: c.player.ID, Sent: 1, Key: "batch-01"}, given.Season, c.at)
			var refusal *game.Refusal
			if !errors.As(err, &refusal) || refusal.Code != c.code {
				t.Errorf("%s: %v", c.name, err)
			}
			if postings, err := store.Postings(t.Context(), c.player.ID); err != nil || len(postings) != 0 {
				t.Errorf("%s: %d postings, %v", c.name, len(postings), err)
			}
		}
	})
}
