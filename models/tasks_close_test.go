package models_test

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
	"mcbk/models/given"
)

func TestTheNextDayPaysWhatWasCompletedAndClosesTheRest(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player, idle := eager(t, store), given.Player(t, store)
		tapped(t, store, player, 500, given.Key(1), given.Noon) // never looked at
		advance(t, store, player.ID, game.InviteFriends, 1, given.Noon)
		advance(t, store, player.ID, game.GetPrediction, 1, given.Noon)
		advice := taskOf(t, store, player.ID, game.GetPrediction, given.Noon)
		if _, _, err := store.ClaimTask(t.Context(), player.ID, advice.ID, given.Season, given.Noon); err != nil {
			t.Fatal(err)
		}
		taps, spins := taskOf(t, store, player.ID, game.TapCount, given.Noon), taskOf(t, store, idle.ID, game.RouletteSpin, given.Noon)
		midnight := given.Noon.Truncate(aDay).Add(aDay)
		if n := closeTasks(t, store, given.Season, midnight.Add(-time.Nanosecond)); n != 0 {
			t.Errorf("%d rows before midnight", n)
		}
		// Two tasks are paid; three of the player and six of the other were not completed.
		if n := closeTasks(t, store, given.Season, midnight); n != 2+3+6 {
			t.Errorf("%d rows at midnight", n)
		}
		if n := closeTasks(t, store, given.Season, midnight.Add(time.Minute)); n != 0 {
			t.Errorf("%d rows again", n)
		}
		now, err := store.Player(t.Context(), player.ID)
		if err != nil || now.Balances.Game != game.MicroMCBK(500)*game.CoinsPerTap+3*game.MCBK || now.Balances.GamePoints != 170 {
			t.Errorf("they own %+v, %v", now.Balances, err)
		}
		if _, _, err := store.ClaimTask(t.Context(), player.ID, taps.ID, given.Season, midnight); !saysNo(err, game.AlreadyClaimed) {
			t.Errorf("claimed after it was paid: %v", err)
		}
		if _, _, err := store.ClaimTask(t.Context(), idle.ID, spins.ID, given.Season, midnight); !saysNo(err, game.NotCompleted) {
			t.Errorf("claimed after it was closed: %v", err)
		}
		stands(t, store, player.ID, game.TapCount, midnight, models.TaskActive, 0)
		given.Sound(t, store)
	})
}

// The batch was under way when the day was closed: it is paid with the next one.
func TestWhatArrivesAfterItsDayWasClosedIsPaidWithTheNext(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := eager(t, store)
		taskOf(t, store, player.ID, game.TapCount, given.Noon)
		midnight := given.Noon.Truncate(aDay).Add(aDay)
		closeTasks(t, store, given.Season, midnight)
		tapped(t, store, player, 500, given.Key(1), midnight.Add(-time.Second))
		advance(t, store, player.ID, game.GetPrediction, 1, midnight.Add(-time.Second))
		given.Sound(t, store)
		if n := closeTasks(t, store, given.Season, midnight.Add(aDay)); n != 2 {
			t.Errorf("%d rows a day later", n)
		}
		if got := entries(t, store, player.ID); len(got) != 3 {
			t.Errorf("posted %v", got)
		}
		given.Sound(t, store)
	})
}

// The player's account can hold no more, which no play could bring about.
func TestAPlayerWhoseTaskCannotBePaidKeepsNobodyWaiting(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		players := []models.Player{given.Player(t, store), given.Player(t, store), given.Player(t, store)}
		for _, p := range players {
			advance(t, store, p.ID, game.InviteFriends, 1, given.Noon)
		}
		taskOf(t, store, given.Player(t, store).ID, game.RouletteSpin, given.Noon) // six, none of them completed
		held := fmt.Sprintf("UPDATE players SET balance_game = %%d WHERE id = %d", players[1].ID)
		do(t, raw, fmt.Sprintf(held, int64(math.MaxInt64)))
		midnight := given.Noon.Truncate(aDay).Add(aDay)
		n, err := store.CloseTasks(t.Context(), given.Season, midnight)
		if n != 2+6 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("player %d: ", players[1].ID)) || errors.Is(err, models.ErrTryAgain) {
			t.Errorf("%d rows, %v", n, err)
		}
		do(t, raw, fmt.Sprintf(held, 0))
		if n := closeTasks(t, store, given.Season, midnight); n != 1 {
			t.Errorf("%d rows once they could be paid", n)
		}
		given.Sound(t, store)
	})
}

// SQLite locks no row.
func TestWhoIsLockedKeepsNobodyOfALaterDayWaiting(t *testing.T) {
	t.Parallel()
	address := given.Address(t, "postgres")
	store, raw := given.Hurried(t, address), given.Raw(t, address)
	held, other := given.Player(t, store), given.Player(t, store)
	advance(t, store, held.ID, game.InviteFriends, 1, given.Noon)
	advance(t, store, other.ID, game.InviteFriends, 1, given.Noon.Add(aDay))
	tx, err := raw.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "SELECT 1 FROM players WHERE id = $1 FOR UPDATE", held.ID); err != nil {
		t.Fatal(err)
	}
	midnight := given.Noon.Truncate(aDay).Add(2 * aDay)
	if n, err := store.CloseTasks(t.Context(), given.Season, midnight); n != 1 || !errors.Is(err, models.ErrTryAgain) {
		t.Errorf("%d rows, %v", n, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if n := closeTasks(t, store, given.Season, midnight); n != 1 {
		t.Errorf("%d rows once the row was free", n)
	}
	given.Sound(t, store)
}

// Several processes at once, and players who claim at the same moment.
func TestClosingAndClaimingAtOncePayOnce(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		tasks := map[models.PlayerID]int64{}
		for range 30 {
			p := given.Player(t, store)
			advance(t, store, p.ID, game.InviteFriends, 1, given.Noon)
			tasks[p.ID] = taskOf(t, store, p.ID, game.InviteFriends, given.Noon).ID
		}
		midnight := given.Noon.Truncate(aDay).Add(aDay)
		var (
			all sync.WaitGroup
			mu  sync.Mutex
		)
		claimed, closed := 0, int64(0)
		for range 3 {
			all.Go(func() {
				n, err := store.CloseTasks(t.Context(), given.Season, midnight)
				if err != nil && !errors.Is(err, models.ErrTryAgain) {
					t.Errorf("close: %v", err)
				}
				mu.Lock()
				defer mu.Unlock()
				closed += n
			})
		}
		for id, task := range maps.All(tasks) {
			all.Go(func() {
				_, _, err := store.ClaimTask(t.Context(), id, task, given.Season, midnight)
				if err != nil && !saysNo(err, game.AlreadyClaimed) && !errors.Is(err, models.ErrTryAgain) {
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
		closed += closeTasks(t, store, given.Season, midnight)
		if claimed+int(closed) != 30+30*5 {
			t.Errorf("%d claimed, %d closed", claimed, closed)
		}
		for id := range tasks {
			if got := entries(t, store, id); len(got) != 2 {
				t.Errorf("player %d was paid %v", id, got)
			}
		}
		given.Sound(t, store)
	})
}

func TestManyPlayersArePaidInSmallSteps(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		const players = 120 // more than one transaction pays
		for range players {
			advance(t, store, given.Player(t, store).ID, game.GetPrediction, 1, given.Noon)
		}
		if n := closeTasks(t, store, given.Season, given.Noon.Add(aDay)); n != players {
			t.Errorf("%d rows", n)
		}
		given.Sound(t, store)
	})
}

func TestThePermanentTasksArePaidWhenNobodyCanClaimThem(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		given.Done(t, store, models.ActionAddTask, "exchange_join", "https://exchange.example/join", "Join", "Вступайте")
		join := taskOf(t, store, player.ID, game.ExchangeJoin, given.Noon)
		if _, err := store.TrackLink(t.Context(), player.ID, join.Task.ID, join.Task.URL, given.Season, given.Noon); err != nil {
			t.Fatal(err)
		}
		end := given.Season.Start.Add(90 * aDay)
		if closeTasks(t, store, given.Season, end.Add(-time.Second)); len(entries(t, store, player.ID)) != 0 {
			t.Error("paid while it could be claimed")
		}
		if closeTasks(t, store, given.Season, end); len(entries(t, store, player.ID)) != 2 {
			t.Errorf("posted %v", entries(t, store, player.ID))
		}
		given.Sound(t, store)
	})
}
