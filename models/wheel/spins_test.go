package wheel_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
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
	"mcbk/models/wheel"
)

func TestMain(m *testing.M) { modelstest.Main(m) }

// streaked is a player who has spun for coins on seven days and looks on the eighth.
func streaked(t *testing.T, store *store.Store) (player models.Player, eighth time.Time) {
	t.Helper()
	player = modelstest.Player(t, store)
	for i := range 7 {
		_, player = modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon.Add(time.Duration(i)*24*time.Hour))
	}
	return player, modelstest.Noon.Add(7 * 24 * time.Hour)
}

// spinError is why a spin was not made.
func spinError(t *testing.T, store *store.Store, player models.Player, golden bool, at time.Time) error {
	t.Helper()
	_, _, err := modelstest.SpinOnce(t.Context(), store, player, golden, at)
	return err
}

func TestFirstReadOfADayGrantsConfiguredSpins(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		looks := map[string]func(p models.Player, at time.Time) error{
			"a look": func(p models.Player, at time.Time) error {
				return modelstest.ErrorOf(store.Wheel.GrantDailySpins(t.Context(), p, modelstest.Season, at))
			},
			"a spin": func(p models.Player, at time.Time) error { return spinError(t, store, p, false, at) },
			"asking an ad": func(p models.Player, at time.Time) error {
				return modelstest.ErrorOf(store.Ads.StartAd(t.Context(), p.ID, models.AdSpin, 0, modelstest.Season, at))
			},
		}
		for how, look := range looks {
			modelstest.Done(t, store, settings.ActionChangeSetting, "free_spins", "3")
			store.Settings.RuntimeSettings(t.Context(), modelstest.Noon)
			player := modelstest.Player(t, store)
			if spins, ads := store.Wheel.SpinsAt(player, modelstest.Season, modelstest.Noon); spins != 3 || ads != 10 {
				t.Errorf("%s will bring %d and %d", how, spins, ads)
			}
			for i, want := range []int64{3, 3, 6, 6, 19} { // a day that was looked at gets no more
				at := modelstest.Noon.Add([]time.Duration{0, 8, 16, 24, 40}[i] * time.Hour)
				if i == 4 {
					modelstest.Done(t, store, settings.ActionChangeSetting, "free_spins", "13")
				}
				modelstest.NoError(t, look(player, at), how)
				player = modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
				if how != "a spin" { // which may have brought others
					wantSpins(t, fmt.Sprint(how, " at ", at), player, want, 10)
				}
			}
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "free_spins", "0")
		none := modelstest.Player(t, store)
		modelstest.WantRefusal(t, spinError(t, store, none, false, modelstest.Noon), game.NoSpinsLeft, "a spin of none")
		wantSpins(t, "a look that gives none", modelstest.Must(store.Wheel.GrantDailySpins(t.Context(), none, modelstest.Season, modelstest.Noon))(t), 0, 10)
		modelstest.Done(t, store, settings.ActionChangeSetting, "free_spins", "1")
		modelstest.NoError(t, spinError(t, store, modelstest.Player(t, store), false, modelstest.Noon), "the one spin")
	})
}

func TestCoinPrizeIsPaidAtOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		spin, after := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_3"), modelstest.Noon)
		if spin.State != models.SpinCredited || after.Balances.Game != 3*game.MCBK || after.Balances.Spins != game.FreeSpinsADay-1 ||
			after.Wheel.Won != 3*game.MCBK || after.Bag.Spins != 1 || after.Wheel.Streak != 1 {
			t.Errorf("%+v, %+v", spin, after)
		}
		modelstest.Refuses(store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon))(t, game.AlreadyClaimed, "claim what was paid")
		modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, modelstest.Noon))(t, models.NotEligible, "an ad for coins")
	})
}

func TestPendingPrizeIsClaimedOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player, other := modelstest.Player(t, store), modelstest.Player(t, store)
		for _, c := range []struct {
			prize string
			want  game.Reward
			spins int64
		}{
			{"points_200", game.Reward{Points: 200}, 0},
			{"bonus_spin", game.Reward{Points: 10}, 1},
			{"coin_2_points_75", game.Reward{Coins: 2e6, Points: 75}, 0},
			{"spins_2", game.Reward{}, 2},
			{"coin_3_spin_1", game.Reward{Coins: 3e6}, 1},
		} {
			spin, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, c.prize), modelstest.Noon)
			modelstest.Equal(t, spin.State, models.SpinPending, c.prize)
			modelstest.Fails(store.Wheel.ClaimSpin(t.Context(), modelstest.By(other), spin.ID, modelstest.Season, modelstest.Noon))(t, db.ErrNotFound, c.prize, "another's claim")
			after, err := store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon)
			if reward, spins := modelstest.Gained(before, after); err != nil || reward != c.want || spins != c.spins || after.Wheel.Won-before.Wheel.Won != c.want.Coins {
				t.Errorf("%s: paid %+v and %d spins, %v; want %+v and %d", c.prize, reward, spins, err, c.want, c.spins)
			}
			modelstest.Refuses(store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon))(t, game.AlreadyClaimed, c.prize+" again")
		}
	})
}

func TestOnlyAChestIsOpened(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		points, _ := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_10"), modelstest.Noon)
		modelstest.Refuses(store.Wheel.ClaimChest(t.Context(), modelstest.By(player), points.ID, modelstest.Season, modelstest.Noon))(t, models.NotEligible, "open points")
		modelstest.Refuses(store.Wheel.DoubledChest(t.Context(), player.ID, points.ID, modelstest.Noon))(t, models.NotEligible, "open points after an ad")
		chest, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_5"), modelstest.Noon)
		opened, after, err := store.Wheel.ClaimChest(t.Context(), modelstest.By(player), chest.ID, modelstest.Season, modelstest.Noon)
		modelstest.NoError(t, err)
		modelstest.Equal(t, opened.State, models.SpinClaimed)
		modelstest.WantGained(t, before, after, game.Reward{Coins: 5e6})
	})
}

func TestAdMultipliesAPrize(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		for prize, want := range map[string]game.Reward{
			"points_50": {Points: 100}, "points_200": {Points: 600}, "coin_2_points_75": {Coins: 6e6, Points: 225},
			"coins_5": {Coins: 10e6}, "points_150": {Points: 300},
		} {
			spin, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, prize), modelstest.Noon)
			modelstest.Refuses(store.Wheel.DoubledSpin(t.Context(), player.ID, spin.ID, modelstest.Noon))(t, models.AdNotConfirmed, prize+" before an ad")
			after := modelstest.DoubleSpin(t, store, player, spin, modelstest.Noon)
			if reward, spins := modelstest.Gained(before, after); reward != want || spins != 0 || after.Wheel.Won-before.Wheel.Won != want.Coins {
				t.Errorf("%s: %+v and %d spins in all, want %+v", prize, reward, spins, want)
			}
			modelstest.Refuses(store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon))(t, game.AlreadyClaimed, prize+" claimed as well")
			modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, modelstest.Noon))(t, game.AlreadyClaimed, prize+" with one more ad")
		}
		for _, prize := range []string{"bonus_spin", "spins_2"} {
			spin, _ := modelstest.Spun(t, store, player, false, modelstest.Segment(t, prize), modelstest.Noon)
			modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, modelstest.Noon))(t, models.NotEligible, "an ad for "+prize)
			modelstest.Refuses(store.Wheel.DoubledSpin(t.Context(), player.ID, spin.ID, modelstest.Noon))(t, models.NotEligible, prize+" doubled")
		}
	})
}

func TestNextSpinPaysPendingPrize(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		waiting, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_100"), modelstest.Noon)
		ticket := modelstest.Must(store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, waiting.ID, modelstest.Season, modelstest.Noon))(t)
		_, after := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon.Add(time.Second))
		modelstest.WantGained(t, before, after, game.Reward{Coins: 1e6, Points: 100})
		modelstest.ConfirmAd(t, store, player, modelstest.Noon.Add(time.Minute), ticket)
		_, late, err := store.Wheel.DoubledSpin(t.Context(), player.ID, waiting.ID, modelstest.Noon.Add(time.Minute))
		modelstest.NoError(t, err, "an ad that was under way")
		modelstest.WantGained(t, after, late, game.Reward{Points: 100})
	})
}

func TestUnclaimedPrizeIsPaidAfterADay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player, fresh := modelstest.Player(t, store), modelstest.Player(t, store)
		spin, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_100"), modelstest.Noon)
		modelstest.Spun(t, store, fresh, false, modelstest.Segment(t, "points_100"), modelstest.Noon.Add(time.Second))
		pays := func(at time.Time, want int64) {
			t.Helper()
			modelstest.Returns(store.Wheel.PaySpins(t.Context(), at))(t, want, "at", at, "paid")
		}
		pays(modelstest.Noon.Add(wheel.PendingPrizeTimeout-time.Millisecond), 0)
		pays(modelstest.Noon.Add(wheel.PendingPrizeTimeout), 1)
		pays(modelstest.Noon.Add(wheel.PendingPrizeTimeout), 0)
		modelstest.WantGained(t, before, modelstest.Must(store.Players.Player(t.Context(), player.ID))(t), game.Reward{Points: 100})
		modelstest.Refuses(store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon.Add(24*time.Hour)))(t, game.AlreadyClaimed, "claim afterwards")
	})
}

// The player's account can hold no more, which no play could bring about.
func TestUnpayablePlayerBlocksNobody(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		var players []models.Player
		for range 3 {
			players = append(players, modelstest.Player(t, store))
			modelstest.Spun(t, store, players[len(players)-1], false, modelstest.Segment(t, "points_100"), modelstest.Noon)
		}
		held := fmt.Sprintf("UPDATE players SET balance_game_points = %%d WHERE id = %d", players[0].ID)
		modelstest.MustExec(t, raw, fmt.Sprintf(held, int64(math.MaxInt64)))
		paid, err := store.Wheel.PaySpins(t.Context(), modelstest.Noon.Add(wheel.PendingPrizeTimeout))
		if paid != 2 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("player %d: ", players[0].ID)) || errors.Is(err, db.ErrUnavailable) {
			t.Errorf("%d paid, %v", paid, err)
		}
		modelstest.MustExec(t, raw, fmt.Sprintf(held, 0))
		modelstest.Returns(store.Wheel.PaySpins(t.Context(), modelstest.Noon.Add(wheel.PendingPrizeTimeout)))(t, 1, "paid once it could be")
		modelstest.Sound(t, store)
	})
}

func TestGoldenSpinIsEarnedInSevenDays(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player, eighth := streaked(t, store)
		modelstest.WantRefusal(t, spinError(t, store, modelstest.Player(t, store), true, modelstest.Noon), game.GoldenNotAvailable, "golden without seven days")
		spin, after := modelstest.Spun(t, store, player, true, modelstest.Segment(t, "coins_2"), eighth)
		modelstest.WantGained(t, player, after, game.Reward{Coins: 10e6})
		if after.Wheel.Streak != 0 || after.Wheel.Golden() {
			t.Errorf("a golden spin left %+v", after.Wheel)
		}
		dayLater := eighth.Add(wheel.PendingPrizeTimeout)
		modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, dayLater))(t, models.Expired, "an ad a day later")
		modelstest.WantGained(t, player, modelstest.DoubleSpin(t, store, player, spin, dayLater.Add(-time.Minute)), game.Reward{Coins: 20e6})
		modelstest.WantRefusal(t, spinError(t, store, player, true, eighth.Add(time.Minute)), game.GoldenNotAvailable, "golden again")
	})
}

func TestGoldenPointPrizeIsPending(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		for prize, want := range map[string]game.Reward{"points_200": {Points: 2000}, "coin_2_points_75": {Coins: 20e6, Points: 750}} {
			player, eighth := streaked(t, store)
			spin, before := modelstest.Spun(t, store, player, true, modelstest.Segment(t, prize), eighth)
			modelstest.Equal(t, spin.State, models.SpinPending, prize)
			modelstest.WantGained(t, before, modelstest.DoubleSpin(t, store, player, spin, eighth), want)
		}
	})
}

func TestFiftyConcurrentSpinsUseTheLastOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		for range game.FreeSpinsADay - 1 {
			modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon)
		}
		turned := modelstest.FiftyAtOnce(t, game.NoSpinsLeft, func() error { return spinError(t, store, player, false, modelstest.Noon) })
		modelstest.Equal(t, turned, 1, "spins")
	})
}

func TestFiftyConcurrentClaimsPayOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		spin, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_150"), modelstest.Noon)
		paid := modelstest.FiftyAtOnce(t, game.AlreadyClaimed, func() error {
			return modelstest.ErrorOf(store.Wheel.ClaimChest(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon))
		})
		modelstest.Equal(t, paid, 1, "claims paid")
		modelstest.WantGained(t, before, modelstest.Must(store.Players.Player(t.Context(), player.ID))(t), game.Reward{Points: 150})
	})
}

func TestConcurrentSpinClaimAndAdPayOnceEach(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		for range 5 {
			player := modelstest.Player(t, store)
			spin, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_200"), modelstest.Noon)
			modelstest.Must(store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, modelstest.Noon))(t)
			var both sync.WaitGroup
			both.Go(func() {
				_, err := store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon.Add(10*time.Second))
				if err != nil && !modelstest.IsRefused(err, game.AlreadyClaimed) {
					t.Errorf("claim: %v", err)
				}
			})
			both.Go(func() {
				_, settled, err := store.Ads.ConfirmAd(t.Context(), ads.AdCallback{TelegramID: player.TelegramID}, modelstest.Noon.Add(10*time.Second))
				if err != nil || !settled {
					t.Errorf("the network's word: %t, %v", settled, err)
				}
			})
			both.Wait()
			modelstest.WantGained(t, before, modelstest.Must(store.Players.Player(t.Context(), player.ID))(t), game.Reward{Points: 600})
		}
	})
}

func TestSpinningNeedsConsentAndAnOpenSeason(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		stranger, player := modelstest.Player(t, store, modelstest.Unconsented()), modelstest.Player(t, store)
		modelstest.WantRefusal(t, spinError(t, store, stranger, false, modelstest.Noon), game.AgeConsentRequired, "without consent")
		modelstest.WantRefusal(t, spinError(t, store, player, false, modelstest.Season.Start.Add(-time.Second)), game.SeasonNotStarted, "before the season")
		modelstest.WantRefusal(t, spinError(t, store, player, false, modelstest.Season.End()), game.SeasonOver, "after the season")
	})
}
