package tasks_test

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/tasks"
)

func TestNextDayPaysCompletedTasksAndExpiresOthers(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player, idle := playerWithFullAllowance(t, store), modelstest.Player(t, store)
		modelstest.Tap(t, store, player, 500, modelstest.Key(1), modelstest.Noon) // never looked at
		modelstest.AdvanceTask(t, store, player.ID, game.InviteFriends, 1, modelstest.Noon)
		modelstest.AdvanceTask(t, store, player.ID, game.GetPrediction, 1, modelstest.Noon)
		advice := modelstest.TaskOf(t, store, player.ID, game.GetPrediction, modelstest.Noon)
		modelstest.Must(claim(t, store, player, advice.TaskID, modelstest.Noon))(t)
		modelstest.AdvanceTask(t, store, idle.ID, game.WatchAds, 1, modelstest.Noon)
		taps, ads := modelstest.TaskOf(t, store, player.ID, game.TapCount, modelstest.Noon), modelstest.TaskOf(t, store, idle.ID, game.WatchAds, modelstest.Noon)
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		modelstest.Equal(t, closeTasks(t, store, modelstest.Season, midnight.Add(-time.Nanosecond)), 0, "rows before midnight")
		// Two tasks are paid; the other's was not completed.
		modelstest.Equal(t, closeTasks(t, store, modelstest.Season, midnight), 2+1, "rows at midnight")
		modelstest.Equal(t, closeTasks(t, store, modelstest.Season, midnight.Add(time.Minute)), 0, "rows again")
		now, err := store.Players.Player(t.Context(), player.ID)
		if err != nil || now.Balances.Game != game.MicroMCBK(500)*game.CoinsPerTap+3*game.MCBK || now.Balances.GamePoints != 170 {
			t.Errorf("they own %+v, %v", now.Balances, err)
		}
		modelstest.Refuses(claim(t, store, player, taps.TaskID, midnight))(t, game.AlreadyClaimed, "claimed after it was paid")
		modelstest.Refuses(claim(t, store, idle, ads.TaskID, midnight))(t, game.NotCompleted, "claimed after it was closed")
		wantTask(t, store, player.ID, game.TapCount, midnight, models.TaskActive, 0)
	})
}

// The batch was under way when the day was closed: it is paid with the next one.
func TestTaskCompletedAfterClosingIsPaidNextDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := playerWithFullAllowance(t, store)
		modelstest.TaskOf(t, store, player.ID, game.TapCount, modelstest.Noon)
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		closeTasks(t, store, modelstest.Season, midnight)
		modelstest.Tap(t, store, player, 500, modelstest.Key(1), midnight.Add(-time.Second))
		modelstest.AdvanceTask(t, store, player.ID, game.GetPrediction, 1, midnight.Add(-time.Second))
		modelstest.Sound(t, store)
		modelstest.Equal(t, closeTasks(t, store, modelstest.Season, midnight.Add(24*time.Hour)), 2, "rows a day later")
		modelstest.Equal(t, len(taskEntries(t, store, player.ID)), 3, "posted")
	})
}

// The player's account can hold no more, which no play could bring about.
func TestUnpayablePlayerBlocksNobody(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		players := []models.Player{modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)}
		for _, p := range players {
			modelstest.AdvanceTask(t, store, p.ID, game.InviteFriends, 1, modelstest.Noon)
		}
		modelstest.AdvanceTask(t, store, modelstest.Player(t, store).ID, game.WatchAds, 1, modelstest.Noon) // not completed
		held := fmt.Sprintf("UPDATE players SET balance_game = %%d WHERE id = %d", players[1].ID)
		modelstest.MustExec(t, raw, fmt.Sprintf(held, int64(math.MaxInt64)))
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		n, err := store.Tasks.CloseTasks(t.Context(), modelstest.Season, midnight)
		if n != 2+1 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("player %d: ", players[1].ID)) || errors.Is(err, db.ErrUnavailable) {
			t.Errorf("%d rows, %v", n, err)
		}
		modelstest.MustExec(t, raw, fmt.Sprintf(held, 0))
		modelstest.Equal(t, closeTasks(t, store, modelstest.Season, midnight), 1, "rows once they could be paid")
		modelstest.Sound(t, store)
	})
}

// SQLite locks no row.
func TestLockedPlayerDelaysNobodyOfALaterDay(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.WithTimeouts(t, address)
	held, other := modelstest.Player(t, store), modelstest.Player(t, store)
	modelstest.AdvanceTask(t, store, held.ID, game.InviteFriends, 1, modelstest.Noon)
	modelstest.AdvanceTask(t, store, other.ID, game.InviteFriends, 1, modelstest.Noon.Add(24*time.Hour))
	release := modelstest.Hold(t, address, fmt.Sprintf("SELECT 1 FROM players WHERE id = %d FOR UPDATE", held.ID))
	midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(2 * 24 * time.Hour)
	if n, err := store.Tasks.CloseTasks(t.Context(), modelstest.Season, midnight); n != 1 || !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("%d rows, %v", n, err)
	}
	release()
	modelstest.Equal(t, closeTasks(t, store, modelstest.Season, midnight), 1, "rows once the row was free")
	modelstest.Sound(t, store)
}

// Several processes at once, and players who claim at the same moment.
func TestConcurrentClosingAndClaimingPayOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		tasks := map[models.PlayerID]int64{}
		callers := map[models.PlayerID]commit.Caller{}
		for range 30 {
			p := modelstest.Player(t, store)
			modelstest.AdvanceTask(t, store, p.ID, game.InviteFriends, 1, modelstest.Noon)
			tasks[p.ID], callers[p.ID] = modelstest.TaskOf(t, store, p.ID, game.InviteFriends, modelstest.Noon).TaskID, modelstest.By(p)
		}
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		var (
			all sync.WaitGroup
			mu  sync.Mutex
		)
		claimed, closed := 0, int64(0)
		for range 3 {
			all.Go(func() {
				n, err := store.Tasks.CloseTasks(t.Context(), modelstest.Season, midnight)
				if err != nil && !errors.Is(err, db.ErrUnavailable) {
					t.Errorf("close: %v", err)
				}
				mu.Lock()
				defer mu.Unlock()
				closed += n
			})
		}
		for id, task := range maps.All(tasks) {
			all.Go(func() {
				_, _, err := store.Tasks.ClaimTask(t.Context(), callers[id], task, modelstest.Season, midnight)
				if err != nil && !modelstest.IsRefused(err, game.AlreadyClaimed) && !errors.Is(err, db.ErrUnavailable) {
					t.Errorf("claim: %v", err)
				}
				if err == nil {
					mu.Lock()
					defer mu.Unlock()
					claimed++
				}
			})
		}
		all.Wait()
		closed += closeTasks(t, store, modelstest.Season, midnight)
		modelstest.Equal(t, claimed+int(closed), 30, claimed, "claimed", closed, "closed")
		for id := range tasks {
			modelstest.Equal(t, len(taskEntries(t, store, id)), 2, "player", id, "was paid")
		}
	})
}

func TestManyPlayersArePaidInSmallSteps(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		const players = 120 // more than one transaction pays
		for range players {
			modelstest.AdvanceTask(t, store, modelstest.Player(t, store).ID, game.GetPrediction, 1, modelstest.Noon)
		}
		modelstest.Equal(t, closeTasks(t, store, modelstest.Season, modelstest.Noon.Add(24*time.Hour)), players, "rows")
	})
}

func TestPermanentTasksArePaidAfterSeasonEnd(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.Done(t, store, tasks.ActionAddTask, "exchange_join", "https://exchange.example/join", "Join", "Вступайте")
		join := modelstest.TaskOf(t, store, player.ID, game.ExchangeJoin, modelstest.Noon)
		modelstest.Must(store.Tasks.TrackLink(t.Context(), player.ID, join.Task.ID, join.Task.URL, modelstest.Season, modelstest.Noon))(t)
		end := modelstest.Season.Start.Add(90 * 24 * time.Hour)
		closeTasks(t, store, modelstest.Season, end.Add(-time.Second))
		modelstest.Equal(t, len(taskEntries(t, store, player.ID)), 0, "paid while it could be claimed")
		closeTasks(t, store, modelstest.Season, end)
		modelstest.Equal(t, len(taskEntries(t, store, player.ID)), 2, "posted")
	})
}
