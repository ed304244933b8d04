package players_test

import (
	"sync"
	"testing"
	"time"

	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// TestCoalescedReadsReturnEachPlayersCurrentRow lets players change and be looked at side by side: nobody is told of somebody else, or of what was before their own last change.
func TestCoalescedReadsReturnEachPlayersCurrentRow(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				p := modelstest.Player(t, store)
				for tapCount := 1; tapCount <= 10; tapCount++ {
					answer, err := store.Taps.Tap(t.Context(), taps.Batch{TelegramID: p.TelegramID, Sent: 1}, modelstest.Season, modelstest.Noon.Add(time.Duration(tapCount)*time.Minute))
					if err != nil {
						t.Error(err)
						return
					}
					seen, err := store.Players.PlayerByTelegramID(t.Context(), p.TelegramID)
					if err != nil || seen.ID != p.ID || seen.Balances != answer.Player.Balances || seen.Bag.TapsToday != tapCount {
						t.Errorf("after %d taps player %d is seen as %+v, %v", tapCount, p.ID, seen, err)
						return
					}
				}
			})
		}
		all.Go(func() {
			for range 50 {
				modelstest.Fails(store.Players.PlayerByTelegramID(t.Context(), 1))(t, db.ErrNotFound, "a stranger is found")
			}
		})
		all.Wait()
	})
}

// TestFailedReadIsReportedAndRetried holds the table, so that the statement is given up.
func TestFailedReadIsReportedAndRetried(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.WithTimeouts(t, address)
	p := modelstest.Player(t, store)
	release := modelstest.Hold(t, address, "LOCK TABLE players IN ACCESS EXCLUSIVE MODE")
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			modelstest.Fails(store.Players.PlayerByTelegramID(t.Context(), p.TelegramID))(t, db.ErrUnavailable, "found while nobody can read")
		})
	}
	all.Wait()
	release()
	modelstest.Equal(t, modelstest.Must(store.Players.PlayerByTelegramID(t.Context(), p.TelegramID))(t).ID, p.ID)
}
