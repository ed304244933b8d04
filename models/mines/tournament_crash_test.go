package mines_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// interrupt does something again and again, each time with a little longer before its context ends, until it has been done whole.
// What is open then is rolled back, as when a process is killed.
func interrupt(t *testing.T, store *store.Store, what string, do func(ctx context.Context) error) {
	t.Helper()
	cut := 0
	for after := time.Duration(0); ; after += max(300*time.Microsecond, after/50) {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		err := do(ctx)
		cancel()
		if err == nil {
			break
		}
		cut++
		if after > 5*time.Second {
			t.Fatalf("%s is never done: %v", what, err)
		}
		if cut%20 == 0 {
			modelstest.Sound(t, store)
		}
	}
	if cut == 0 {
		t.Errorf("%s was never cut short", what)
	}
	modelstest.Sound(t, store)
}

// Every step of a tournament is cut short at every place, by processes that go on with one another's work, and nobody is paid twice.
func TestInterruptedTournamentPaysNothingTwice(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 24, func(i int) (int, []int) { return 490 - i, []int{0, 1, 2, 3, 4} })
		step := func(at time.Time) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				return modelstest.ErrorOf(store.Mines.AdvanceTournaments(ctx, []int64{modelstest.Admin}, at))
			}
		}
		interrupt(t, store, "the start", step(r.Start))
		interrupt(t, store, "the end", step(r.End))
		modelstest.WantTournament(t, store, game.TournamentClosed)
		r.Record(t, r.End.Add(time.Second))
		interrupt(t, store, "the payment of ore", step(r.End.Add(time.Minute)))
		modelstest.Concurrently(8, func(int) {
			modelstest.Succeeds(step(r.End.Add(time.Minute))(t.Context()))(t)
		})
		status := modelstest.WantTournament(t, store, game.TournamentFinal)
		for i, p := range r.Players {
			if now, err := store.Players.Player(t.Context(), p.ID); err != nil || now.Balances.Game != game.MicroMCBK(490-i)*game.MCBK/4 || now.Balances.Mine != 0 {
				t.Errorf("player %d has %+v, %v", i, now.Balances, err)
			}
		}
		interrupt(t, store, "the award", func(ctx context.Context) error {
			nonce, err := store.Admin.RequestConfirmation(ctx, models.PendingAction{Admin: modelstest.Admin, Action: mines.ActionAward, Args: []string{fmt.Sprint(status.ID)}}, modelstest.Noon)
			if err != nil {
				return err
			}
			_, err = store.Admin.ConfirmAction(ctx, admin.Confirmation{Admin: modelstest.Admin, ChatID: modelstest.Admin, Nonce: nonce, Admins: []int64{modelstest.Admin}}, modelstest.Noon)
			return err
		})
		modelstest.Concurrently(8, func(int) {
			modelstest.Succeeds(step(r.End.Add(time.Hour))(t.Context()))(t)
		})
		for i, p := range r.Players {
			want := game.MicroMCBK(490-i)*game.MCBK/4 + game.PrizeAt(i+1).Coins
			modelstest.Equal(t, modelstest.Must(store.Players.Player(t.Context(), p.ID))(t).Balances.Game, want, "player", i, "has")
		}
		modelstest.Equal(t, modelstest.CountMessages(t, store, "prize:"), len(r.Players), "are told of their prizes")
		modelstest.Equal(t, len(modelstest.Must(store.Treasury.Payouts(t.Context(), 10))(t)), 3, "owed are")
	})
}

// Of many who share a rank some get their prize with the award, the others from the job.
func TestMinersOfOneRankArePaidInParts(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 103, func(int) (int, []int) { return 400, []int{0, 1, 2, 3, 4} })
		r.Finish(t)
		modelstest.Done(t, store, mines.ActionAward, "1")
		modelstest.Equal(t, modelstest.WantTournament(t, store, game.TournamentAwarded).Waiting, 3, "wait")
		modelstest.Sound(t, store)
		modelstest.AdvanceTournaments(t, store, r.End.Add(2*time.Minute))
		if status := modelstest.WantTournament(t, store, game.TournamentAwarded); status.Waiting != 0 || status.Prizes.Winners != 103 ||
			status.Prizes.TON != 60*game.TON/103*103 || status.Prizes.Coins != 695_000*game.MCBK/103*103 {
			t.Errorf("awarded %+v", status)
		}
	})
}
