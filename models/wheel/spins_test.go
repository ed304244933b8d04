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

func TestFirstReadOfADayGrantsConfiguredSpins(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		looks := map[string]func(p models.Player, at time.Time) error{
			"a look": func(p models.Player, at time.Time) error {
				_, err := store.Wheel.GrantDailySpins(t.Context(), p, modelstest.Season, at)
				return err
			},
			"a spin": func(p models.Player, at time.Time) error {
				_, _, err := modelstest.SpinOnce(t.Context(), store, p, false, at)
				return err
			},
			"asking an ad": func(p models.Player, at time.Time) error {
				_, err := store.Ads.StartAd(t.Context(), p.ID, models.AdSpin, 0, modelstest.Season, at)
				return err
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
				if err := look(player, at); err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				p := modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
				player = p
				if how == "a spin" { // which may have brought others
					continue
				}
				if p.Balances.Spins != want || p.Balances.AdSpins != 10 {
					t.Errorf("%s at %s: %+v", how, at, p.Balances)
				}
			}
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "free_spins", "0")
		none := modelstest.Player(t, store)
		_, _, err := modelstest.SpinOnce(t.Context(), store, none, false, modelstest.Noon)
		modelstest.WantRefusal(t, "a spin of none", err, game.NoSpinsLeft)
		if none, err = store.Wheel.GrantDailySpins(t.Context(), none, modelstest.Season, modelstest.Noon); err != nil || none.Balances.Spins != 0 || none.Balances.AdSpins != 10 {
			t.Errorf("a look that gives none: %+v, %v", none.Balances, err)
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "free_spins", "1")
		once := modelstest.Player(t, store)
		if _, p, err := modelstest.SpinOnce(t.Context(), store, once, false, modelstest.Noon); err != nil || p.Bag.Spins != 1 {
			t.Errorf("the one spin: %+v, %v", p.Balances, err)
		}
		modelstest.Sound(t, store)
	})
}

func TestCoinPrizeIsPaidAtOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		spin, after := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_3"), modelstest.Noon)
		if spin.State != models.SpinCredited || after.Balances.Game != 3*game.MCBK || after.Balances.Spins != game.FreeSpinsADay-1 ||
			after.Wheel.Won != 3*game.MCBK || after.Bag.Spins != 1 || after.Wheel.Streak != 1 {
			t.Errorf("%+v, %+v", spin, after)
		}
		_, err := store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon)
		modelstest.WantRefusal(t, "claim what was paid", err, game.AlreadyClaimed)
		_, err = store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, modelstest.Noon)
		modelstest.WantRefusal(t, "an ad for coins", err, models.NotEligible)
		modelstest.Sound(t, store)
	})
}

func TestPendingPrizeIsClaimedOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
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
			if spin.State != models.SpinPending {
				t.Errorf("%s: %s", c.prize, spin.State)
			}
			_, err := store.Wheel.ClaimSpin(t.Context(), modelstest.By(other), spin.ID, modelstest.Season, modelstest.Noon)
			if !errors.Is(err, db.ErrNotFound) {
				t.Errorf("%s: another's claim: %v", c.prize, err)
			}
			after, err := store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon)
			if reward, spins := modelstest.Gained(before, after); err != nil || reward != c.want || spins != c.spins || after.Wheel.Won-before.Wheel.Won != c.want.Coins {
				t.Errorf("%s: paid %+v and %d spins, %v; want %+v and %d", c.prize, reward, spins, err, c.want, c.spins)
			}
			_, err = store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon)
			modelstest.WantRefusal(t, c.prize+" again", err, game.AlreadyClaimed)
		}
		modelstest.Sound(t, store)
	})
}

func TestOnlyAChestIsOpened(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		points, _ := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_10"), modelstest.Noon)
		_, _, err := store.Wheel.ClaimChest(t.Context(), modelstest.By(player), points.ID, modelstest.Season, modelstest.Noon)
		modelstest.WantRefusal(t, "open points", err, models.NotEligible)
		_, _, err = store.Wheel.DoubledChest(t.Context(), player.ID, points.ID, modelstest.Noon)
		modelstest.WantRefusal(t, "open points after an ad", err, models.NotEligible)
		chest, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_5"), modelstest.Noon)
		opened, after, err := store.Wheel.ClaimChest(t.Context(), modelstest.By(player), chest.ID, modelstest.Season, modelstest.Noon)
		if reward, _ := modelstest.Gained(before, after); err != nil || opened.State != models.SpinClaimed || reward != (game.Reward{Coins: 5e6}) {
			t.Errorf("opened %+v for %+v, %v", opened, reward, err)
		}
		modelstest.Sound(t, store)
	})
}

func TestAdMultipliesAPrize(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		for prize, want := range map[string]game.Reward{
			"points_50": {Points: 100}, "points_200": {Points: 600}, "coin_2_points_75": {Coins: 6e6, Points: 225},
			"coins_5": {Coins: 10e6}, "points_150": {Points: 300},
		} {
			spin, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, prize), modelstest.Noon)
			_, _, err := store.Wheel.DoubledSpin(t.Context(), player.ID, spin.ID, modelstest.Noon)
			modelstest.WantRefusal(t, prize+" before an ad", err, models.AdNotConfirmed)
			after := modelstest.DoubleSpin(t, store, player, spin, modelstest.Noon)
			if reward, spins := modelstest.Gained(before, after); reward != want || spins != 0 || after.Wheel.Won-before.Wheel.Won != want.Coins {
				t.Errorf("%s: %+v and %d spins in all, want %+v", prize, reward, spins, want)
			}
			_, err = store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon)
			modelstest.WantRefusal(t, prize+" claimed as well", err, game.AlreadyClaimed)
			_, err = store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, modelstest.Noon)
			modelstest.WantRefusal(t, prize+" with one more ad", err, game.AlreadyClaimed)
		}
		for _, prize := range []string{"bonus_spin", "spins_2"} {
			spin, _ := modelstest.Spun(t, store, player, false, modelstest.Segment(t, prize), modelstest.Noon)
			_, err := store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, modelstest.Noon)
			modelstest.WantRefusal(t, "an ad for "+prize, err, models.NotEligible)
			_, _, err = store.Wheel.DoubledSpin(t.Context(), player.ID, spin.ID, modelstest.Noon)
			modelstest.WantRefusal(t, prize+" doubled", err, models.NotEligible)
		}
		modelstest.Sound(t, store)
	})
}

func TestNextSpinPaysPendingPrize(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		waiting, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_100"), modelstest.Noon)
		ticket := modelstest.Must(store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, waiting.ID, modelstest.Season, modelstest.Noon))(t)
		_, after := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon.Add(time.Second))
		if reward, _ := modelstest.Gained(before, after); reward != (game.Reward{Coins: 1e6, Points: 100}) {
			t.Errorf("the next spin paid %+v", reward)
		}
		modelstest.ConfirmAd(t, store, player, modelstest.Noon.Add(time.Minute), ticket)
		_, late, err := store.Wheel.DoubledSpin(t.Context(), player.ID, waiting.ID, modelstest.Noon.Add(time.Minute))
		if reward, _ := modelstest.Gained(after, late); err != nil || reward != (game.Reward{Points: 100}) {
			t.Errorf("an ad that was under way added %+v, %v", reward, err)
		}
		modelstest.Sound(t, store)
	})
}

func TestUnclaimedPrizeIsPaidAfterADay(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player, fresh := modelstest.Player(t, store), modelstest.Player(t, store)
		spin, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_100"), modelstest.Noon)
		modelstest.Spun(t, store, fresh, false, modelstest.Segment(t, "points_100"), modelstest.Noon.Add(time.Second))
		pays := func(at time.Time, want int64) {
			t.Helper()
			if paid, err := store.Wheel.PaySpins(t.Context(), at); err != nil || paid != want {
				t.Errorf("at %s: %d paid, %v; want %d", at, paid, err, want)
			}
		}
		pays(modelstest.Noon.Add(wheel.PendingPrizeTimeout-time.Millisecond), 0)
		pays(modelstest.Noon.Add(wheel.PendingPrizeTimeout), 1)
		pays(modelstest.Noon.Add(wheel.PendingPrizeTimeout), 0)
		after, err := store.Players.Player(t.Context(), player.ID)
		if reward, _ := modelstest.Gained(before, after); err != nil || reward != (game.Reward{Points: 100}) {
			t.Errorf("paid %+v, %v", reward, err)
		}
		_, err = store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon.Add(24*time.Hour))
		modelstest.WantRefusal(t, "claim afterwards", err, game.AlreadyClaimed)
		modelstest.Sound(t, store)
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
		if paid, err := store.Wheel.PaySpins(t.Context(), modelstest.Noon.Add(wheel.PendingPrizeTimeout)); err != nil || paid != 1 {
			t.Errorf("%d paid once it could be, %v", paid, err)
		}
		modelstest.Sound(t, store)
	})
}

func TestGoldenSpinIsEarnedInSevenDays(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player, eighth := streaked(t, store)
		_, _, err := modelstest.SpinOnce(t.Context(), store, modelstest.Player(t, store), true, modelstest.Noon)
		modelstest.WantRefusal(t, "golden without seven days", err, game.GoldenNotAvailable)

		spin, after := modelstest.Spun(t, store, player, true, modelstest.Segment(t, "coins_2"), eighth)
		if reward, _ := modelstest.Gained(player, after); reward != (game.Reward{Coins: 10e6}) || after.Wheel.Streak != 0 || after.Wheel.Golden() {
			t.Errorf("a golden spin of 2 coins paid %+v and left %+v", reward, after.Wheel)
		}
		inAll := modelstest.DoubleSpin(t, store, player, spin, eighth)
		if reward, _ := modelstest.Gained(player, inAll); reward != (game.Reward{Coins: 20e6}) {
			t.Errorf("with an ad %+v in all", reward)
		}
		_, _, err = modelstest.SpinOnce(t.Context(), store, player, true, eighth.Add(time.Minute))
		modelstest.WantRefusal(t, "golden again", err, game.GoldenNotAvailable)
		modelstest.Sound(t, store)
	})
}

func TestGoldenPointPrizeIsPending(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for prize, want := range map[string]game.Reward{"points_200": {Points: 2000}, "coin_2_points_75": {Coins: 20e6, Points: 750}} {
			player, eighth := streaked(t, store)
			spin, before := modelstest.Spun(t, store, player, true, modelstest.Segment(t, prize), eighth)
			if spin.State != models.SpinPending {
				t.Errorf("%s: %s", prize, spin.State)
			}
			if reward, _ := modelstest.Gained(before, modelstest.DoubleSpin(t, store, player, spin, eighth)); reward != want {
				t.Errorf("%s: %+v in all, want %+v, ten times", prize, reward, want)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestGoldenCoinsAreDoubledWithinADay(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player, eighth := streaked(t, store)
		spin, _ := modelstest.Spun(t, store, player, true, modelstest.Segment(t, "coins_1"), eighth)
		_, err := store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, eighth.Add(wheel.PendingPrizeTimeout))
		modelstest.WantRefusal(t, "an ad a day later", err, models.Expired)
		modelstest.DoubleSpin(t, store, player, spin, eighth.Add(wheel.PendingPrizeTimeout-time.Minute))
		modelstest.Sound(t, store)
	})
}

func TestFiftyConcurrentSpinsUseTheLastOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		for range game.FreeSpinsADay - 1 {
			modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon)
		}
		turned := modelstest.FiftyAtOnce(t, game.NoSpinsLeft, func() error {
			_, _, err := modelstest.SpinOnce(t.Context(), store, player, false, modelstest.Noon)
			return err
		})
		if turned != 1 {
			t.Errorf("%d spins", turned)
		}
		modelstest.Sound(t, store)
	})
}

func TestFiftyConcurrentClaimsPayOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		spin, before := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "points_150"), modelstest.Noon)
		if paid := modelstest.FiftyAtOnce(t, game.AlreadyClaimed, func() error {
			_, _, err := store.Wheel.ClaimChest(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, modelstest.Noon)
			return err
		}); paid != 1 {
			t.Errorf("%d claims paid", paid)
		}
		after, err := store.Players.Player(t.Context(), player.ID)
		if reward, _ := modelstest.Gained(before, after); err != nil || reward.Points != 150 {
			t.Errorf("paid %+v, %v", reward, err)
		}
		modelstest.Sound(t, store)
	})
}

func TestConcurrentSpinClaimAndAdPayOnceEach(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
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
			after, err := store.Players.Player(t.Context(), player.ID)
			if reward, _ := modelstest.Gained(before, after); err != nil || reward != (game.Reward{Points: 600}) {
				t.Errorf("paid %+v, %v", reward, err)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestSpinningNeedsConsentAndAnOpenSeason(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		stranger, player := modelstest.Player(t, store, modelstest.Unconsented()), modelstest.Player(t, store)
		_, _, err := modelstest.SpinOnce(t.Context(), store, stranger, false, modelstest.Noon)
		modelstest.WantRefusal(t, "without consent", err, game.AgeConsentRequired)
		_, _, err = modelstest.SpinOnce(t.Context(), store, player, false, modelstest.Season.Start.Add(-time.Second))
		modelstest.WantRefusal(t, "before the season", err, game.SeasonNotStarted)
		_, _, err = modelstest.SpinOnce(t.Context(), store, player, false, modelstest.Season.Start.Add(90*24*time.Hour))
		modelstest.WantRefusal(t, "after the season", err, game.SeasonOver)
		modelstest.Sound(t, store)
	})
}
