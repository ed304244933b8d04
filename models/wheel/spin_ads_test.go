package wheel_test

import (
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// readWheel is the player as they stand at their look at that time.
func readWheel(t *testing.T, store *store.Store, id models.PlayerID, at time.Time) models.Player {
	t.Helper()
	player := modelstest.Must(store.Players.Player(t.Context(), id))(t)
	return modelstest.Must(store.Wheel.GrantDailySpins(t.Context(), player, modelstest.Season, at))(t)
}

// wantSpins tells how many spins and ad spins a player has.
func wantSpins(t *testing.T, when string, player models.Player, spins, adSpins int64) {
	t.Helper()
	if b := player.Balances; b.Spins != spins || b.AdSpins != adSpins {
		t.Errorf("%s: %d spins and %d ad spins, want %d and %d", when, b.Spins, b.AdSpins, spins, adSpins)
	}
}

func TestFirstReadOfADayGrantsSpins(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		id := modelstest.Player(t, store).ID
		wantSpins(t, "before the season", readWheel(t, store, id, modelstest.Season.Start.Add(-time.Second)), 0, 0)
		wantSpins(t, "first look", readWheel(t, store, id, modelstest.Noon), 10, 10)
		wantSpins(t, "second look", readWheel(t, store, id, modelstest.Noon.Add(time.Hour)), 10, 10)
		wantSpins(t, "next day", readWheel(t, store, id, modelstest.Noon.Add(24*time.Hour)), 20, 10)
		wantSpins(t, "the day after", readWheel(t, store, id, modelstest.Noon.Add(2*24*time.Hour)), 20, 10)
		modelstest.Sound(t, store)

		rare := modelstest.Player(t, store)
		modelstest.Spun(t, store, rare, false, modelstest.Segment(t, "coins_1"), modelstest.Noon)
		wantSpins(t, "days without a look bring nothing", readWheel(t, store, rare.ID, modelstest.Noon.Add(20*24*time.Hour)), 19, 10)
		wantSpins(t, "nor does a day after the season", readWheel(t, store, rare.ID, modelstest.Season.End()), 19, 10)
	})
}

func TestFiftyConcurrentFirstReadsGrantOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.FiftyAtOnce(t, "", func() error {
			return modelstest.ErrorOf(store.Wheel.GrantDailySpins(t.Context(), player, modelstest.Season, modelstest.Noon))
		})
		wantSpins(t, "fifty looks", readWheel(t, store, player.ID, modelstest.Noon), 10, 10)
	})
}

func TestAdTurnsAdSpinIntoFreeSpin(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := readWheel(t, store, modelstest.Player(t, store).ID, modelstest.Noon)
		modelstest.Refuses(store.Wheel.TakenAdSpin(t.Context(), player.ID, modelstest.Season, modelstest.Noon))(t, models.AdNotConfirmed, "without an ad")
		after := modelstest.WatchAdForSpin(t, store, player, modelstest.Noon)
		wantSpins(t, "after an ad", after, 11, 9)
		modelstest.WantGained(t, player, after, game.Reward{Points: game.AdSpinPoints})
		modelstest.Refuses(store.Wheel.TakenAdSpin(t.Context(), player.ID, modelstest.Season, modelstest.Noon.Add(time.Minute)))(t, models.AdNotConfirmed, "told again")
	})
}

// A player who began the next ad before they asked for the last one's spin is told of both.
func TestEachAdSpinNeedsItsOwnCall(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := readWheel(t, store, modelstest.Player(t, store).ID, modelstest.Noon)
		for i := range 3 {
			modelstest.WatchAd(t, store, player, models.AdSpin, modelstest.Noon.Add(time.Duration(i)*time.Minute))
		}
		modelstest.OpenAd(t, store, player, models.AdSpin, modelstest.Noon.Add(4*time.Minute))
		tell := func() (models.Player, error) {
			return store.Wheel.TakenAdSpin(t.Context(), player.ID, modelstest.Season, modelstest.Noon.Add(5*time.Minute))
		}
		for range 3 {
			wantSpins(t, "three ads", modelstest.Must(tell())(t), 13, 7)
		}
		modelstest.Refuses(tell())(t, models.AdNotConfirmed, "a fourth call")
	})
}

func TestPlayerHoldsTwentySpinsAtMost(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		readWheel(t, store, player.ID, modelstest.Noon)
		at := modelstest.Noon.Add(24 * time.Hour)
		chest, _ := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "spins_2"), at) // 19 left
		late := modelstest.OpenAd(t, store, player, models.AdSpin, at)
		after := modelstest.Must(store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), chest.ID, modelstest.Season, at))(t)
		wantSpins(t, "a chest with two spins", after, 20, 10)
		modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdSpin, 0, modelstest.Season, at))(t, game.SpinLimitReached, "an ad for one more")
		modelstest.Equal(t, modelstest.ConfirmAd(t, store, player, at.Add(10*time.Second), late).Paid, false, "an ad beyond the limit was paid")
		modelstest.Refuses(store.Wheel.TakenAdSpin(t.Context(), player.ID, modelstest.Season, at.Add(time.Minute)))(t, game.SpinLimitReached, "the ad that came late")
		wantSpins(t, "at last", readWheel(t, store, player.ID, at), 20, 10)
	})
}

// An ad that was begun in the season is still waited for; without one there is nothing to wait for.
func TestOutsideTheSeasonNoAdIsAwaited(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player, end := modelstest.Player(t, store), modelstest.Season.End()
		asks := func(at time.Time) map[string]error {
			_, _, double := store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, at)
			_, spin := store.Wheel.TakenAdSpin(t.Context(), player.ID, modelstest.Season, at)
			return map[string]error{"double": double, "spin": spin}
		}
		for what, err := range asks(modelstest.Season.Start.Add(-time.Hour)) {
			modelstest.WantRefusal(t, err, game.SeasonNotStarted, what+" before the season")
		}
		for what, err := range asks(end) {
			modelstest.WantRefusal(t, err, game.SeasonOver, what+" after the season")
		}
		last := end.Add(-time.Minute)
		modelstest.CheckIn(t, store, player, last)
		readWheel(t, store, player.ID, last)
		modelstest.OpenAd(t, store, player, models.AdDaily, last)
		modelstest.OpenAd(t, store, player, models.AdSpin, last)
		for what, err := range asks(end) {
			modelstest.WantRefusal(t, err, models.AdNotConfirmed, what+" whose ad is under way")
		}
	})
}

func TestTenAdSpinsADay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		for i := range 10 {
			modelstest.WatchAdForSpin(t, store, player, modelstest.Noon.Add(time.Duration(i)*time.Minute))
		}
		for range 5 {
			modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon.Add(time.Hour))
		}
		modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdSpin, 0, modelstest.Season, modelstest.Noon.Add(2*time.Hour)))(t, game.AdSpinsExhausted, "an eleventh")
		modelstest.Refuses(store.Wheel.TakenAdSpin(t.Context(), player.ID, modelstest.Season, modelstest.Noon.Add(2*time.Hour)))(t, game.AdSpinsExhausted, "an eleventh, told")
	})
}

// An ad of yesterday that is confirmed after midnight takes none of today's ad spins.
func TestAdSpinBelongsToDayOfItsTicket(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		midnight := modelstest.Season.Start.Add(24 * time.Hour)
		player := modelstest.Player(t, store)
		modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon)
		late := modelstest.OpenAd(t, store, player, models.AdSpin, midnight.Add(-10*time.Second))
		wantSpins(t, "after midnight", readWheel(t, store, player.ID, midnight), 19, 10)
		modelstest.ConfirmAd(t, store, player, midnight.Add(time.Second), late)
		wantSpins(t, "the ad was confirmed", readWheel(t, store, player.ID, midnight.Add(time.Minute)), 20, 10)
	})
}

// Nor does its confirmation give today's spins, which would leave no room for it, or give what no
// day gives once the season is over.
func TestAdConfirmationGrantsNoDailySpins(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		midnight := modelstest.Season.Start.Add(24 * time.Hour)
		player := readWheel(t, store, modelstest.Player(t, store).ID, modelstest.Noon)
		late := modelstest.OpenAd(t, store, player, models.AdSpin, midnight.Add(-10*time.Second))
		modelstest.ConfirmAd(t, store, player, midnight.Add(time.Second), late)
		after := modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
		modelstest.WantGained(t, player, after, game.Reward{Points: game.AdSpinPoints})
		wantSpins(t, "confirmed before the first look", after, 11, 9)
		wantSpins(t, "then a look", readWheel(t, store, player.ID, midnight.Add(time.Minute)), 20, 10)

		over := modelstest.Season.Start.Add(90 * 24 * time.Hour)
		last := modelstest.OpenAd(t, store, modelstest.Player(t, store), models.AdSpin, over.Add(-10*time.Second))
		patient := modelstest.Must(store.Players.Player(t.Context(), last.PlayerID))(t)
		modelstest.ConfirmAd(t, store, patient, over.Add(time.Second), last)
		after = modelstest.Must(store.Players.Player(t.Context(), patient.ID))(t)
		wantSpins(t, "after the season", after, 11, 9)
	})
}

// Whatever the program does, the database lets nobody hold more.
func TestDatabaseRefusesATwentyFirstSpin(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, st *store.Store) {
		id := modelstest.Player(t, st).ID
		give := func(reference string, amount int64) error {
			_, err := modelstest.Post(t.Context(), st, []modelstest.Entry{{Player: id, Reference: reference, Moves: []ledger.Move{
				{From: modelstest.House, To: models.AccountSpins, Asset: models.AssetSpin, Amount: amount},
			}}}, modelstest.Noon)
			return err
		}
		modelstest.NoError(t, give("test:twenty", 20), "twenty")
		modelstest.WantFailure(t, give("test:one-more", 1), "players_spins_limit", "one more")
	})
}
