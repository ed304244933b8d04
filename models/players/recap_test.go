package players_test

import (
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/settings"
	"mcbk/models/store"
)

func TestRecapCountsOnlyOwnSeason(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		other := modelstest.Player(t, store, modelstest.Tapped(40))
		player := modelstest.Player(t, store, modelstest.Tapped(30))
		modelstest.Spun(t, store, other, false, modelstest.Segment(t, "coins_3"), modelstest.Noon)
		recap := func() players.Recap {
			t.Helper()
			now := modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
			return modelstest.Must(store.Players.Recap(t.Context(), now))(t)
		}
		want := players.Recap{Taps: 30, Coins: 30 * game.MCBK / 1000}
		modelstest.Equal(t, recap(), want, "after taps")

		at := modelstest.Noon.Add(time.Hour)
		modelstest.Done(t, store, settings.ActionChangeSetting, "micro_mcbk_per_tap", "5000")
		modelstest.Tap(t, store, player, 12, "batch-0001", at)
		modelstest.Tap(t, store, player, 12, "batch-0001", at) // again
		modelstest.CheckIn(t, store, player, at)
		for range 2 {
			modelstest.Player(t, store, modelstest.InvitedBy(player))
		}
		modelstest.Player(t, store, modelstest.InvitedBy(other))
		modelstest.NoError(t, store.Leaderboard.BuildRanks(t.Context()))
		want = players.Recap{Days: 1, Taps: 42, Coins: 30*game.MCBK/1000 + 12*game.MCBK/200 + game.MCBK, Rank: 2, Friends: 2}
		modelstest.Equal(t, recap(), want)
	})
}

func TestRecapHasBestSpin(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		at := modelstest.Noon
		best := func(what string, want game.Reward) {
			t.Helper()
			modelstest.Equal(t, modelstest.Must(store.Players.Recap(t.Context(), player))(t).BestWin, want, what)
		}
		best("without a spin", game.Reward{})
		spins := func(of string) (spin models.Spin) {
			at = at.Add(time.Minute)
			spin, player = modelstest.Spun(t, store, player, false, modelstest.Segment(t, of), at)
			return spin
		}
		spins("points_200")
		best("points, not claimed", game.Reward{Points: 200})
		spins("coins_1")
		best("a coin beats points", game.Reward{Coins: game.MCBK})
		chest := spins("coin_2_points_75")
		best("a chest, not claimed", game.Reward{Coins: 2 * game.MCBK, Points: 75})
		player = modelstest.DoubleSpin(t, store, player, chest, at)
		best("the chest times three", game.Reward{Coins: 6 * game.MCBK, Points: 225})
		at = at.Add(time.Minute)
		spins("coins_3")
		best("a smaller one after it", game.Reward{Coins: 6 * game.MCBK, Points: 225})
	})
}
