package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/taps"
)

func TestMaintenanceIsSeenByEveryProcessWithinTwoSeconds(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	here, there := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	sees := func(store *store.Store, after time.Duration) bool {
		return store.Settings.InMaintenance(t.Context(), modelstest.Noon.Add(after))
	}
	if sees(here, 0) || sees(there, 0) {
		t.Error("a new game is closed")
	}
	modelstest.Done(t, here, settings.ActionMaintenance, "on")
	if !sees(here, 0) {
		t.Error("who closed it does not see it at once")
	}
	if sees(there, 1999*time.Millisecond) {
		t.Error("the other process asks the database at each call")
	}
	if !sees(there, 2*time.Second) {
		t.Error("the other process does not see it after two seconds")
	}
	modelstest.Done(t, there, settings.ActionMaintenance, "off")
	if sees(there, 2*time.Second) || sees(here, 2*time.Second) {
		t.Error("it is not open again")
	}
}

// Calls that came before a slow answer and after it are all served by that one answer.
func TestNoCallWaitsForManyReadingsOfASlowDatabase(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
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
		if took := time.Since(began); took > 6*time.Second { // a reading gives up after one second
			t.Errorf("known %t: waited for %s", known, took)
		}
		began = time.Now()
	}
	release()
}

// A process that starts beside a database so slow that it cannot read them must not go on with the usual ones.
func TestAProcessLearnsWhatAdminsSetBeforeItServes(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	here, fresh := modelstest.OpenStore(t, address), modelstest.WithTimeouts(t, address)
	modelstest.Done(t, here, settings.ActionMaintenance, "on")
	modelstest.Done(t, here, settings.ActionChangeSetting, "sales", "off")
	const lock = "LOCK TABLE settings IN ACCESS EXCLUSIVE MODE"
	release := modelstest.Hold(t, address, lock)
	if err := fresh.Settings.LoadSettings(t.Context(), modelstest.Noon); err == nil {
		t.Error("it learned what it could not read")
	}
	release()
	if err := fresh.Settings.LoadSettings(t.Context(), modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	release = modelstest.Hold(t, address, lock)
	defer release()
	later := modelstest.Noon.Add(time.Minute)
	if !fresh.Settings.InMaintenance(t.Context(), later) || fresh.Settings.RuntimeSettings(t.Context(), later).Sales {
		t.Error("while the database is slow it does not go on with what it learned")
	}
}

func TestTheNewValueOfARuntimeSettingIsSeenByEveryProcess(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	here, there := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	there.Settings.RuntimeSettings(t.Context(), modelstest.Noon)
	modelstest.Done(t, here, settings.ActionChangeSetting, "launch_age", "90m")
	if got := there.Settings.RuntimeSettings(t.Context(), modelstest.Noon.Add(2*time.Second)).LaunchAge; got != 90*time.Minute {
		t.Errorf("the other process knows %s", got)
	}
}

func TestWhatAdminsSetOutlivesTheProcessAndADatabaseThatIsAway(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_saved", "600")
		modelstest.Done(t, store, settings.ActionMaintenance, "on")
		if k := store.Settings.RuntimeSettings(t.Context(), modelstest.Noon.Add(time.Hour)); k.TapsSaved != 600 {
			t.Errorf("settings %+v", k)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		later := modelstest.Noon.Add(2 * time.Hour)
		if !store.Settings.InMaintenance(t.Context(), later) || store.Settings.RuntimeSettings(t.Context(), later).TapsSaved != 600 {
			t.Error("without the database nothing is known any more")
		}
	})
}

func TestRuntimeSettingsStayWithinTheirBounds(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		usual := store.Settings.RuntimeSettings(t.Context(), modelstest.Noon)
		if want := (settings.RuntimeSettings{
			EnergyPerTap: 1, CoinsPerTap: 1000, TapsPerSecond: 10, TapsSaved: 5000, TapsAtFirst: 50, LaunchAge: 24 * time.Hour, LargePayment: 50, MatchedADay: 1000,
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
	})
}

// allOf is a bound as the value of each number of a list.
func allOf(bound string, k settings.RuntimeSetting) string {
	if k.Numbers == 1 || strings.Contains(bound, ",") {
		return bound
	}
	return strings.TrimSuffix(strings.Repeat(bound+",", k.Numbers), ",")
}

func TestAListIsSetAsAWholeAndEachNumberWithinItsBounds(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		usual := store.Settings.RuntimeSettings(t.Context(), modelstest.Noon)
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

func TestTheUsualRewardsAreThoseOfTheRules(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		usual := store.Settings.RuntimeSettings(t.Context(), modelstest.Noon)
		if usual.CheckIn() != game.DefaultCheckIn {
			t.Errorf("a check-in: %+v", usual.CheckIn())
		}
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
		if got := usual.DailyTasks(); !slices.Equal(got, want) {
			t.Errorf("the tasks of a day: %+v", got)
		}
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
	})
}

func TestARuntimeSettingIsStoredAsItIsShown(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for value, shown := range map[string]string{"1h": "1h", "1h30m": "1h30m", "90m10s": "1h30m10s", "47h59m50s": "47h59m50s", "2880m": "48h"} {
			done := modelstest.Done(t, store, settings.ActionChangeSetting, "launch_age", value)
			if done.Outcome != "launch_age is "+shown {
				t.Errorf("%s: %q", value, done.Outcome)
			}
		}
	})
}

func TestTapsKeepThePaceThatAdminsSet(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_at_first", "20")
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_per_second", "2")
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_saved", "100")
		player := modelstest.Player(t, store)
		at := modelstest.Noon
		for i, c := range []struct {
			after    time.Duration
			accepted int
		}{{0, 20}, {10 * time.Second, 20}, {time.Hour, 100}} {
			at = at.Add(c.after)
			tapped, err := store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 500, Key: modelstest.Key(i)}, modelstest.Season, at)
			if err != nil || tapped.Accepted != c.accepted {
				t.Errorf("after %s accepted %d, %v", c.after, tapped.Accepted, err)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestATapTakesAndEarnsWhatAdminsSetAndABatchKeepsItsAnswer(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		tap := func(key string, sent int) taps.Tapped {
			tapped, err := store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: sent, Key: key}, modelstest.Season, modelstest.Noon)
			if err != nil {
				t.Fatal(err)
			}
			return tapped
		}
		usual := tap("batch-0001", 10)
		modelstest.Done(t, store, settings.ActionChangeSetting, "energy_per_tap", "3")
		modelstest.Done(t, store, settings.ActionChangeSetting, "micro_mcbk_per_tap", "2500")
		dear := tap("batch-0002", 10)
		if p := dear.Player; dear.Accepted != 10 || p.Balances.Game != 35_000 || p.Bag.EnergySpent != 40 || dear.Rate != (game.TapRate{Energy: 3, Coins: 2500}) {
			t.Errorf("at the new rate: %+v", dear)
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "energy_per_tap", "10")
		if all := tap("batch-0003", 500); all.Accepted != 30 || all.Player.Bag.Energy() != 660 { // the pace is what it was
			t.Errorf("at ten energy: %+v", all)
		}
		for key, first := range map[string]taps.Tapped{"batch-0001": usual, "batch-0002": dear} {
			if again := tap(key, 10); again.Accepted != first.Accepted || again.Rate != first.Rate || again.Player.Balances != first.Player.Balances || again.Player.Bag.Energy() != first.Player.Bag.Energy() {
				t.Errorf("%s again: %+v, first %+v", key, again, first)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestVerifyFindsARateThatAReceiptDoesNotTell(t *testing.T) {
	t.Parallel()
	const second = " WHERE reference = 'tap:key-00002'"
	for name, c := range map[string]struct {
		change string
		broken []string
	}{
		"another energy":    {"memo = REPLACE(memo, ' 3 2000', ' 2 2000')", []string{receiptsAreTrue, countersAreSums}},
		"no energy":         {"memo = REPLACE(memo, ' 3 2000', ' 0 2000')", []string{receiptsAreTrue, countersAreSums}},
		"other coins":       {"memo = REPLACE(memo, ' 3 2000', ' 3 1000')", []string{receiptsAreTrue, countersAreSums}},
		"no coins":          {"memo = REPLACE(memo, ' 3 2000', ' 3 0')", []string{receiptsAreTrue, countersAreSums}},
		"no rate":           {"memo = REPLACE(memo, ' 3 2000', '')", []string{receiptsAreTrue, countersAreSums}},
		"the usual one":     {"memo = REPLACE(memo, ' 3 2000', ' 1 1000')", []string{receiptsAreTrue, countersAreSums}},
		"half a rate":       {"memo = REPLACE(memo, ' 3 2000', ' 3')", []string{receiptsAreTrue, countersAreSums}},
		"something added":   {"memo = memo || ' 1'", []string{receiptsAreTrue}},
		"an amount of more": {"amount = amount + 2000", []string{receiptsAreTrue, balancesAreSums, countersAreSums}},
	} {
		t.Run(name, func(t *testing.T) {
			modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
				player := modelstest.Player(t, store)
				modelstest.Tap(t, store, player, 5, modelstest.Key(1), modelstest.Noon)
				modelstest.Done(t, store, settings.ActionChangeSetting, "energy_per_tap", "3")
				modelstest.Done(t, store, settings.ActionChangeSetting, "micro_mcbk_per_tap", "2000")
				modelstest.Tap(t, store, player, 5, modelstest.Key(2), modelstest.Noon)
				modelstest.Sound(t, store)
				unguarded(t, raw)
				modelstest.MustExec(t, raw, "UPDATE postings SET "+c.change+second)
				breaks(t, store, player.ID, c.broken...)
			})
		})
	}
}

func TestABannedPlayerEarnsNothingAndKeepsEverything(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		tap := func(key string) (taps.Tapped, error) {
			return store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 5, Key: key}, modelstest.Season, modelstest.Noon)
		}
		first, err := tap("batch-0001")
		if err != nil {
			t.Fatal(err)
		}
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "a bot")
		for _, key := range []string{"batch-0001", "batch-0002"} { // one is counted already
			_, err := tap(key)
			var refusal *game.Refusal
			if !errors.As(err, &refusal) || refusal.Code != game.UserBlocked || refusal.Params["reason"] != "a bot" {
				t.Errorf("%s: %v", key, err)
			}
		}
		modelstest.Done(t, store, players.ActionUnban, fmt.Sprint(player.ID))
		if again, err := tap("batch-0001"); err != nil || again.Player.Balances != first.Player.Balances {
			t.Errorf("the first batch again: %+v, %v", again, err)
		}
		if next, err := tap("batch-0002"); err != nil || next.Accepted != 5 || next.Player.Balances.Game != 30*game.CoinsPerTap {
			t.Errorf("the next batch: %+v, %v", next, err)
		}
		modelstest.Sound(t, store)
	})
}

func TestABannedPlayerStaysBannedForTheFirstReason(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		id := fmt.Sprint(modelstest.Player(t, store).ID)
		first, second := modelstest.Ask(t, store, players.ActionBan, id, "a bot"), modelstest.Ask(t, store, players.ActionBan, id, "rude")
		modelstest.Confirm(t, store, first)
		if d := modelstest.Confirm(t, store, second); d.Action.State != models.ActionRefused || d.Action.Outcome != "already_banned" {
			t.Errorf("decided %+v", d)
		}
		if p, err := store.Players.FindPlayer(t.Context(), id); err != nil || p.BanReason != "a bot" || !p.BannedAt.Equal(modelstest.Noon) {
			t.Errorf("the player is %+v, %v", p, err)
		}
	})
}

func TestAPlayerIsFoundByNumberTelegramsNumberAndName(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		arrive := func(a players.LaunchUser) models.Player {
			p, err := store.Players.SignIn(t.Context(), a, modelstest.Noon)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		ann := arrive(players.LaunchUser{TelegramID: modelstest.TelegramID(), Username: "ann_b"})
		small := arrive(players.LaunchUser{TelegramID: int64(ann.ID)}) // Telegram's number is Ann's here
		for who, want := range map[string]models.PlayerID{
			fmt.Sprint(ann.ID): ann.ID, fmt.Sprint(ann.TelegramID): ann.ID, "@ANN_B": ann.ID, fmt.Sprint(small.ID): small.ID,
		} {
			if p, err := store.Players.FindPlayer(t.Context(), who); err != nil || p.ID != want {
				t.Errorf("%s is %d, %v", who, p.ID, err)
			}
		}
		for _, who := range []string{"", "@", "@nobody", "ann_b", "0", "-1", "1.5", "99999999999999999999", "' OR 1=1 --"} {
			if p, err := store.Players.FindPlayer(t.Context(), who); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("%q is %d, %v", who, p.ID, err)
			}
		}
	})
}

func TestANameThatSeveralHaveFindsNobody(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var called []models.PlayerID // the last first
		for i := range 12 {
			p, err := store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: modelstest.TelegramID(), Username: []string{"Ann_B", "ann_b"}[i%2]}, modelstest.Noon)
			if err != nil {
				t.Fatal(err)
			}
			called = slices.Insert(called, 0, p.ID)
			all := new(players.NamesakesError)
			switch p, err := store.Players.FindPlayer(t.Context(), "@ANN_b"); {
			case i == 0:
				if err != nil || p.ID != called[0] {
					t.Errorf("the only one is %d, %v", p.ID, err)
				}
			case !errors.As(err, &all) || p.ID != 0:
				t.Errorf("of %d it is %d, %v", i+1, p.ID, err)
			case all.More != (i >= 10) || !slices.EqualFunc(all.Players, called[:min(i+1, 10)], func(p models.Player, id models.PlayerID) bool { return p.ID == id }):
				t.Errorf("of %d it may be %+v, more %t", i+1, all.Players, all.More)
			}
		}
	})
}

func TestTheFiguresCountPlayersTapsAndCoins(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		if f, err := store.Admin.Figures(t.Context(), modelstest.Noon); err != nil || f != (admin.Figures{}) {
			t.Errorf("of nobody: %+v, %v", f, err)
		}
		modelstest.Player(t, store, modelstest.Tapped(20))
		modelstest.Player(t, store, modelstest.Tapped(5))
		modelstest.Player(t, store, modelstest.Unconsented())
		yesterday := modelstest.Noon.Add(-24 * time.Hour)
		modelstest.Player(t, store, modelstest.ArrivedAt(yesterday), modelstest.Tapped(7))
		want := admin.Figures{Players: 4, Consented: 3, ActiveToday: 2, TapsToday: 25}
		want.Held.Game = 32 * game.CoinsPerTap
		if f, err := store.Admin.Figures(t.Context(), modelstest.Noon); err != nil || f != want {
			t.Errorf("counted %+v, %v", f, err)
		}
	})
}

func TestTasksThatADayCannotBringAreOutOfReach(t *testing.T) {
	for changes, want := range map[string]string{
		"":                 "",
		"energy_per_tap=2": "",
		"energy_per_tap=3": "tap_count energy_spend", // 333 taps and 999 energy
		"energy_per_tap=3 task_tap_count=333,1,1 task_energy_spend=999,1,1": "",
		"task_roulette_spin=20,1,1":                                         "",
		"free_spins=9 task_roulette_spin=20,1,1":                            "roulette_spin",
	} {
		settings := settings.DefaultSettings()
		for _, change := range strings.Fields(changes) {
			key, value, _ := strings.Cut(change, "=")
			var err error
			if settings, err = settings.With(key, value); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, task := range settings.OutOfReach() {
			got = append(got, string(task.Action))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with %q %q are out of reach, want %q", changes, got, want)
		}
	}
}
