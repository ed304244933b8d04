package tasks_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

func TestTaskIsClaimedOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player, other := modelstest.Player(t, store), modelstest.Player(t, store)
		friend := modelstest.TaskOf(t, store, player.ID, game.InviteFriends, modelstest.Noon)
		if _, _, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), friend.TaskID, modelstest.Season, modelstest.Noon); !modelstest.IsRefused(err, game.NotCompleted) {
			t.Errorf("before it is done: %v", err)
		}
		modelstest.AdvanceTask(t, store, player.ID, game.InviteFriends, 1, modelstest.Noon)
		if _, _, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(other), friend.TaskID, modelstest.Season, modelstest.Noon); !modelstest.IsRefused(err, game.NotCompleted) {
			t.Errorf("by another: %v", err)
		}
		if _, _, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), friend.TaskID+999, modelstest.Season, modelstest.Noon); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("of no task: %v", err)
		}
		permanent, paid, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), friend.TaskID, modelstest.Season, modelstest.Noon)
		if err != nil || permanent || paid.Balances.Game != 2*game.MCBK || paid.Balances.GamePoints != 100 {
			t.Errorf("claimed by %+v, %v", paid.Balances, err)
		}
		if _, _, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), friend.TaskID, modelstest.Season, modelstest.Noon); !modelstest.IsRefused(err, game.AlreadyClaimed) {
			t.Errorf("again: %v", err)
		}
		modelstest.AdvanceTask(t, store, player.ID, game.InviteFriends, 1, modelstest.Noon)
		if friend = wantTask(t, store, player.ID, game.InviteFriends, modelstest.Noon, models.TaskClaimed, 1); !friend.ClaimedAt.Equal(modelstest.Noon) {
			t.Errorf("claimed at %s", friend.ClaimedAt)
		}
		ref := fmt.Sprint("task:", friend.ID)
		modelstest.Equal(t, taskEntries(t, store, player.ID), []string{ref + " 0>game 2000000", ref + " 1>game_points 100"}, "posted")
		modelstest.AdvanceTask(t, store, player.ID, game.GetPrediction, 1, modelstest.Noon)
		advice := modelstest.TaskOf(t, store, player.ID, game.GetPrediction, modelstest.Noon)
		if _, paid, err = store.Tasks.ClaimTask(t.Context(), modelstest.By(player), advice.TaskID, modelstest.Season, modelstest.Noon); err != nil || paid.Balances.Game != 2*game.MCBK || paid.Balances.GamePoints != 120 {
			t.Errorf("points alone: %+v, %v", paid.Balances, err)
		}
	})
}

func TestFiftyConcurrentClaimsPayOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.AdvanceTask(t, store, player.ID, game.InviteFriends, 1, modelstest.Noon)
		task := modelstest.TaskOf(t, store, player.ID, game.InviteFriends, modelstest.Noon)
		paid := modelstest.FiftyAtOnce(t, game.AlreadyClaimed, func() error {
			_, err := modelstest.Retry(func() (models.Player, error) {
				_, after, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), task.TaskID, modelstest.Season, modelstest.Noon)
				return after, err
			})
			return err
		})
		if got := taskEntries(t, store, player.ID); paid != 1 || len(got) != 2 {
			t.Errorf("paid %d times: %v", paid, got)
		}
	})
}

func TestClaimNeedsAnEarningPlayer(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.AdvanceTask(t, store, player.ID, game.GetPrediction, 1, modelstest.Noon)
		task := modelstest.TaskOf(t, store, player.ID, game.GetPrediction, modelstest.Noon)
		for code, season := range map[game.Code]game.Season{
			game.SeasonNotStarted: {Start: modelstest.Noon.Add(time.Hour)}, game.SeasonOver: {Start: modelstest.Noon.Add(-90 * 24 * time.Hour)},
		} {
			if _, _, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), task.TaskID, season, modelstest.Noon); !modelstest.IsRefused(err, code) {
				t.Errorf("%s: %v", code, err)
			}
		}
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "a test")
		if _, _, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), task.TaskID, modelstest.Season, modelstest.Noon); !modelstest.IsRefused(err, game.UserBlocked) {
			t.Errorf("banned: %v", err)
		}
		young := modelstest.Player(t, store, modelstest.Unconsented())
		if _, _, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(young), 1, modelstest.Season, modelstest.Noon); !modelstest.IsRefused(err, game.AgeConsentRequired) {
			t.Errorf("without consent: %v", err)
		}
	})
}
