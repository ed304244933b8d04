package tasks_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/taps"
	"mcbk/models/tasks"
)

func TestDailyActionsCountForTheirTasks(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		friend := modelstest.Must(store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Bob", StartParam: inviter.ReferralCode}, modelstest.Noon))(t)
		modelstest.Must(store.Players.SetPreference(t.Context(), friend.ID, players.Preference{Consent: true}, modelstest.Noon))(t)
		for range 2 { // the friend's second call and day do not count again
			modelstest.CheckIn(t, store, friend, modelstest.Noon)
			modelstest.CheckIn(t, store, inviter, modelstest.Noon)
		}
		modelstest.Advice(t, store, inviter, modelstest.Noon)
		modelstest.Advice(t, store, inviter, modelstest.Noon)
		modelstest.WatchAd(t, store, inviter, models.AdPrediction, modelstest.Noon)
		modelstest.WatchAd(t, store, inviter, models.AdDaily, modelstest.Noon.Add(time.Minute))
		for action, want := range map[game.TaskAction]int64{game.InviteFriends: 1, game.GetPrediction: 1, game.WatchAds: 2, game.RouletteSpin: 0} {
			modelstest.Equal(t, modelstest.TaskOf(t, store, inviter.ID, action, modelstest.Noon.Add(time.Hour)).Progress, want, action, "stands at")
		}
	})
}

func TestTasksImpossibleInADayAreRejected(t *testing.T) {
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
			settings = modelstest.Must(settings.With(key, value))(t)
		}
		var got []string
		for _, task := range settings.OutOfReach() {
			got = append(got, string(task.Action))
		}
		modelstest.Equal(t, strings.Join(got, " "), want, changes, got, "are out of reach")
	}
}

// playerWithFullAllowance is a player whose allowance holds all taps of a day at Noon.
func playerWithFullAllowance(t *testing.T, store *store.Store) models.Player {
	t.Helper()
	return modelstest.Player(t, store, modelstest.ArrivedAt(modelstest.Noon.Add(-3*time.Hour)))
}

// wantTask fails unless a player's task is in that state and has come so far.
func wantTask(t *testing.T, store *store.Store, id models.PlayerID, action game.TaskAction, now time.Time, state models.TaskState, progress int64) models.PlayerTask {
	t.Helper()
	task := modelstest.TaskOf(t, store, id, action, now)
	if task.State != state || task.Progress != progress {
		t.Errorf("%s is %s at %d, want %s at %d", action, task.State, task.Progress, state, progress)
	}
	return task
}

func closeTasks(t *testing.T, store *store.Store, season game.Season, now time.Time) int64 {
	t.Helper()
	return modelstest.Must(store.Tasks.CloseTasks(t.Context(), season, now))(t)
}

// taskEntries are a player's postings of tasks, as text.
func taskEntries(t *testing.T, store *store.Store, id models.PlayerID) (all []string) {
	t.Helper()
	postings := modelstest.Must(store.Ledger.Postings(t.Context(), id))(t)
	for _, p := range postings {
		if p.Source == "house:tasks" {
			all = append(all, fmt.Sprintf("%s %d>%s %d", p.Reference, p.Line, p.Destination, p.Amount))
		}
	}
	return all
}

func TestReadingTasksWritesADaysTasksOnce(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		modelstest.Done(t, store, tasks.ActionAddTask, "exchange_join", "https://exchange.example/join", "Join", "Вступайте")
		lists := make([]tasks.TaskLists, 20)
		var looks sync.WaitGroup
		for i := range lists {
			looks.Go(func() {
				var err error
				if lists[i], err = store.Tasks.Tasks(t.Context(), player, modelstest.Noon); err != nil {
					t.Errorf("look %d: %v", i, err)
				}
			})
		}
		looks.Wait()
		for _, list := range lists {
			modelstest.Equal(t, list, lists[0], "one look sees another")
		}
		if len(lists[0].Daily) != 6 || len(lists[0].Permanent) != 1 {
			t.Fatalf("they see %+v", lists[0])
		}
		for i, task := range lists[0].Daily {
			if task.Task.Terms() != settings.DefaultSettings().DailyTasks()[i] || *task.Task.Day != game.DayOf(modelstest.Noon) || task.State != models.TaskActive || task.Progress != 0 || task.ClaimedAt != nil {
				t.Errorf("task %d is %+v", i, task)
			}
		}
		join := lists[0].Permanent[0]
		if join.Task.URL != "https://exchange.example/join" || join.Task.TitleEn != "Join" || join.Task.TitleRu != "Вступайте" || join.Task.RewardCoins != 3*game.MCBK || join.Task.RewardPoints != 100 {
			t.Errorf("the permanent task is %+v", join)
		}
		tomorrow, err := store.Tasks.Tasks(t.Context(), player, modelstest.Noon.Add(24*time.Hour))
		if err != nil || len(tomorrow.Daily) != 6 || tomorrow.Daily[0].TaskID == lists[0].Daily[0].TaskID || tomorrow.Permanent[0].TaskID != join.TaskID {
			t.Errorf("tomorrow they see %+v, %v", tomorrow, err)
		}
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM player_tasks"), 0, "the reads left rows")
	})
}

func TestProgressOfEventsStopsAtTheTarget(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.AdvanceTask(t, store, player.ID, game.WatchAds, 1, modelstest.Noon)
		wantTask(t, store, player.ID, game.WatchAds, modelstest.Noon, models.TaskActive, 1)
		modelstest.AdvanceTask(t, store, player.ID, game.WatchAds, 3, modelstest.Noon)
		wantTask(t, store, player.ID, game.WatchAds, modelstest.Noon, models.TaskActive, 4)
		modelstest.AdvanceTask(t, store, player.ID, game.WatchAds, 5, modelstest.Noon)
		wantTask(t, store, player.ID, game.WatchAds, modelstest.Noon, models.TaskCompleted, 5)
		modelstest.AdvanceTask(t, store, player.ID, game.WatchAds, 5, modelstest.Noon)
		wantTask(t, store, player.ID, game.WatchAds, modelstest.Noon, models.TaskCompleted, 5)
		modelstest.AdvanceTask(t, store, player.ID, game.GetPrediction, 1, modelstest.Noon)
		wantTask(t, store, player.ID, game.GetPrediction, modelstest.Noon, models.TaskCompleted, 1)
		wantTask(t, store, player.ID, game.RouletteSpin, modelstest.Noon, models.TaskActive, 0)
		modelstest.WantFailure(t, modelstest.CountTask(t.Context(), store, modelstest.Player(t, store).ID, game.ExchangeJoin, 1, modelstest.Noon), "", "an event counts for a permanent task")
	})
}

func TestSpinsOfADayCompleteItsTask(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		spin := func(n int, at time.Time) {
			for range n {
				modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), at)
			}
		}
		yesterday, now := modelstest.Noon, modelstest.Noon.Add(24*time.Hour)
		spin(2, yesterday)
		spin(9, now)
		wantTask(t, store, player.ID, game.RouletteSpin, now, models.TaskActive, 9)
		spin(1, now)
		wantTask(t, store, player.ID, game.RouletteSpin, now, models.TaskCompleted, 10)
		modelstest.Sound(t, store)
		spin(1, now)
		task := wantTask(t, store, player.ID, game.RouletteSpin, now, models.TaskCompleted, 10)
		modelstest.Must(claim(t, store, player, task.TaskID, now))(t)
		spin(1, yesterday) // by a clock that is behind
		if p := modelstest.Must(store.Players.Player(t.Context(), player.ID))(t); p.Wheel.SpinsToday != 11 || p.Wheel.SpunDay != game.DayOf(now) {
			t.Errorf("the wheel is %+v", p.Wheel)
		}
	})
}

// A process whose clock is ahead has begun the next day of the bag.
func TestBatchCompletesTaskOfALaterDay(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := playerWithFullAllowance(t, store)
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		modelstest.Tap(t, store, player, 1, modelstest.Key(1), midnight.Add(time.Second))
		modelstest.Tap(t, store, player, 499, modelstest.Key(2), midnight.Add(-time.Second))
		modelstest.Equal(t, modelstest.Count(t, raw, fmt.Sprintf("SELECT COUNT(*) FROM player_tasks WHERE state = 'completed' AND day = %d", game.DayOf(midnight))), 1, "tasks are completed")
		wantTask(t, store, player.ID, game.TapCount, midnight, models.TaskCompleted, 500)
		modelstest.Sound(t, store)
	})
}

// A program before this one may have written the day's tasks, and known fewer.
func TestEventWithoutATaskThatDayCountsNothing(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.MustExec(t, raw, fmt.Sprintf(`INSERT INTO tasks (action, day, target, reward_coins, reward_points, url, title_en, title_ru, created_at)
			VALUES ('tap_count', %d, 500, 0, 10, '', '', '', '2026-03-01 00:00:00+00:00')`, game.DayOf(modelstest.Noon)))
		player := playerWithFullAllowance(t, store)
		modelstest.AdvanceTask(t, store, player.ID, game.WatchAds, 1, modelstest.Noon)
		modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon)
		modelstest.Tap(t, store, player, 500, modelstest.Key(1), modelstest.Noon)
		wantTask(t, store, player.ID, game.TapCount, modelstest.Noon, models.TaskCompleted, 500)
		lists := modelstest.Must(store.Tasks.Tasks(t.Context(), player, modelstest.Noon))(t)
		modelstest.Equal(t, len(lists.Daily), 1, "the day has tasks")
	})
}

func TestConcurrentEventsAllCount(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		var events sync.WaitGroup
		for range 4 {
			events.Go(func() { modelstest.AdvanceTask(t, store, player.ID, game.WatchAds, 1, modelstest.Noon) })
		}
		events.Wait()
		wantTask(t, store, player.ID, game.WatchAds, modelstest.Noon, models.TaskActive, 4)
	})
}

func TestRolledBackEventDoesNotCount(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		no := errors.New("no")
		err := modelstest.InTx(t.Context(), store, func(ctx context.Context) error {
			if err := modelstest.CountTask(ctx, store, player.ID, game.WatchAds, 1, modelstest.Noon); err != nil {
				return err
			}
			return no
		})
		modelstest.WantError(t, err, no, "rolled back with")
		wantTask(t, store, player.ID, game.WatchAds, modelstest.Noon, models.TaskActive, 0)
	})
}

// Progress is read from the player's own row; only the batch that reaches the target writes one more.
func TestTapsCompleteTasksWithTheReachingBatch(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := playerWithFullAllowance(t, store)
		rows := func() int { return modelstest.Count(t, raw, "SELECT COUNT(*) FROM player_tasks") }
		modelstest.Tap(t, store, player, 300, modelstest.Key(1), modelstest.Noon)
		modelstest.Tap(t, store, player, 199, modelstest.Key(2), modelstest.Noon)
		modelstest.Equal(t, rows(), 0, "499 taps left rows")
		wantTask(t, store, player.ID, game.TapCount, modelstest.Noon, models.TaskActive, 499)
		wantTask(t, store, player.ID, game.EnergySpend, modelstest.Noon, models.TaskActive, 499)
		before := modelstest.ReadContents(t, raw)
		modelstest.Tap(t, store, player, 1, modelstest.Key(3), modelstest.Noon)
		modelstest.Equal(t, modelstest.ReadContents(t, raw).Changed(before), []string{"player_tasks", "players", "postings"}, "the 500th tap changed")
		wantTask(t, store, player.ID, game.TapCount, modelstest.Noon, models.TaskCompleted, 500)
		before = modelstest.ReadContents(t, raw)
		modelstest.Tap(t, store, player, 499, modelstest.Key(4), modelstest.Noon)
		modelstest.Equal(t, modelstest.ReadContents(t, raw).Changed(before), []string{"players", "postings"}, "later taps changed")
		modelstest.Tap(t, store, player, 1, modelstest.Key(5), modelstest.Noon)
		wantTask(t, store, player.ID, game.EnergySpend, modelstest.Noon, models.TaskCompleted, 1000)
		wantTask(t, store, player.ID, game.TapCount, modelstest.Noon.Add(24*time.Hour), models.TaskActive, 0)
		modelstest.Sound(t, store)
	})
}

func TestOneBatchCompletesBothUnopenedTasks(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := playerWithFullAllowance(t, store)
		for i := range 2 { // the second has nothing left
			modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 1000, Key: modelstest.Key(i)}, modelstest.Season, modelstest.Noon))(t)
		}
		wantTask(t, store, player.ID, game.TapCount, modelstest.Noon, models.TaskCompleted, 500)
		wantTask(t, store, player.ID, game.EnergySpend, modelstest.Noon, models.TaskCompleted, 1000)
	})
}

// A group of batches of many players, of whom some reach their target in it; on PostgreSQL they
// are remembered.
func TestBatchesWrittenTogetherCompleteTheirTasks(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		var players []models.Player
		for range 8 {
			players = append(players, playerWithFullAllowance(t, store))
		}
		var batches sync.WaitGroup
		for i, p := range players {
			for n := range 10 {
				batches.Go(func() {
					batch := taps.Batch{TelegramID: p.TelegramID, Sent: 50 + i%2, Key: fmt.Sprintf("batch-%02d-%02d", i, n)}
					modelstest.Succeeds(store.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon))(t, "batch")
				})
			}
		}
		batches.Wait()
		for _, p := range players {
			wantTask(t, store, p.ID, game.TapCount, modelstest.Noon, models.TaskCompleted, 500)
		}
	})
}

func TestTapWithoutTaskCacheWritesTasks(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := playerWithFullAllowance(t, store)
		store.Taps = taps.New(store.DB, store.Settings, tasks.New(store.DB, store.Ledger, store.Commit), store.Commit) // as in a process that has just begun
		modelstest.NoError(t, modelstest.InTx(t.Context(), store, func(ctx context.Context) error {                    // as the call with an Idempotency-Key is
			_, err := store.Taps.Tap(ctx, taps.Batch{TelegramID: player.TelegramID, Sent: 600, Key: modelstest.Key(1)}, modelstest.Season, modelstest.Noon)
			return err
		}))
		wantTask(t, store, player.ID, game.TapCount, modelstest.Noon, models.TaskCompleted, 500)
	})
}

func TestFastClockProcessCachesTodaysTasksAgain(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, at := range []time.Time{modelstest.Noon, modelstest.Noon.Add(30 * 24 * time.Hour), modelstest.Noon} {
			modelstest.Returns(store.Tasks.LearnTasks(t.Context(), at))(t, true, "the tasks of", at, "are known")
		}
	})
}

// On the day on which tasks come into the game, players have tapped before.
func TestTapsBeforeATaskExistedCount(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, database string) {
		address := modelstest.Address(t, database)
		store := modelstest.OpenStore(t, address)
		looks, taps, sleeps := modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)
		modelstest.MustExec(t, modelstest.Raw(t, address), fmt.Sprintf(`UPDATE players SET bag_day = %d, bag_taps_today = 650, bag_energy_spent = 650`, game.DayOf(modelstest.Noon)))
		later := modelstest.Noon.Add(time.Hour)
		wantTask(t, store, looks.ID, game.TapCount, later, models.TaskCompleted, 500)
		wantTask(t, store, looks.ID, game.EnergySpend, later, models.TaskActive, 650)
		modelstest.Tap(t, store, taps, 1, modelstest.Key(1), later.Add(time.Minute))
		wantTask(t, store, taps.ID, game.TapCount, later.Add(2*time.Minute), models.TaskCompleted, 500)
		report := modelstest.Must(store.Audit.Verify(t.Context(), modelstest.Season, later.Add(time.Hour)))(t)
		for _, v := range report.Broken() {
			if strings.Contains(v.Invariant, "has it completed") {
				t.Errorf("not true that %s: %v (player %d sleeps)", v.Invariant, v.Broken, sleeps.ID)
			}
		}
	})
}

func TestTasksUseTargetsAndRewardsSetAtCreation(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		terms := func(at time.Time) map[game.TaskAction]game.TaskTerms {
			lists := modelstest.Must(store.Tasks.Tasks(t.Context(), player, at))(t)
			all := map[game.TaskAction]game.TaskTerms{}
			for _, task := range append(lists.Daily, lists.Permanent...) {
				all[task.Task.Action] = task.Task.Terms()
			}
			return all
		}
		modelstest.Done(t, store, tasks.ActionAddTask, "exchange_join", "https://exchange.example/join", "Join", "Вступайте")
		today := terms(modelstest.Noon)
		for i, key := range []string{"roulette_spin", "tap_count", "watch_ads", "get_prediction", "invite_friends", "energy_spend"} {
			modelstest.Done(t, store, settings.ActionChangeSetting, "task_"+key, fmt.Sprint("1,", i, ",", 10+i))
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "task_exchange_join", "7,77")
		modelstest.Done(t, store, settings.ActionChangeSetting, "task_telegram_subscription", "8,88")
		modelstest.Done(t, store, tasks.ActionAddTask, "telegram_subscription", "@channel", "Join", "Вступайте")
		if now := terms(modelstest.Noon); now[game.TapCount] != today[game.TapCount] || now[game.ExchangeJoin] != today[game.ExchangeJoin] ||
			now[game.TelegramSubscription] != (game.TaskTerms{Action: game.TelegramSubscription, Target: 1, Coins: 8 * game.MCBK, Points: 88}) {
			t.Errorf("today: %+v", now)
		}
		tomorrow := terms(modelstest.Noon.Add(24 * time.Hour))
		for i, action := range []game.TaskAction{game.RouletteSpin, game.TapCount, game.WatchAds, game.GetPrediction, game.InviteFriends, game.EnergySpend} {
			modelstest.Equal(t, tomorrow[action], game.TaskTerms{Action: action, Target: 1, Coins: game.MicroMCBK(i) * game.MCBK, Points: int64(10 + i)}, "tomorrow")
		}
		modelstest.Tap(t, store, player, 1, modelstest.Key(1), modelstest.Noon.Add(24*time.Hour))
		lists := modelstest.Must(store.Tasks.Tasks(t.Context(), player, modelstest.Noon.Add(24*time.Hour)))(t)
		_, after, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), lists.Daily[1].TaskID, modelstest.Season, modelstest.Noon.Add(24*time.Hour))
		if err != nil || after.Balances.GamePoints != 11 || after.Balances.Game != game.MCBK+game.CoinsPerTap {
			t.Errorf("claimed %+v, %v", after.Balances, err)
		}
	})
}

// Jobs find what they look for by an index, however long the season is.
func TestTasksAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "player_tasks")
	plans.WantIndex(t, "player_tasks_open", tasks.DueDay, -1, 6)
	page, values := tasks.DueOnPage(5)
	plans.WantIndex(t, "player_tasks_open", page, append(values, 100, 100)...)
	plans.WantIndex(t, "player_tasks_open", tasks.DuePermanentPage, 100, 100)
	plans.WantIndex(t, "player_tasks_permanent", tasks.PermanentTasks)
}
