package mines_test

import (
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/taps"
)

func TestSuspectedBotsAreNamedBeforeAwards(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		digs := func(p models.Player, tapCount int, at time.Time) {
			t.Helper()
			if d, err := store.Mines.Dig(t.Context(), taps.Batch{TelegramID: p.TelegramID, Sent: tapCount}, modelstest.Season, at); err != nil || d.Accepted != tapCount {
				t.Fatal(d, err)
			}
		}
		miner := func(from time.Time, hours int) models.Player {
			t.Helper()
			p := modelstest.Buyer(t, store)
			modelstest.Opened(t, store, p, 1, modelstest.Noon)
			for hour := range hours {
				if at := from.Add(time.Duration(hour) * time.Hour); hour%2 == 0 {
					digs(p, 5, at)
				} else {
					modelstest.Tap(t, store, p, 1, "", at)
				}
			}
			for i := range 8 { // a prize needs a hundred ore
				digs(p, 50, modelstest.Noon.Add(time.Duration(3+i)*24*time.Hour))
			}
			return p
		}
		midnight := modelstest.Season.Start.Add(24 * time.Hour)
		script := miner(midnight.Add(time.Minute), game.HoursAwake+1)
		miner(midnight.Add(time.Minute), game.HoursAwake)              // somebody young
		miner(midnight.Add(14*time.Hour+time.Minute), game.HoursAwake) // through a night
		modelstest.EndTournament(t, store)
		waiting, ok, err := store.Mines.TournamentToAward(t.Context())
		if err != nil || !ok || waiting.Prizes.Winners != 3 {
			t.Fatalf("to award is %+v, %t, %v", waiting, ok, err)
		}
		found, err := store.Mines.SuspectedBots(t.Context(), waiting.Tournament)
		if err != nil || !slices.Equal(found, []models.PlayerID{script.ID}) {
			t.Errorf("%v played round the clock, want player %d: %v", found, script.ID, err)
		}
	})
}
