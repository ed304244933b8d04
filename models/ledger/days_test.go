package ledger_test

import (
	"database/sql"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// formatDay is a day in few words: players, taps and coins of the bag, and of other sources up to
// the last that gave any.
func formatDay(d ledger.DayTotals) string {
	coins := d.Coins
	for len(coins) > 1 && coins[len(coins)-1] == 0 {
		coins = coins[:len(coins)-1]
	}
	return fmt.Sprint(d.Players, d.Taps, coins)
}

// wantDays compares the last three days with what should be told of them, the oldest first.
func wantDays(t *testing.T, store *store.Store, now time.Time, want ...string) {
	t.Helper()
	days, err := store.Ledger.Days(t.Context(), now, len(want))
	if err != nil || len(days.Days) != len(want) || !days.Until.IsZero() {
		t.Fatalf("days %+v, %v", days, err)
	}
	for i, day := range days.Days {
		if got := formatDay(day); got != want[i] || day.Day != game.DayOf(now)-game.Day(len(want)-1-i) {
			t.Errorf("day %d is %s, want %s", day.Day, got, want[i])
		}
	}
}

// playTwoPlayers are what two players did on three days.
func playTwoPlayers(t *testing.T, store *store.Store) (now time.Time) {
	t.Helper()
	ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
	day := 24 * time.Hour
	midnight := modelstest.Noon.Truncate(day).Add(day)
	modelstest.Tap(t, store, ann, 10, modelstest.Key(1), modelstest.Noon)
	modelstest.Tap(t, store, ann, 20, modelstest.Key(2), midnight.Add(-time.Microsecond))
	modelstest.Tap(t, store, ann, 5, modelstest.Key(3), midnight)
	modelstest.Tap(t, store, bob, 7, modelstest.Key(4), midnight)
	modelstest.Done(t, store, settings.ActionChangeSetting, "energy_per_tap", "2")
	modelstest.Done(t, store, settings.ActionChangeSetting, "micro_mcbk_per_tap", "1500")
	modelstest.Tap(t, store, bob, 3, modelstest.Key(5), midnight.Add(time.Hour))
	modelstest.Tap(t, store, bob, 4, modelstest.Key(6), midnight.Add(day))
	return midnight.Add(day + time.Hour)
}

var twoPlayersDays = []string{"0 0 [0]", "1 30 [30000]", "2 15 [16500]", "1 4 [6000]"}

func TestDaysReportPlayersTapsCoinsCountedOrNot(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		wantDays(t, store, modelstest.Noon, "0 0 [0]", "0 0 [0]")
		now := playTwoPlayers(t, store)
		wantDays(t, store, now, twoPlayersDays...)
		modelstest.Returns(store.Ledger.CountDays(t.Context(), now))(t, 0, "counted before they are sealed")
		modelstest.SealNothing(t, store, now)
		modelstest.Seal(t, store, 6, now.Add(10*time.Minute))
		for _, want := range []int64{6, 0} {
			modelstest.Returns(store.Ledger.CountDaysInChunks(t.Context(), 4, now))(t, want, "counted")
			wantDays(t, store, now, twoPlayersDays...)
		}
		// A batch of which nothing was accepted is nobody's day.
		late := modelstest.Player(t, store, modelstest.ArrivedAt(now))
		modelstest.Tap(t, store, late, 50, modelstest.Key(9), now)
		batch := taps.Batch{TelegramID: late.TelegramID, Sent: 5, Key: modelstest.Key(10)}
		modelstest.Equal(t, modelstest.Must(store.Taps.Tap(t.Context(), batch, modelstest.Season, now))(t).Accepted, 0)
		wantDays(t, store, now, "0 0 [0]", "1 30 [30000]", "2 15 [16500]", "2 54 [81000]")
	})
}

// Two stores on one PostgreSQL are two processes.
func TestConcurrentProcessesCountDaysOnce(t *testing.T) {
	modelstest.EachDatabaseProcesses(t, func(t *testing.T, stores []*store.Store, _ *sql.DB) {
		now := playTwoPlayers(t, stores[0])
		modelstest.SealNothing(t, stores[0], now)
		modelstest.Seal(t, stores[0], 6, now.Add(10*time.Minute))
		var counted atomic.Int64
		modelstest.Concurrently(8, func(i int) {
			n, err := stores[i%len(stores)].Ledger.CountDaysInChunks(t.Context(), 2, now)
			if err != nil {
				t.Errorf("process %d: %v", i%len(stores), err)
			}
			counted.Add(n)
		})
		modelstest.Equal(t, counted.Load(), 6, "postings counted")
		wantDays(t, stores[0], now, twoPlayersDays...)
	})
}

func TestBusyDayIsReportedUpToATime(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		now := playTwoPlayers(t, store)
		days, err := store.Ledger.DaysWithTail(t.Context(), now, 3, 3)
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		if err != nil || !days.Until.Equal(midnight) || formatDay(days.Days[1]) != "1 5 [5000]" || formatDay(days.Days[2]) != "0 0 [0]" {
			t.Errorf("%+v, %v", days, err)
		}
	})
}

func TestEveryHouseAccountGivingCoinsHasATitle(t *testing.T) {
	titles := 0
	for _, house := range ledger.Chart {
		if slices.Contains(house.Assets, models.AssetMCBK) && house.Account != modelstest.House && house.Title == "" {
			t.Errorf("%s has none", house.Account)
		}
		if house.Title != "" {
			titles++
		}
	}
	if titles == 0 {
		t.Error("no source has a name")
	}
}
