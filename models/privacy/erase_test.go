package privacy_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

func TestErasedPlayerStaysErased(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		as := players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Olga", Username: "olga", PhotoURL: "https://t.me/i/olga", IsPremium: true, Origin: "0123456789abcdef"}
		player := modelstest.Must(store.Players.SignIn(t.Context(), as, modelstest.Noon))(t)
		address := fmt.Sprintf("0:%064x", player.ID)
		player = modelstest.Must(store.Wallet.SetWallet(t.Context(), player.ID, &address))(t)
		request := commit.Request{Player: player.ID, Key: modelstest.Key(1), Operation: "setPreference", BodyHash: []byte("one")}
		modelstest.Must(store.Commit.Once(t.Context(), request, modelstest.Noon, func(ctx context.Context) (commit.Answer, error) {
			_, err := store.Players.SetPreference(ctx, player.ID, players.Preference{Consent: true}, modelstest.Noon)
			return commit.Answer{Status: 200, Body: []byte(`{"first_name":"Olga"}`)}, err
		}))(t)
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(player.ID))
		modelstest.Returns(store.Commit.Answered(t.Context(), player.ID, request.Key))(t, false, "an answer with their name is still stored")
		for range 2 { // also when they come back
			now, err := store.Players.Player(t.Context(), player.ID)
			if err != nil || !now.Erased() || now.FirstName != "Deleted account" || now.Username+now.PhotoURL != "" || now.Wallet != nil || now.IsPremium || now.Notifications {
				t.Errorf("left is %+v, %v", now, err)
			}
			refusal := new(game.Refusal)
			if err := now.CanPlay(); !errors.As(err, &refusal) || refusal.Code != game.UserBlocked {
				t.Errorf("who was erased may play: %v", err)
			}
			modelstest.Must(store.Players.SignIn(t.Context(), as, modelstest.Noon.Add(time.Hour)))(t)
		}
		modelstest.Refused(t, store, "already_erased", privacy.ActionErase, fmt.Sprint(player.ID))
		modelstest.Refused(t, store, "already_erased", players.ActionUnban, fmt.Sprint(player.ID))
		modelstest.Returns(store.Privacy.ForgetOrigins(t.Context(), modelstest.Noon.Add(40*24*time.Hour)))(t, 0, "their origin was left")
	})
}

func TestBannedPlayerCanBeErased(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "a script")
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(player.ID))
		now, err := store.Players.Player(t.Context(), player.ID)
		if err != nil || !now.Erased() || now.FirstName != "Deleted account" || now.BanReason != "a script" {
			t.Errorf("left is %+v, %v", now, err)
		}
		modelstest.Refused(t, store, "already_erased", players.ActionUnban, fmt.Sprint(player.ID))
	})
}

func TestPlayerWithPendingMoneyIsNotErased(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		less, more := modelstest.Buyer(t, store), modelstest.Buyer(t, store)
		m.Pay(game.TON/2, modelstest.OrderMine(t, store, less, 1, modelstest.Noon).Comment, modelstest.Noon)
		m.Pay(3*game.TON/2, modelstest.OrderMine(t, store, more, 1, modelstest.Noon).Comment, modelstest.Noon)
		m.Record(t, modelstest.Noon.Add(time.Minute))
		held := modelstest.WantHeld(t, store, "less than the mine costs: 500000000", "more than the mine costs: 500000000")
		for i, p := range []models.Player{less, more} {
			modelstest.Refused(t, store, "money_waits", privacy.ActionErase, fmt.Sprint(p.ID))
			modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[i].ID), "refund")
			modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(p.ID)) // it goes to whoever sent it
			modelstest.ApprovePayout(t, store, fmt.Sprint(i+1))
		}
	})
}

func TestPlayerWithPendingPrizeIsNotErased(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 1, func(int) (int, []int) { return 500, []int{0, 1, 2, 3, 4, 5, 6} })
		r.Finish(t)
		modelstest.WantTournament(t, store, game.TournamentFinal)
		modelstest.Refused(t, store, "money_waits", privacy.ActionErase, fmt.Sprint(r.Players[0].ID)) // it is won, and not given yet
		modelstest.Done(t, store, mines.ActionAward, "1")
		modelstest.Refused(t, store, "money_waits", privacy.ActionErase, fmt.Sprint(r.Players[0].ID))
		modelstest.Done(t, store, treasury.ActionCancelPayout, "1", "they want none", "due")
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(r.Players[0].ID))
	})
}

// A player need not wait fifteen days to be forgotten. The ranks are those of the ore, and the prize has nobody to go to.
func TestPlayerErasedDuringTournamentIsRanked(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 2, func(i int) (int, []int) { return 500, [][]int{{0, 1, 2, 3, 4, 5, 6}, nil}[i] })
		erased := func(p models.Player) string {
			t.Helper()
			q := models.PendingAction{Admin: modelstest.Admin, Action: privacy.ActionErase, Args: []string{fmt.Sprint(p.ID)}}
			done := modelstest.Confirmed(t, store, q, r.End.Add(-time.Hour))
			modelstest.Equal(t, done.State, models.ActionExecuted, done)
			return done.Outcome
		}
		winner := r.Players[0]
		modelstest.Equal(t, erased(winner), fmt.Sprintf("player %d is erased; their ore stays in tournament 1: if it wins TON, cancel that payout", winner.ID), "told")
		if got, want := erased(r.Players[1]), fmt.Sprintf("player %d is erased", r.Players[1].ID); got != want { // they dug nothing
			t.Errorf("told %q, not %q", got, want)
		}
		r.Finish(t)
		modelstest.WantTournament(t, store, game.TournamentFinal)
		modelstest.Done(t, store, mines.ActionAward, "1")
		if p, err := store.Treasury.Payout(t.Context(), "1"); err != nil || *p.PlayerID != winner.ID || p.Target != nil {
			t.Errorf("the prize is %+v, %v", p, err)
		}
		modelstest.Done(t, store, treasury.ActionCancelPayout, "1", "the account was erased", "due")
	})
}

// Between the end and the ranks nobody knows yet who has won; the second has too little ore for any prize.
func TestPlayerIsNotErasedBeforeTournamentIsRanked(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 2, func(i int) (int, []int) { return []int{400, 399}[i], []int{0, 1, 2, 3, 4, 5, 6} })
		modelstest.Done(t, store, settings.ActionChangeSetting, "least_prize_ore", "100")
		refused := func(at time.Time) {
			t.Helper()
			q := models.PendingAction{Admin: modelstest.Admin, Action: privacy.ActionErase, Args: []string{fmt.Sprint(r.Players[0].ID)}}
			if a := modelstest.Confirmed(t, store, q, at); a.State != models.ActionRefused || a.Outcome != "money_waits" {
				t.Fatalf("at %s the winner's erasure ended as %+v", at, a)
			}
		}
		modelstest.AdvanceTournaments(t, store, r.Start)
		refused(r.End) // nobody has closed it yet
		modelstest.AdvanceTournaments(t, store, r.End)
		refused(r.End.Add(time.Minute))
		refused(r.End.Add(-time.Second)) // by a clock that is behind
		modelstest.Done(t, store, settings.ActionChangeSetting, "least_prize_ore", "1000")
		refused(r.End.Add(time.Minute))
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(r.Players[1].ID))
		r.Record(t, r.End.Add(time.Second))
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Minute))
		modelstest.WantTournament(t, store, game.TournamentFinal)
		refused(r.End.Add(time.Hour)) // it is won
	})
}

// The comment of an order can be read on the chain once it was paid.
func TestUnrelatedMoneyDoesNotPreventErasure(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		coins, mine := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon), modelstest.OrderMine(t, store, player, 1, modelstest.Noon)
		open := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		m.Pay(game.TON, coins.Comment, modelstest.Noon)
		m.Pay(game.TON, mine.Comment, modelstest.Noon)
		m.Record(t, modelstest.Noon.Add(time.Minute))
		m.Pay(game.TON/1000, coins.Comment, modelstest.Noon.Add(time.Minute))
		m.Pay(2*game.TON, mine.Comment, modelstest.Noon.Add(time.Minute))
		m.Pay(game.TON/10-1, open.Comment, modelstest.Noon.Add(time.Minute)) // less than anything costs
		m.Record(t, modelstest.Noon.Add(2*time.Minute))
		held := modelstest.WantHeld(t, store, "the mine is not the player's next: 2000000000", "less than 0.1 TON: 99999999", "less than 0.1 TON: 1000000")
		done := modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(player.ID))
		modelstest.Equal(t, done.Outcome, fmt.Sprintf("player %d is erased; payments with their orders' comments that stay held, see /match: 3", player.ID), "it came to")
		modelstest.WantHeld(t, store, "the mine is not the player's next: 2000000000", "less than 0.1 TON: 99999999", "less than 0.1 TON: 1000000")
		for i, p := range held {
			modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(p.ID), "refund")
			modelstest.ApprovePayout(t, store, fmt.Sprint(i+1))
		}
	})
}

// The money was on its way when the account was erased.
func TestPaymentOfErasedPlayerIsHeldAndRefunded(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		inviter := modelstest.Player(t, store)
		gone := modelstest.Buyer(t, store, modelstest.InvitedBy(inviter))
		order := modelstest.OrderCoins(t, store, gone, 2*game.TON, modelstest.Noon)
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(gone.ID))
		m.Pay(2*game.TON, order.Comment, modelstest.Noon.Add(time.Minute))
		m.Record(t, modelstest.Noon.Add(2*time.Minute))
		held := modelstest.WantHeld(t, store, "of an account that was erased: 2000000000")
		modelstest.WantPurchased(t, store, gone, 0, 0)
		modelstest.WantPurchased(t, store, inviter, 0, 0)
		modelstest.WantOrder(t, store, order, models.OrderPending, 0)
		modelstest.Refused(t, store, "already_erased", treasury.ActionMatch, fmt.Sprint(held[0].ID), order.Comment)
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[0].ID), "refund")
		modelstest.WantHeld(t, store)
	})
}

func TestSignupOriginIsStoredForThirtyDays(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for i, at := range []time.Time{modelstest.Noon, modelstest.Noon.Add(24 * time.Hour)} {
			a := players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Ann", Origin: fmt.Sprintf("%016d", i)}
			modelstest.Must(store.Players.SignIn(t.Context(), a, at))(t)
		}
		for after, want := range []int64{0: 0, 1: 1, 2: 1, 3: 0} {
			modelstest.Returns(store.Privacy.ForgetOrigins(t.Context(), modelstest.Noon.Add(30*24*time.Hour-time.Hour+time.Duration(after)*24*time.Hour)))(t, want, after, "days later are forgotten")
		}
	})
}

func TestErasedPlayersProofIsDeleted(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		p := modelstest.Player(t, store)
		modelstest.ProveWallet(t, store, p, "0:aa", modelstest.Noon)
		modelstest.NewNonce(t, store, p, modelstest.Noon)
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(p.ID))
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM wallet_nonces WHERE proof IS NOT NULL OR wallet <> '' OR state <> 'used'"), 0, "nonces tell of the wallet")
		modelstest.Sound(t, store)
	})
}
