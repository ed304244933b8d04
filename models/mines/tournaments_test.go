package mines_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

// A tournament of 120: the first dig every day, the tenth and eleventh as much as each other, the last less than a prize needs.
func TestWholeTournament(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		everyDay := make([]int, 15)
		for day := range everyDay {
			everyDay[day] = day
		}
		r := modelstest.NewRush(t, store, 120, func(i int) (int, []int) {
			switch {
			case i < 5:
				return 1000 - 2*i, everyDay
			case i == 9, i == 10:
				return 790, everyDay[:14]
			case i < 118:
				return 800 - i, everyDay[:9]
			}
			return 390, everyDay[:9] // 97.5
		})
		modelstest.AdvanceTournaments(t, store, r.Start)
		modelstest.WantTournament(t, store, game.TournamentRunning)

		// Seconds before the end and after it, on the chain and in the mine.
		late, later := modelstest.Buyer(t, store), modelstest.Buyer(t, store)
		lastOrder := r.End.Add(-31 * time.Minute)
		inTime, tooLate := modelstest.OrderMine(t, store, late, 1, lastOrder), modelstest.OrderMine(t, store, later, 1, lastOrder)
		modelstest.Dig(t, store, r.Players[4], 1, "in-the-last-second", r.End.Add(-time.Second))
		wantDigRefused(t, store, r.Players[4], 1, "a-second-late", r.End.Add(time.Second), game.TournamentNotActive)
		r.Pay(game.TON, inTime.Comment, r.End.Add(-time.Second))
		r.Pay(game.TON, tooLate.Comment, r.End.Add(time.Second))
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Second))
		modelstest.WantTournament(t, store, game.TournamentClosed)
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Hour)) // the chain is not known beyond it
		modelstest.WantTournament(t, store, game.TournamentClosed)
		r.Record(t, r.End.Add(time.Hour))
		modelstest.WantHeld(t, store, "paid while no tournament was running: 1000000000")
		modelstest.Refused(t, store, game.TournamentNotActive, mines.ActionAward, "1")
		for range 3 {
			modelstest.AdvanceTournaments(t, store, r.End.Add(2*time.Hour))
		}
		status := modelstest.WantTournament(t, store, game.TournamentFinal)
		if status.Miners != 121 || status.Sold != 121*game.TON || status.Prizes != (mines.Prizes{Winners: 100, TON: 60 * game.TON, Coins: 695_000 * game.MCBK}) {
			t.Errorf("it ended with %+v", status)
		}
		ore := func(i int) game.MicroMCBK {
			mines := modelstest.Must(store.Mines.Mines(t.Context(), r.Players[i].ID, r.End))(t)
			return mines.Miner.Ore
		}
		for i, factor := range map[int]game.MicroMCBK{0: 2, 4: 2, 5: 1, 50: 1, 119: 1} {
			if p, err := store.Players.Player(t.Context(), r.Players[i].ID); err != nil || p.Balances.Game != factor*ore(i) || p.Balances.Mine != 0 {
				t.Errorf("player %d is paid %+v for %d ore, %v", i, p.Balances, ore(i), err)
			}
		}
		modelstest.Sound(t, store)

		modelstest.Equal(t, modelstest.CountMessages(t, store, "admin:award"), 1, "reminders on the first day")
		modelstest.AdvanceTournaments(t, store, r.End.Add(26*time.Hour))
		modelstest.Equal(t, modelstest.CountMessages(t, store, "admin:award"), 2, "reminders on two days")
		modelstest.Done(t, store, mines.ActionAward, "1")
		modelstest.Refused(t, store, game.AlreadyClaimed, mines.ActionAward, "1")
		modelstest.AdvanceTournaments(t, store, r.End.Add(27*time.Hour))
		modelstest.Equal(t, modelstest.WantTournament(t, store, game.TournamentAwarded).Waiting, 0, "prizes wait")
		var coins game.MicroMCBK
		for i, p := range r.Players {
			now := modelstest.Must(store.Players.Player(t.Context(), p.ID))(t)
			mines := modelstest.Must(store.Mines.Mines(t.Context(), p.ID, r.End))(t)
			won := now.Balances.Game - mines.Miner.OreCoins
			coins += won
			want := game.PrizeAt(i + 1).Coins
			rank := i + 1
			switch i {
			case 9, 10:
				rank, want = 10, 7500*game.MCBK
			case 119:
				rank = 119
			}
			if won != want || *mines.Miner.Rank != rank {
				t.Errorf("place %d has rank %d and won %d, want %d and %d", i+1, *mines.Miner.Rank, won, rank, want)
			}
		}
		modelstest.Equal(t, coins, 695_000*game.MCBK, "micro-MCBK were given")
		payables, err := store.Treasury.Payouts(t.Context(), 10)
		var owed []string
		for _, p := range payables {
			owed = append(owed, fmt.Sprintf("%d %s", slices.IndexFunc(r.Players, func(q models.Player) bool { return q.ID == *p.PlayerID }), p.Amount.Decimal()))
		}
		if slices.Sort(owed); err != nil || !slices.Equal(owed, []string{"0 30", "1 20", "2 10"}) {
			t.Errorf("owed are %q, %v", owed, err)
		}
	})
}

// One miner's account can hold no more, which no play could bring about: first their ore cannot be paid, then their prize.
func TestUnpayableMinerBlocksNobody(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		r := modelstest.NewRush(t, store, 3, func(i int) (int, []int) { return 500 - i, []int{0, 1, 2, 3, 4, 5, 6} })
		modelstest.AdvanceTournaments(t, store, r.End)
		r.Record(t, r.End.Add(time.Second))
		stuck := r.Players[0].ID
		balance := func(to int64) {
			modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET balance_game = %d WHERE id = %d", to, stuck))
		}
		fails := func(want int64) {
			t.Helper()
			done, err := store.Mines.AdvanceTournaments(t.Context(), []int64{modelstest.Admin}, r.End.Add(time.Hour))
			if done != want || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("player %d: ", stuck)) {
				t.Errorf("%d done, %v; want %d", done, err, want)
			}
		}
		balance(math.MaxInt64)
		fails(2)
		modelstest.WantTournament(t, store, game.TournamentClosed)
		balance(0)
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Hour))
		modelstest.WantTournament(t, store, game.TournamentFinal)
		modelstest.Sound(t, store)

		var ore int64
		modelstest.NoError(t, raw.QueryRowContext(t.Context(), fmt.Sprintf("SELECT balance_game FROM players WHERE id = %d", stuck)).Scan(&ore))
		// As if an admin's confirmation had been cut off after its first step.
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE tournaments SET state = 'awarded', awarded_at = '%s'", r.End.Add(time.Hour).Format(time.RFC3339)))
		modelstest.MustExec(t, raw, `INSERT INTO admin_actions (admin_id, chat_id, action, args, state, nonce_hash, asked_at, expires_at, decided_at, outcome)
			SELECT 1, 1, 'tournament award', '["1"]', 'executed', 'a nonce', awarded_at, awarded_at, awarded_at, '' FROM tournaments`)
		balance(math.MaxInt64)
		fails(2)
		balance(ore)
		modelstest.AdvanceTournaments(t, store, r.End.Add(time.Hour))
		modelstest.Equal(t, modelstest.WantTournament(t, store, game.TournamentAwarded).Waiting, 0, "prizes wait")
		modelstest.Sound(t, store)
	})
}

// The clocks of two processes differ: one has read a tournament that the other has moved since.
func TestTournamentIsPaidOnlyOnceStoredAsClosed(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 3, func(i int) (int, []int) { return 500 - i, []int{0, 1, 2, 3, 4, 5, 6} })
		read := modelstest.Must(store.Mines.Mines(t.Context(), r.Players[0].ID, r.Start.Add(-time.Second)))(t)
		modelstest.Equal(t, read.State, game.TournamentScheduled, "read", read.Tournament)
		modelstest.AdvanceTournaments(t, store, r.Start)
		after := r.End.Add(time.Minute)
		modelstest.Returns(store.Mines.AdvanceAsRead(t.Context(), read.Tournament, after))(t, 0, "as it was read long ago: did")
		read.State = game.TournamentClosed
		modelstest.Returns(store.Mines.Finish(t.Context(), read.Tournament, after))(t, 0, "while it runs: paid")
		modelstest.WantTournament(t, store, game.TournamentRunning)
		for _, p := range r.Players {
			if modelstest.Mines(t, store, p, after).Miner.PaidAt != nil {
				t.Errorf("player %d is paid while it runs", p.ID)
			}
		}
	})
}

// A payment of before the end is given to its order while the tournament ends. SQLite has one writer.
func TestMineOpenedDuringTournamentEndIsRanked(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	r := modelstest.Rush{Market: modelstest.NewMarket(t, store), Tournament: modelstest.Tournament(t, store)}
	late := modelstest.Buyer(t, store)
	order := modelstest.OrderMine(t, store, late, 1, modelstest.Noon)
	modelstest.Must(store.Orders.CancelOrder(t.Context(), late.ID, order.ID))(t)
	r.Pay(order.Amount, order.Comment, modelstest.Noon)
	r.Record(t, modelstest.Noon.Add(time.Minute))
	held := modelstest.WantHeld(t, store, "its order was cancelled: 1000000000")
	modelstest.AdvanceTournaments(t, store, r.End)
	r.Record(t, r.End.Add(time.Second))
	release := modelstest.Hold(t, address, "LOCK TABLE mine_levels IN SHARE MODE") // what is written after the miner
	matched, ended := make(chan error, 1), make(chan error, 1)
	nonce := modelstest.Must(store.Admin.RequestConfirmation(t.Context(), models.PendingAction{Admin: modelstest.Admin, Action: treasury.ActionMatch, Args: []string{fmt.Sprint(held[0].ID), order.Comment}}, modelstest.Noon))(t)
	go func() {
		press := admin.Confirmation{Admin: modelstest.Admin, ChatID: modelstest.Admin, Nonce: nonce, Admins: []int64{modelstest.Admin}}
		decision, err := store.Admin.ConfirmAction(t.Context(), press, modelstest.Noon)
		if err == nil && decision.Action.State != models.ActionExecuted {
			err = fmt.Errorf("the payment is not given: %+v", decision)
		}
		matched <- err
	}()
	modelstest.AwaitLock(t, raw, matched)
	go func() {
		_, err := store.Mines.AdvanceTournaments(t.Context(), nil, r.End.Add(time.Minute))
		ended <- err
	}()
	modelstest.AwaitLocks(t, raw, 2, ended)
	release()
	modelstest.NoError(t, errors.Join(<-matched, <-ended))
	modelstest.WantTournament(t, store, game.TournamentClosed)
	modelstest.AdvanceTournaments(t, store, r.End.Add(time.Minute))
	modelstest.WantTournament(t, store, game.TournamentFinal)
	if mines := modelstest.Mines(t, store, late, r.End); mines.Miner.Rank == nil || mines.Miner.PaidAt == nil {
		t.Errorf("its miner is %+v", mines.Miner)
	}
	modelstest.Sound(t, store)
}

func TestTieSharesPrizes(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 4, func(i int) (int, []int) { return []int{500, 500, 500, 399}[i], []int{0, 1, 2, 3, 4, 5, 6} })
		r.Finish(t)
		status := modelstest.WantTournament(t, store, game.TournamentFinal)
		modelstest.Done(t, store, mines.ActionAward, fmt.Sprint(status.ID))
		for i, p := range r.Players {
			now, err := store.Players.Player(t.Context(), p.ID)
			won := now.Balances.Game - []game.MicroMCBK{125 * game.MCBK, 125 * game.MCBK, 125 * game.MCBK, 399 * game.MCBK / 4}[i]
			if want := []game.MicroMCBK{58_333_333_333, 58_333_333_333, 58_333_333_333, 0}[i]; err != nil || won != want {
				t.Errorf("place %d won %d, want %d: %v", i+1, won, want, err)
			}
		}
		payables, err := store.Treasury.Payouts(t.Context(), 10)
		if err != nil || len(payables) != 3 || payables[0].Amount != 20*game.TON || payables[2].Amount != 20*game.TON {
			t.Errorf("owed are %+v, %v", payables, err)
		}
	})
}

func TestFirstTournamentIsReplannedUntilSomebodyPlays(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		plans := func(start, want time.Time) {
			t.Helper()
			modelstest.Returns(store.Mines.FirstTournament(t.Context(), start))(t, want, "planned for", start, "it begins at")
			if all, err := store.Mines.TournamentStatuses(t.Context(), 2); err != nil || len(all) != 1 || !all[0].Start.Equal(want) || !all[0].End.Equal(game.NewTournament(want).End) {
				t.Errorf("planned for %s: %+v, %v", want, all, err)
			}
		}
		start := modelstest.Season.Start
		plans(start, start)
		modelstest.AdvanceTournaments(t, store, start) // it runs
		for _, again := range []time.Time{start.Add(24 * time.Hour), start.Add(24 * time.Hour), start} {
			plans(again, again)
		}
		modelstest.Player(t, store)
		plans(start.Add(24*time.Hour), start)
	})
}

// Those who dig share locks on the tournament, one after the other: a start that waited for all of them might never come. SQLite
// locks no row.
func TestTournamentStartDoesNotWaitForDiggers(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.WithTimeouts(t, address)
	modelstest.Tournament(t, store)
	modelstest.Player(t, store)
	modelstest.Hold(t, address, "SELECT 1 FROM tournaments FOR SHARE") // as digs do
	modelstest.Returns(store.Mines.FirstTournament(t.Context(), modelstest.Season.Start))(t, modelstest.Season.Start, "it begins at")
}

func TestFirstTournamentMovesBesidePlannedOnes(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		start := modelstest.Season.Start
		planned := start.Add(30 * 24 * time.Hour)
		for i, c := range []struct{ asked, want time.Time }{
			{start, start},
			{start.Add(24 * time.Hour), start.Add(24 * time.Hour)},
			{start.Add(2 * 24 * time.Hour), start.Add(2 * 24 * time.Hour)},
			{planned.Add(-24 * time.Hour), start.Add(2 * 24 * time.Hour)}, // when another one would run
			{planned, start.Add(2 * 24 * time.Hour)},
			{planned.Add(15 * 24 * time.Hour), planned.Add(15 * 24 * time.Hour)},
		} {
			modelstest.Returns(store.Mines.FirstTournament(t.Context(), c.asked))(t, c.want, "planned for", c.asked, "it begins at")
			if i == 0 {
				modelstest.Done(t, store, mines.ActionTournament, planned.Format(time.DateOnly))
			}
			all, err := store.Mines.TournamentStatuses(t.Context(), 3)
			starts := []time.Time{}
			for _, one := range all {
				starts = append(starts, one.Start)
			}
			want := []time.Time{planned, c.want} // newest first
			slices.SortFunc(want, func(a, b time.Time) int { return b.Compare(a) })
			if err != nil || !slices.EqualFunc(starts, want, time.Time.Equal) {
				t.Errorf("planned for %s, there are %s: %v", c.asked, starts, err)
			}
		}
	})
}

func TestTournamentsDoNotOverlap(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		first := modelstest.Tournament(t, store)
		modelstest.Refused(t, store, models.Expired, mines.ActionTournament, "2026-03-04")
		modelstest.Refused(t, store, game.AlreadyClaimed, mines.ActionTournament, "2026-03-18")
		modelstest.Done(t, store, mines.ActionTournament, "2026-03-19")
		modelstest.Refused(t, store, game.AlreadyClaimed, mines.ActionTournament, "2026-03-19")
		modelstest.Refused(t, store, game.AlreadyClaimed, mines.ActionTournament, "2026-04-02")
		modelstest.Done(t, store, mines.ActionTournament, "2026-04-03")
		player := modelstest.Player(t, store)
		if mines := modelstest.Mines(t, store, player, first.End.Add(-time.Hour)); !mines.Start.Equal(first.Start) || mines.Next == nil || !mines.Next.Start.Equal(first.End) {
			t.Errorf("before the end: %+v", mines)
		}
		if mines := modelstest.Mines(t, store, player, first.End); !mines.Start.Equal(first.End) || mines.At(first.End) != game.TournamentRunning {
			t.Errorf("after it: %+v", mines)
		}
	})
}

func TestSlowClockNeverReversesTournament(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		first := modelstest.Tournament(t, store)
		modelstest.AdvanceTournaments(t, store, first.Start)
		modelstest.WantTournament(t, store, game.TournamentRunning)
		modelstest.AdvanceTournaments(t, store, first.Start.Add(-time.Second))
		modelstest.WantTournament(t, store, game.TournamentRunning)

		modelstest.Done(t, store, mines.ActionTournament, first.End.Format(time.DateOnly))
		unseen := first.End.Add(game.TournamentLength)
		modelstest.AdvanceTournaments(t, store, unseen)
		modelstest.WantTournament(t, store, game.TournamentFinal) // closed on the way: nothing was ever sold, so the chain hides nothing
	})
}

// What a player opened belongs to one tournament; ore of the next is counted from nothing.
func TestNextTournamentStartsFromZero(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 1, func(int) (int, []int) { return 40, []int{0} })
		modelstest.Done(t, store, mines.ActionTournament, r.End.Format(time.DateOnly))
		again := r.End.Add(time.Hour)
		wantDigRefused(t, store, r.Players[0], 1, "without-entry", again, game.MineLocked)
		r.OpenMines(t, r.Players[0], again, 1)
		modelstest.Equal(t, modelstest.Dig(t, store, r.Players[0], 4, "second-one", again.Add(time.Minute)).Total, game.MCBK, "dug")
		modelstest.AdvanceTournaments(t, store, again.Add(2*time.Minute))
		if p, err := store.Players.Player(t.Context(), r.Players[0].ID); err != nil || p.Balances.Game != 10*game.MCBK || p.Balances.Mine != game.MCBK {
			t.Errorf("owns %+v, %v", p.Balances, err)
		}
	})
}
