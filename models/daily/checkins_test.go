package daily_test

import (
	"sync/atomic"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

func TestEachDayIsPaidOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		var want game.Reward
		for i, streak := range []int{1, 2, 3, 4, 5, 6, 7, 8, 1, 2} {
			at := modelstest.Noon.Add(time.Duration(i) * 24 * time.Hour)
			if i >= 8 { // a day was missed
				at = at.Add(24 * time.Hour)
			}
			after, paid := modelstest.CheckIn(t, store, player, at)
			reward := game.DefaultCheckIn.On(streak)
			want.Coins, want.Points = want.Coins+reward.Coins, want.Points+reward.Points
			if !paid || after.Visits.Streak != streak || after.Visits.Total != i+1 ||
				after.Balances.Game != want.Coins || after.Balances.GamePoints != want.Points {
				t.Errorf("check-in %d: %t, %+v, %+v; want streak %d and %+v", i+1, paid, after.Visits, after.Balances, streak, want)
			}
			if again, paid := modelstest.CheckIn(t, store, player, at.Add(11*time.Hour)); paid || again.Balances != after.Balances {
				t.Errorf("a second call that day: %t, %+v", paid, again.Balances)
			}
		}
	})
}

func TestCheckInPaysConfiguredRewardAndAdDoubles(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		second := modelstest.Noon.Add(24 * time.Hour)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		modelstest.Done(t, store, settings.ActionChangeSetting, "checkin_coins", "1,5,1,2,2,2,3")
		modelstest.Done(t, store, settings.ActionChangeSetting, "checkin_points", "10,7,30,40,50,60,100")
		changed := game.Reward{Coins: 5 * game.MCBK, Points: 7}
		after, _ := modelstest.CheckIn(t, store, player, second)
		if after.Visits.Paid() != changed || after.Balances.Game != 6*game.MCBK || after.Balances.GamePoints != 17 {
			t.Errorf("at the new reward: %+v, %+v", after.Visits, after.Balances)
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "checkin_coins", "1,1,1,2,2,2,3")
		modelstest.Done(t, store, settings.ActionChangeSetting, "checkin_points", "10,20,30,40,50,60,100")
		modelstest.Equal(t, modelstest.Must(store.Players.PlayerByTelegramID(t.Context(), player.TelegramID))(t).Visits.Paid(), changed, "after it was changed back")
		modelstest.WatchAd(t, store, player, models.AdDaily, second)
		extra, after, err := store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, second.Add(time.Minute))
		if err != nil || extra != changed || after.Balances.Game != 11*game.MCBK || after.Balances.GamePoints != 24 {
			t.Errorf("doubled: %+v, %+v, %v", extra, after.Balances, err)
		}
		if third, _ := modelstest.CheckIn(t, store, player, modelstest.Noon.Add(2*24*time.Hour)); third.Visits.Paid() != game.DefaultCheckIn.On(3) {
			t.Errorf("the next day: %+v", third.Visits)
		}
	})
}

func TestFiftyConcurrentCheckInsPayOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		var paid atomic.Int32
		modelstest.FiftyAtOnce(t, "", func() error {
			first, err := modelstest.Retry(func() (bool, error) {
				first, _, err := store.Daily.CheckIn(t.Context(), modelstest.By(player), modelstest.Season, modelstest.Noon)
				return first, err
			})
			if first {
				paid.Add(1)
			}
			return err
		})
		if after, _ := modelstest.CheckIn(t, store, player, modelstest.Noon); paid.Load() != 1 || after.Balances.Game != game.MCBK {
			t.Errorf("paid %d times: %+v", paid.Load(), after.Balances)
		}
	})
}

func TestCheckInNeedsConsentAndAnOpenSeason(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		stranger, player := modelstest.Player(t, store, modelstest.Unconsented()), modelstest.Player(t, store)
		modelstest.Refuses(store.Daily.CheckIn(t.Context(), modelstest.By(stranger), modelstest.Season, modelstest.Noon))(t, game.AgeConsentRequired, "without consent")
		modelstest.Refuses(store.Daily.CheckIn(t.Context(), modelstest.By(player), modelstest.Season, modelstest.Season.Start.Add(-time.Second)))(t, game.SeasonNotStarted, "before the season")
		modelstest.Refuses(store.Daily.CheckIn(t.Context(), modelstest.By(player), modelstest.Season, modelstest.Season.Start.Add(90*24*time.Hour)))(t, game.SeasonOver, "after the season")
	})
}

func TestAdDoublesCheckIn(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.Refuses(store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, modelstest.Noon))(t, models.NotEligible, "before a check-in")
		modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdDaily, 0, modelstest.Season, modelstest.Noon))(t, models.NotEligible, "a ticket before a check-in")
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		ticket := modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon)
		modelstest.Refuses(store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, modelstest.Noon))(t, models.AdNotConfirmed, "before the network's word")

		modelstest.ConfirmAd(t, store, player, modelstest.Noon.Add(10*time.Second), ticket)
		for range 2 { // the same answer however often it is asked for
			extra, after, err := store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, modelstest.Noon.Add(time.Minute))
			if err != nil || extra != game.DefaultCheckIn.On(1) || after.Balances.Game != 2*game.MCBK || after.Balances.GamePoints != 20 {
				t.Errorf("doubled: %+v, %+v, %v", extra, after.Balances, err)
			}
		}
		modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdDaily, 0, modelstest.Season, modelstest.Noon.Add(time.Minute)))(t, models.NotEligible, "another ticket")
	})
}

func TestOneOfTwoTicketsDoublesACheckIn(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		first, second := modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon), modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon.Add(time.Second))
		modelstest.ConfirmAd(t, store, player, modelstest.Noon.Add(10*time.Second), first)
		modelstest.ConfirmAd(t, store, player, modelstest.Noon.Add(20*time.Second), second)
		_, after, err := store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, modelstest.Noon.Add(time.Minute))
		if err != nil || after.Balances.Game != 2*game.MCBK {
			t.Errorf("two ads paid %+v, %v", after.Balances, err)
		}
	})
}

func TestAdBelongsToDayOfItsTicket(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		midnight := (game.DayOf(modelstest.Noon) + 1).Start()
		modelstest.CheckIn(t, store, player, midnight.Add(-time.Minute))
		ticket := modelstest.OpenAd(t, store, player, models.AdDaily, midnight.Add(-30*time.Second))
		modelstest.CheckIn(t, store, player, midnight.Add(time.Second)) // the second day pays 1 coin, 20 points
		modelstest.ConfirmAd(t, store, player, midnight.Add(10*time.Second), ticket)
		told, _, err := store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, midnight.Add(11*time.Second))
		if err != nil || told != game.DefaultCheckIn.On(1) {
			t.Errorf("yesterday's, told after today's check-in: %+v, %v", told, err)
		}
		modelstest.Refuses(store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, midnight.Add(12*time.Second)))(t, models.AdNotConfirmed, "today's is not doubled by it")
		modelstest.Equal(t, points(t, store, player), 10+20+10, "yesterday's paid points in all")
		yesterday, today := modelstest.TaskOf(t, store, player.ID, game.WatchAds, midnight.Add(-time.Second)), modelstest.TaskOf(t, store, player.ID, game.WatchAds, midnight.Add(time.Hour))
		if yesterday.Progress != 1 || today.Progress != 0 {
			t.Errorf("the ad counts %d for yesterday's task and %d for today's", yesterday.Progress, today.Progress)
		}
		late := modelstest.Player(t, store) // who has not come back today
		modelstest.CheckIn(t, store, late, midnight.Add(-time.Minute))
		ticket = modelstest.OpenAd(t, store, late, models.AdDaily, midnight.Add(-30*time.Second))
		modelstest.Refuses(store.Daily.DoubledCheckIn(t.Context(), late.ID, modelstest.Season, midnight))(t, models.AdNotConfirmed, "before the network's word")
		modelstest.ConfirmAd(t, store, late, midnight.Add(10*time.Second), ticket)
		extra, after, err := store.Daily.DoubledCheckIn(t.Context(), late.ID, modelstest.Season, midnight.Add(11*time.Second))
		if err != nil || extra != game.DefaultCheckIn.On(1) || after.Balances.GamePoints != 20 {
			t.Errorf("yesterday's, told today: %+v, %+v, %v", extra, after.Balances, err)
		}
	})
}

func TestDailyCallsAroundMidnightBelongToOneDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		midnight := (game.DayOf(modelstest.Noon) + 1).Start()
		before, after := midnight.Add(-time.Millisecond), midnight.Add(time.Millisecond)
		player := modelstest.Player(t, store)
		first, paid := modelstest.CheckIn(t, store, player, before)
		second, again := modelstest.CheckIn(t, store, player, after)
		if !paid || !again || first.Visits.Day+1 != second.Visits.Day || second.Visits.Streak != 2 {
			t.Errorf("check-ins on both sides: %+v, %+v", first.Visits, second.Visits)
		}
		if _, late := modelstest.CheckIn(t, store, player, before); late { // by a process whose clock is behind
			t.Error("yesterday was paid again after today")
		}
		yesterday, today := modelstest.Advice(t, store, player, before), modelstest.Advice(t, store, player, after)
		if yesterday.ID == today.ID {
			t.Error("one advice on both sides")
		}
		modelstest.NoError(t, modelstest.ClaimAdvice(t, store, player, yesterday.ID, before), "claim before midnight")
		modelstest.NoError(t, modelstest.ClaimAdvice(t, store, player, today.ID, after), "claim after midnight")
		other := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, other, before)
		ticket := modelstest.OpenAd(t, store, other, models.AdDaily, before)
		modelstest.CheckIn(t, store, other, after)
		late := modelstest.OpenAd(t, store, other, models.AdDaily, after)
		modelstest.ConfirmAd(t, store, other, after.Add(5*time.Second), ticket)
		modelstest.ConfirmAd(t, store, other, after.Add(6*time.Second), late)
		end, err := store.Players.Player(t.Context(), other.ID)
		if err != nil || end.Balances.Game != 4*game.MCBK || end.Balances.GamePoints != 10+10+20+20 || !end.Visits.Doubled {
			t.Errorf("both days doubled: %+v, %+v, %v", end.Balances, end.Visits, err)
		}
	})
}
