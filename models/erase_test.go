package models_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

func TestWhoIsErasedIsForgottenForGood(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		as := models.Arrival{TelegramID: given.TelegramID(), FirstName: "Olga", Username: "olga", PhotoURL: "https://t.me/i/olga", IsPremium: true, Origin: "0123456789abcdef"}
		player, err := store.Arrive(t.Context(), as, given.Noon)
		if err != nil {
			t.Fatal(err)
		}
		address := fmt.Sprintf("0:%064x", player.ID)
		if player, err = store.SetWallet(t.Context(), player.ID, &address); err != nil {
			t.Fatal(err)
		}
		given.Done(t, store, models.ActionErase, fmt.Sprint(player.ID))
		for range 2 { // also when they come back
			now, err := store.Player(t.Context(), player.ID)
			if err != nil || !now.Erased() || now.FirstName != "Deleted account" || now.Username+now.PhotoURL != "" || now.Wallet != nil || now.IsPremium || now.Notifications {
				t.Errorf("left is %+v, %v", now, err)
			}
			refusal := new(game.Refusal)
			if err := now.MayPlay(); !errors.As(err, &refusal) || refusal.Code != game.UserBlocked {
				t.Errorf("who was erased may play: %v", err)
			}
			if _, err := store.Arrive(t.Context(), as, given.Noon.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		given.Refused(t, store, "already_erased", models.ActionErase, fmt.Sprint(player.ID))
		given.Refused(t, store, "already_erased", models.ActionUnban, fmt.Sprint(player.ID))
		if n, err := store.ForgetOrigins(t.Context(), given.Noon.Add(40*day)); err != nil || n != 0 {
			t.Errorf("their origin was left: %d, %v", n, err)
		}
		given.Sound(t, store)
	})
}

func TestWhoIsBannedCanBeErased(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		given.Done(t, store, models.ActionBan, fmt.Sprint(player.ID), "a script")
		given.Done(t, store, models.ActionErase, fmt.Sprint(player.ID))
		now, err := store.Player(t.Context(), player.ID)
		if err != nil || !now.Erased() || now.FirstName != "Deleted account" || now.BanReason != "a script" {
			t.Errorf("left is %+v, %v", now, err)
		}
		given.Refused(t, store, "already_erased", models.ActionUnban, fmt.Sprint(player.ID))
	})
}

func TestNobodyIsErasedWhileMoneyOfTheirsWaits(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		m := sells(t, store)
		rich := buyer(t, store)
		order := ordered(t, store, rich, 2*game.TON, given.Noon)
		m.comes(game.TON/20, order.Comment, given.Noon) // too little, so that it is held
		m.records(t, given.Noon.Add(time.Minute))
		given.Refused(t, store, "money_waits", models.ActionErase, fmt.Sprint(rich.ID))
		held := waits(t, store, "less than 0.1 TON: 50000000")
		given.Done(t, store, models.ActionMatch, fmt.Sprint(held[0].ID), "refund")
		given.Refused(t, store, "money_waits", models.ActionErase, fmt.Sprint(rich.ID)) // it is owed to them now
	})
}

// The money was on its way when the account was erased.
func TestWhatAnErasedPlayerPaysIsHeldAndSentBack(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		m := sells(t, store)
		inviter := given.Player(t, store)
		gone := buyer(t, store, given.InvitedBy(inviter))
		order := ordered(t, store, gone, 2*game.TON, given.Noon)
		given.Done(t, store, models.ActionErase, fmt.Sprint(gone.ID))
		m.comes(2*game.TON, order.Comment, given.Noon.Add(time.Minute))
		m.records(t, given.Noon.Add(2*time.Minute))
		held := waits(t, store, "of an account that was erased: 2000000000")
		owns(t, store, gone, 0, 0)
		owns(t, store, inviter, 0, 0)
		orderIs(t, store, order, models.OrderPending, 0)
		given.Refused(t, store, "already_erased", models.ActionMatch, fmt.Sprint(held[0].ID), order.Comment)
		given.Done(t, store, models.ActionMatch, fmt.Sprint(held[0].ID), "refund")
		waits(t, store)
		given.Sound(t, store)
	})
}

func TestFromWherePlayersCameIsKeptForThirtyDays(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		for i, at := range []time.Time{given.Noon, given.Noon.Add(day)} {
			a := models.Arrival{TelegramID: given.TelegramID(), FirstName: "Ann", Origin: fmt.Sprintf("%016d", i)}
			if _, err := store.Arrive(t.Context(), a, at); err != nil {
				t.Fatal(err)
			}
		}
		for after, want := range []int64{0: 0, 1: 1, 2: 1, 3: 0} {
			if n, err := store.ForgetOrigins(t.Context(), given.Noon.Add(30*day-time.Hour+time.Duration(after)*day)); err != nil || n != want {
				t.Errorf("%d days later %d are forgotten, want %d: %v", after, n, want, err)
			}
		}
	})
}
