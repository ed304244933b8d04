package tasks_test

import (
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

// claim returns the player after a claim.
func claim(t *testing.T, store *store.Store, player models.Player, task int64, at time.Time) (models.Player, error) {
	t.Helper()
	_, after, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), task, modelstest.Season, at)
	return after, err
}

func TestTaskIsClaimedOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player, other := modelstest.Player(t, store), modelstest.Player(t, store)
		friend := modelstest.TaskOf(t, store, player.ID, game.InviteFriends, modelstest.Noon)
		modelstest.Refuses(claim(t, store, player, friend.TaskID, modelstest.Noon))(t, game.NotCompleted, "before it is done")
		modelstest.AdvanceTask(t, store, player.ID, game.InviteFriends, 1, modelstest.Noon)
		modelstest.Refuses(claim(t, store, other, friend.TaskID, modelstest.Noon))(t, game.NotCompleted, "by another")
		modelstest.Fails(claim(t, store, player, friend.TaskID+999, modelstest.Noon))(t, db.ErrNotFound, "of no task")
		permanent, paid, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), friend.TaskID, modelstest.Season, modelstest.Noon)
		if err != nil || permanent || paid.Balances.Game != 2*game.MCBK || paid.Balances.GamePoints != 100 {
			t.Errorf("claimed by %+v, %v", paid.Balances, err)
		}
		modelstest.Refuses(claim(t, store, player, friend.TaskID, modelstest.Noon))(t, game.AlreadyClaimed, "again")
		modelstest.AdvanceTask(t, store, player.ID, game.InviteFriends, 1, modelstest.Noon)
		friend = wantTask(t, store, player.ID, game.InviteFriends, modelstest.Noon, models.TaskClaimed, 1)
		modelstest.Equal(t, *friend.ClaimedAt, modelstest.Noon, "claimed at")
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
			return modelstest.ErrorOf(modelstest.Retry(func() (models.Player, error) { return claim(t, store, player, task.TaskID, modelstest.Noon) }))
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
			modelstest.Refuses(store.Tasks.ClaimTask(t.Context(), modelstest.By(player), task.TaskID, season, modelstest.Noon))(t, code, string(code))
		}
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "a test")
		modelstest.Refuses(claim(t, store, player, task.TaskID, modelstest.Noon))(t, game.UserBlocked, "banned")
		young := modelstest.Player(t, store, modelstest.Unconsented())
		modelstest.Refuses(claim(t, store, young, 1, modelstest.Noon))(t, game.AgeConsentRequired, "without consent")
	})
}
