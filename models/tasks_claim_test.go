package models_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

func TestATaskIsClaimedOnce(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player, other := given.Player(t, store), given.Player(t, store)
		friend := taskOf(t, store, player.ID, game.InviteFriends, given.Noon)
		if _, _, err := store.ClaimTask(t.Context(), player.ID, friend.ID, given.Season, given.Noon); !saysNo(err, game.NotCompleted) {
			t.Errorf("before it is done: %v", err)
		}
		advance(t, store, player.ID, game.InviteFriends, 1, given.Noon)
		for _, claim := range []struct {
			by   models.PlayerID
			task int64
		}{{other.ID, friend.ID}, {player.ID, friend.ID + 999}} {
			if _, _, err := store.ClaimTask(t.Context(), claim.by, claim.task, given.Season, given.Noon); !errors.Is(err, models.ErrNotFound) {
				t.Errorf("claim of %+v: %v", claim, err)
			}
		}
		claimed, paid, err := store.ClaimTask(t.Context(), player.ID, friend.ID, given.Season, given.Noon)
		if err != nil || claimed.State != models.TaskClaimed || !claimed.ClaimedAt.Equal(given.Noon) || paid.Balances.Game != 2*game.MCBK || paid.Balances.GamePoints != 100 {
			t.Errorf("claimed %+v by %+v, %v", claimed, paid.Balances, err)
		}
		if _, _, err := store.ClaimTask(t.Context(), player.ID, friend.ID, given.Season, given.Noon); !saysNo(err, game.AlreadyClaimed) {
			t.Errorf("again: %v", err)
		}
		advance(t, store, player.ID, game.InviteFriends, 1, given.Noon)
		if task := stands(t, store, player.ID, game.InviteFriends, given.Noon, models.TaskClaimed, 1); !task.ClaimedAt.Equal(given.Noon) {
			t.Errorf("claimed at %s", task.ClaimedAt)
		}
		ref := fmt.Sprint("task:", friend.ID)
		if got := entries(t, store, player.ID); !slices.Equal(got, []string{ref + " 0>game 2000000", ref + " 1>game_points 100"}) {
			t.Errorf("posted %v", got)
		}
		advance(t, store, player.ID, game.GetPrediction, 1, given.Noon)
		advice := taskOf(t, store, player.ID, game.GetPrediction, given.Noon)
		if _, paid, err = store.ClaimTask(t.Context(), player.ID, advice.ID, given.Season, given.Noon); err != nil || paid.Balances.Game != 2*game.MCBK || paid.Balances.GamePoints != 120 {
			t.Errorf("points alone: %+v, %v", paid.Balances, err)
		}
		given.Sound(t, store)
	})
}

func TestFiftyClaimsAtOncePayOnce(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		advance(t, store, player.ID, game.InviteFriends, 1, given.Noon)
		task := taskOf(t, store, player.ID, game.InviteFriends, given.Noon)
		var (
			claims sync.WaitGroup
			mu     sync.Mutex
			paid   int
		)
		for range 50 {
			claims.Go(func() {
				_, _, err := store.ClaimTask(t.Context(), player.ID, task.ID, given.Season, given.Noon)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					paid++
				case !saysNo(err, game.AlreadyClaimed) && !errors.Is(err, models.ErrTryAgain):
					t.Errorf("a claim: %v", err)
				}
			})
		}
		claims.Wait()
		if got := entries(t, store, player.ID); paid != 1 || len(got) != 2 {
			t.Errorf("paid %d times: %v", paid, got)
		}
		given.Sound(t, store)
	})
}

func TestClaimingIsEarning(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		advance(t, store, player.ID, game.GetPrediction, 1, given.Noon)
		task := taskOf(t, store, player.ID, game.GetPrediction, given.Noon)
		for code, season := range map[game.Code]game.Season{
			game.SeasonNotStarted: {Start: given.Noon.Add(time.Hour)}, game.SeasonOver: {Start: given.Noon.Add(-90 * aDay)},
		} {
			if _, _, err := store.ClaimTask(t.Context(), player.ID, task.ID, season, given.Noon); !saysNo(err, code) {
				t.Errorf("%s: %v", code, err)
			}
		}
		given.Done(t, store, models.ActionBan, fmt.Sprint(player.ID), "a test")
		if _, _, err := store.ClaimTask(t.Context(), player.ID, task.ID, given.Season, given.Noon); !saysNo(err, game.UserBlocked) {
			t.Errorf("banned: %v", err)
		}
		young := given.Player(t, store, given.Unconsented())
		if _, _, err := store.ClaimTask(t.Context(), young.ID, 1, given.Season, given.Noon); !saysNo(err, game.AgeConsentRequired) {
			t.Errorf("without consent: %v", err)
		}
	})
}
