package models_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/given"
)

// TestManyAreReadAtOnceEachAsTheyAre lets players change and be looked at side by side: nobody is told of somebody else, or of what was before their own last change.
func TestManyAreReadAtOnceEachAsTheyAre(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				p := given.Player(t, store)
				for tapCount := 1; tapCount <= 10; tapCount++ {
					answer, err := store.Tap(t.Context(), models.Batch{TelegramID: p.TelegramID, Sent: 1}, given.Season, given.Noon.Add(time.Duration(tapCount)*time.Minute))
					if err != nil {
						t.Error(err)
						return
					}
					seen, err := store.PlayerByTelegramID(t.Context(), p.TelegramID)
					if err != nil || seen.ID != p.ID || seen.Balances != answer.Player.Balances || seen.Bag.TapsToday != tapCount {
						t.Errorf("after %d taps player %d is seen as %+v, %v", tapCount, p.ID, seen, err)
						return
					}
				}
			})
		}
		all.Go(func() {
			for range 50 {
				if _, err := store.PlayerByTelegramID(t.Context(), 1); !errors.Is(err, models.ErrNotFound) {
					t.Errorf("a stranger is found: %v", err)
				}
			}
		})
		all.Wait()
	})
}

// TestALookThatFailsIsTriedAgain holds the table, so that the statement is given up.
func TestALookThatFailsIsTriedAgain(t *testing.T) {
	t.Parallel()
	address := given.Address(t, "postgres")
	store := given.OpenStore(t, address)
	p := given.Player(t, store)
	release := given.Hold(t, address, "LOCK TABLE players IN ACCESS EXCLUSIVE MODE")
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if _, err := store.PlayerByTelegramID(t.Context(), p.TelegramID); !errors.Is(err, models.ErrTryAgain) {
				t.Errorf("found while nobody can read: %v", err)
			}
		})
	}
	all.Wait()
	release()
	if seen, err := store.PlayerByTelegramID(t.Context(), p.TelegramID); err != nil || seen.ID != p.ID {
		t.Error(fmt.Sprint(seen.ID), err)
	}
}
