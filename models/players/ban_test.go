package players_test

import (
	"errors"
	"fmt"
	"testing"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/taps"
)

func TestBannedPlayerEarnsNothingAndKeepsEverything(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		tap := func(key string) (taps.Tapped, error) {
			return store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 5, Key: key}, modelstest.Season, modelstest.Noon)
		}
		first := modelstest.Must(tap("batch-0001"))(t)
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "a bot")
		for _, key := range []string{"batch-0001", "batch-0002"} { // one is counted already
			_, err := tap(key)
			var refusal *game.Refusal
			if !errors.As(err, &refusal) || refusal.Code != game.UserBlocked || refusal.Params["reason"] != "a bot" {
				t.Errorf("%s: %v", key, err)
			}
		}
		modelstest.Done(t, store, players.ActionUnban, fmt.Sprint(player.ID))
		modelstest.Equal(t, modelstest.Must(tap("batch-0001"))(t).Player.Balances, first.Player.Balances, "the first batch again")
		if next, err := tap("batch-0002"); err != nil || next.Accepted != 5 || next.Player.Balances.Game != 30*game.CoinsPerTap {
			t.Errorf("the next batch: %+v, %v", next, err)
		}
	})
}

func TestBanKeepsItsFirstReason(t *testing.T) {
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
