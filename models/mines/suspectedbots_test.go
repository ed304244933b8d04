package mines_test

import (
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
			modelstest.Equal(t, modelstest.Must(store.Mines.Dig(t.Context(), taps.Batch{TelegramID: p.TelegramID, Sent: tapCount}, modelstest.Season, at))(t).Accepted, tapCount)
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
		modelstest.Returns(store.Mines.SuspectedBots(t.Context(), waiting.Tournament))(t, []models.PlayerID{script.ID}, "played round the clock")
	})
}
