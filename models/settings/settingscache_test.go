package settings_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

func TestEveryProcessSeesSettingsWithinTwoSeconds(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	here, there := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	sees := func(store *store.Store, after time.Duration) bool {
		return store.Settings.InMaintenance(t.Context(), modelstest.Noon.Add(after))
	}
	if sees(here, 0) || sees(there, 0) {
		t.Error("a new game is closed")
	}
	modelstest.Done(t, here, settings.ActionMaintenance, "on")
	modelstest.Done(t, here, settings.ActionChangeSetting, "launch_age", "90m")
	if !sees(here, 0) {
		t.Error("who closed it does not see it at once")
	}
	if sees(there, 1999*time.Millisecond) {
		t.Error("the other process asks the database at each call")
	}
	if !sees(there, 2*time.Second) {
		t.Error("the other process does not see it after two seconds")
	}
	modelstest.Equal(t, there.Settings.RuntimeSettings(t.Context(), modelstest.Noon.Add(2*time.Second)).LaunchAge, 90*time.Minute, "the other process knows")
	modelstest.Done(t, there, settings.ActionMaintenance, "off")
	if sees(there, 2*time.Second) || sees(here, 2*time.Second) {
		t.Error("it is not open again")
	}
}

// Calls that came before a slow answer and after it are all served by that one answer.
func TestCallsWaitForOneReadOfSlowDatabase(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.WithTimeouts(t, address)
	release := modelstest.Hold(t, address, "LOCK TABLE settings IN ACCESS EXCLUSIVE MODE")
	began := time.Now()
	for _, known := range []bool{false, true} {
		var calls sync.WaitGroup
		for i := range 30 {
			calls.Go(func() {
				store.Settings.RuntimeSettings(t.Context(), modelstest.Noon.Add(time.Duration(i)*10*time.Second))
			})
		}
		calls.Wait()
		if took := time.Since(began); took > 3*time.Second { // a reading gives up after one second
			t.Errorf("known %t: waited for %s", known, took)
		}
		began = time.Now()
	}
	release()
}

// A process that starts beside a database so slow that it cannot read them must not go on with the usual ones.
func TestProcessLoadsSettingsBeforeServing(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	here, fresh := modelstest.OpenStore(t, address), modelstest.WithTimeouts(t, address)
	modelstest.Done(t, here, settings.ActionMaintenance, "on")
	modelstest.Done(t, here, settings.ActionChangeSetting, "sales", "off")
	const lock = "LOCK TABLE settings IN ACCESS EXCLUSIVE MODE"
	release := modelstest.Hold(t, address, lock)
	modelstest.WantFailure(t, fresh.Settings.LoadSettings(t.Context(), modelstest.Noon), "", "it learned what it could not read")
	release()
	modelstest.NoError(t, fresh.Settings.LoadSettings(t.Context(), modelstest.Noon))
	release = modelstest.Hold(t, address, lock)
	defer release()
	later := modelstest.Noon.Add(time.Minute)
	if !fresh.Settings.InMaintenance(t.Context(), later) || fresh.Settings.RuntimeSettings(t.Context(), later).Sales {
		t.Error("while the database is slow it does not go on with what it learned")
	}
}

func TestSettingsOutliveProcessAndUnavailableDatabase(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_saved", "600")
		modelstest.Done(t, store, settings.ActionMaintenance, "on")
		modelstest.Equal(t, store.Settings.RuntimeSettings(t.Context(), modelstest.Noon.Add(time.Hour)).TapsSaved, 600, "settings")
		modelstest.NoError(t, store.Close())
		later := modelstest.Noon.Add(2 * time.Hour)
		if !store.Settings.InMaintenance(t.Context(), later) || store.Settings.RuntimeSettings(t.Context(), later).TapsSaved != 600 {
			t.Error("without the database nothing is known any more")
		}
	})
}

func TestRuntimeSettingsStayWithinBounds(t *testing.T) {
	usual := settings.DefaultSettings()
	if want := (settings.RuntimeSettings{
		EnergyPerTap: 1, CoinsPerTap: 1000, TapsPerSecond: 10, TapsSaved: 5000, TapsAtFirst: 50, LaunchAge: 24 * time.Hour, LargePayment: 50, MatchedADay: 1000,
		PayWith: settings.PayBoth, StarUSD: 13_000, StarsAnOrder: [2]int{1, 10_000},
		CheckInCoins: [7]int{1, 1, 1, 2, 2, 2, 3}, CheckInPoints: [7]int{10, 20, 30, 40, 50, 60, 100}, AdvicePoints: 25, FreeSpins: 10, LeastPrize: 100,
		TaskRouletteSpin: [3]int{10, 1, 50}, TaskTapCount: [3]int{500, 1, 50}, TaskWatchAds: [3]int{5, 1, 100}, TaskGetPrediction: [3]int{1, 0, 20},
		TaskInviteFriends: [3]int{1, 2, 100}, TaskEnergySpend: [3]int{1000, 1, 50}, TaskExchangeJoin: [2]int{3, 100}, TaskSubscription: [2]int{3, 100}, Sales: true, Ads: true, Wheel: true, Mines: true,
	}); usual != want {
		t.Errorf("usually %+v, not %+v", usual, want)
	}
	for _, setting := range usual.List() {
		if setting.Key == "" || setting.Unit == "" || setting.Value != setting.Default {
			t.Errorf("setting %+v", setting)
		}
		for _, good := range []string{allOf(setting.Least, setting), allOf(setting.Most, setting)} {
			k, err := usual.With(setting.Key, good)
			if err != nil || !slices.ContainsFunc(k.List(), func(k settings.RuntimeSetting) bool { return k.Key == setting.Key && k.Value == good }) {
				t.Errorf("%s = %s: %+v, %v", setting.Key, good, k, err)
			}
		}
		if _, err := usual.With(setting.Key, "0"); (err == nil) != (setting.Least == "0" && setting.Numbers == 1) {
			t.Errorf("%s = 0: %v", setting.Key, err)
		}
		for _, bad := range []string{"", "-1", "1e3", "x", "9999999", "999h", allOf(setting.Most, setting) + "0", allOf(setting.Most, setting) + ",1", "<b>", "ON", "true", "1\n"} {
			k, err := usual.With(setting.Key, bad)
			var refusal *game.Refusal
			if !errors.As(err, &refusal) || k != usual {
				t.Errorf("%s = %q: %+v, %v", setting.Key, bad, k, err)
			}
		}
	}
}

// allOf is a bound as the value of each number of a list.
func allOf(bound string, k settings.RuntimeSetting) string {
	if k.Numbers == 1 || strings.Contains(bound, ",") {
		return bound
	}
	return strings.TrimSuffix(strings.Repeat(bound+",", k.Numbers), ",")
}

func TestListSettingIsValidatedAsAWhole(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		usual := store.Settings.RuntimeSettings(t.Context(), modelstest.Noon)
		modelstest.Equal(t, usual, settings.DefaultSettings(), "a new game has")
		for _, bad := range []string{"", "1", "1,1,1,1,1,1", "1,1,1,1,1,1,1,1", "1,1,1,1,1,1,-1", "31,1,1,1,1,1,1", "1,1,1,1,1,1,31", "1,1,1,1.5,1,1,1", "1;1;1;1;1;1;1", "1,1,1,x,1,1,1"} {
			if k, err := usual.With("checkin_coins", bad); !modelstest.IsRefused(err, "validation_failed") || k != usual {
				t.Errorf("%q: %+v, %v", bad, k.CheckInCoins, err)
			}
		}
		done := modelstest.Done(t, store, settings.ActionChangeSetting, "checkin_coins", "0, 1 2,3 4 5 30")
		if k := store.Settings.RuntimeSettings(t.Context(), modelstest.Noon); done.Outcome != "checkin_coins is 0,1,2,3,4,5,30" || k.CheckInCoins != [7]int{0, 1, 2, 3, 4, 5, 30} {
			t.Errorf("%q, %v", done.Outcome, k.CheckInCoins)
		}
		done = modelstest.Done(t, store, settings.ActionChangeSetting, "checkin_points", "1,1,1,1,1,1,1")
		if k := store.Settings.RuntimeSettings(t.Context(), modelstest.Noon); k.CheckInCoins[6] != 30 || k.CheckInPoints[6] != 1 {
			t.Errorf("%q, %+v", done.Outcome, k)
		}
	})
}

func TestDefaultRewardsAreThoseOfTheRules(t *testing.T) {
	usual := settings.DefaultSettings()
	modelstest.Equal(t, usual.CheckIn(), game.DefaultCheckIn, "a check-in")
	if usual.AdvicePoints != game.AdvicePoints || usual.FreeSpins != game.FreeSpinsADay || usual.LeastPrizeOre() != game.LeastPrizeOre {
		t.Errorf("what receipts and rows do not tell: %+v", usual)
	}
	const coin = game.MCBK
	want := []game.TaskTerms{
		{Action: game.RouletteSpin, Target: 10, Coins: coin, Points: 50},
		{Action: game.TapCount, Target: 500, Coins: coin, Points: 50},
		{Action: game.WatchAds, Target: 5, Coins: coin, Points: 100},
		{Action: game.GetPrediction, Target: 1, Points: 20},
		{Action: game.InviteFriends, Target: 1, Coins: 2 * coin, Points: 100},
		{Action: game.EnergySpend, Target: 1000, Coins: coin, Points: 50},
	}
	modelstest.Equal(t, usual.DailyTasks(), want, "the tasks of a day")
	for _, task := range want {
		if _, permanent := usual.PermanentTask(task.Action); permanent {
			t.Errorf("%s stays", task.Action)
		}
	}
	for _, action := range []game.TaskAction{game.ExchangeJoin, game.TelegramSubscription} {
		if terms, ok := usual.PermanentTask(action); !ok || terms != (game.TaskTerms{Action: action, Target: 1, Coins: 3 * coin, Points: 100}) {
			t.Errorf("%s: %+v", action, terms)
		}
	}
}

func TestRuntimeSettingIsStoredAsShown(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for value, shown := range map[string]string{"1h": "1h", "1h30m": "1h30m", "90m10s": "1h30m10s", "47h59m50s": "47h59m50s", "2880m": "48h"} {
			done := modelstest.Done(t, store, settings.ActionChangeSetting, "launch_age", value)
			modelstest.Equal(t, done.Outcome, "launch_age is "+shown, value)
		}
	})
}
