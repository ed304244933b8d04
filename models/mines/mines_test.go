package mines_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/orders"
	"mcbk/models/store"
	"mcbk/models/taps"
	"mcbk/models/treasury"
)

func wantDigRefused(t *testing.T, store *store.Store, player models.Player, tapCount int, key string, at time.Time, why game.Code) {
	t.Helper()
	modelstest.Refuses(store.Mines.Dig(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: tapCount, Key: key}, modelstest.Season, at))(t, why, "dig", tapCount, "times at", at)
}

func TestMineIsOpenedByPaymentAndDug(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store, modelstest.InvitedBy(modelstest.Player(t, store)))
		wantDigRefused(t, store, player, 1, "too-early", modelstest.Noon, game.MineLocked)
		order := modelstest.OrderMine(t, store, player, 1, modelstest.Noon)
		if order.Kind != models.OrderMine || order.Amount != game.TON || order.Coins != 0 || *order.MineLevel != 1 || !order.ExpiresAt.Equal(modelstest.Noon.Add(15*time.Minute)) {
			t.Errorf("ordered %+v", order)
		}
		modelstest.Equal(t, modelstest.OrderMine(t, store, player, 1, modelstest.Noon.Add(time.Minute)).ID, order.ID, "asked again, the order is")
		late := modelstest.Noon.Add(16 * time.Minute) // the order has expired
		m.Record(t, late.Add(time.Minute))
		modelstest.Must(store.Treasury.ExpireOrders(t.Context()))(t)
		modelstest.WantOrder(t, store, order, models.OrderExpired, 0)
		m.Pay(game.TON, order.Comment, late)
		m.Record(t, late.Add(2*time.Minute))
		modelstest.WantOrder(t, store, order, models.OrderPaid, game.TON)
		modelstest.WantHeld(t, store)
		if mines := modelstest.Mines(t, store, player, late); mines.Miner.Level != 1 || mines.Miner.Energy() != 1000 || mines.At(late) != game.TournamentRunning {
			t.Errorf("after the entry: %+v", mines)
		}
		dig := late.Add(3 * time.Minute)
		modelstest.Equal(t, modelstest.Dig(t, store, player, 40, "batch-one", dig), mines.Dug{Accepted: 40, Total: 10 * game.MCBK, Energy: 600, MaxEnergy: 1000, Revision: 3}, "dug")
		m.OpenMines(t, player, dig, 2)
		modelstest.Equal(t, modelstest.Dig(t, store, player, 40, "batch-one", dig.Add(time.Hour)), mines.Dug{Accepted: 40, Total: 10 * game.MCBK, Energy: 600, MaxEnergy: 1000, Revision: 3}, "the same batch again")
		modelstest.Equal(t, modelstest.Dig(t, store, player, 1000, "batch-two", dig.Add(time.Hour)), mines.Dug{Accepted: 160, Total: 90 * game.MCBK, Energy: 0, MaxEnergy: 2000, Revision: 4}, "a deeper mine")
		if d := modelstest.Dig(t, store, player, 10, "", dig.Add(2*time.Hour)); d.Accepted != 0 || d.Total != 90*game.MCBK {
			t.Errorf("without energy %+v", d)
		}
		midnight := modelstest.Noon.Add(12 * time.Hour)
		modelstest.Equal(t, modelstest.Mines(t, store, player, midnight).Miner.Energy(), 2000, "at midnight")
		modelstest.Equal(t, modelstest.Dig(t, store, player, 1, "batch-three", midnight).Energy, 1990, "at midnight")
		wantDigRefused(t, store, player, 41, "batch-one", dig, models.IdempotencyKeyReused)
		if now, err := store.Players.Player(t.Context(), player.ID); err != nil || now.Balances.Mine != 90*game.MCBK+game.MCBK/2 || now.Balances.Coins() != 0 {
			t.Errorf("owns %+v, %v", now.Balances, err)
		}
		modelstest.Equal(t, modelstest.Must(store.Players.Player(t.Context(), *player.ReferrerID))(t).Balances.Coins(), 0, "a mine is no purchase of coins, but the inviter has")
	})
}

func TestBatchKeyServesTheBagOrTheMine(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		modelstest.Tournament(t, store)
		player := modelstest.Buyer(t, store)
		modelstest.NewMarket(t, store).OpenMines(t, player, modelstest.Noon, 1)
		at := modelstest.Noon.Add(time.Minute)
		modelstest.Dig(t, store, player, 5, "key-of-the-mine", at)
		modelstest.Refuses(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 5, Key: "key-of-the-mine"}, modelstest.Season, at))(t, models.IdempotencyKeyReused, "a tap batch under a mine's key")
		modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 5, Key: "key-of-the-bag"}, modelstest.Season, at))(t)
		wantDigRefused(t, store, player, 5, "key-of-the-bag", at, models.IdempotencyKeyReused)
		other := commit.Request{Player: player.ID, Key: "key-of-the-mine", Operation: "other", BodyHash: []byte("x")}
		modelstest.Refuses(store.Commit.Once(t.Context(), other, at, nil))(t, models.IdempotencyKeyReused, "another call under a mine's key")
	})
}

// A tournament may reach beyond the season, by the settings; what was ordered in time can be paid, and is shown again until it expires.
func TestMineIsNotOrderedWhileDiggingIsClosed(t *testing.T) {
	sold := game.NewTournament(modelstest.Season.Start).SalesEnd()
	for name, c := range map[string]struct {
		starts, open, closed time.Time
		why                  game.Code
	}{
		"after":       {modelstest.Season.DayStart(85), modelstest.Season.DayStart(91).Add(-time.Minute), modelstest.Season.DayStart(91), game.SeasonOver},
		"before":      {modelstest.Season.Start.Add(-2 * 24 * time.Hour), modelstest.Season.Start, modelstest.Season.Start.Add(-time.Minute), game.SeasonNotStarted},
		"after sales": {modelstest.Season.Start, sold.Add(-time.Minute), sold.Add(time.Minute), game.TournamentNotActive},
	} {
		t.Run(name, func(t *testing.T) {
			modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
				player, other := modelstest.Buyer(t, store), modelstest.Buyer(t, store)
				modelstest.Must(store.Mines.FirstTournament(t.Context(), c.starts))(t)
				ordered := modelstest.OrderMine(t, store, player, 1, c.open)
				modelstest.Refuses(store.Mines.OrderMine(t.Context(), other.ID, 1, nil, modelstest.Season, c.closed))(t, c.why, "another at", c.closed)
				modelstest.Equal(t, modelstest.OrderMine(t, store, player, 1, c.closed).ID, ordered.ID, "asked again: order")
				if c.closed.After(c.open) {
					modelstest.Refuses(store.Mines.OrderMine(t.Context(), player.ID, 1, nil, modelstest.Season, ordered.ExpiresAt.Add(time.Second)))(t, c.why, "asked after it expired")
				}
			})
		})
	}
}

func TestOnlyNextMineOfRunningTournamentIsOrdered(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		refuses := func(player models.Player, level int, at time.Time, why game.Code) {
			t.Helper()
			modelstest.Refuses(store.Mines.OrderMine(t.Context(), player.ID, level, nil, modelstest.Season, at))(t, why, "mine", level, "at", at)
		}
		player := modelstest.Buyer(t, store)
		refuses(player, 1, modelstest.Noon, game.TournamentNotActive) // there is none
		rush := modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		refuses(modelstest.Player(t, store), 1, modelstest.Noon, models.WalletNotConnected)
		refuses(modelstest.Buyer(t, store, modelstest.Unconsented()), 1, modelstest.Noon, game.AgeConsentRequired)
		refuses(player, 1, rush.Start.Add(-time.Second), game.TournamentNotActive)
		refuses(player, 1, rush.End.Add(-30*time.Minute), game.TournamentNotActive)
		refuses(player, 1, rush.End, game.TournamentNotActive)
		refuses(player, 2, modelstest.Noon, game.LevelNotNext)
		m.OpenMines(t, player, modelstest.Noon, 1, 2)
		refuses(player, 2, modelstest.Noon, game.LevelNotNext)
		refuses(player, 5, modelstest.Noon, game.LevelNotNext)
		modelstest.WantHeld(t, store)
		for range 5 {
			modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon)
		}
		refuses(player, 3, modelstest.Noon, orders.TooManyOpenOrders)
	})
}

// Nobody can dig before a mine is open: a day on which it was not must not be asked of its player.
func TestMineOpenedAfterMidnightCountsFromNewDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		midnight := (game.DayOf(modelstest.Noon) + 1).Start()
		order := modelstest.OrderMine(t, store, player, 1, midnight.Add(-time.Minute))
		for range 59 { // a part of the record, and a little more
			m.Pay(game.TON/100, "", midnight.Add(-time.Minute))
		}
		m.Pay(order.Amount, order.Comment, midnight.Add(-time.Minute))
		history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: midnight, Agreed: 2}
		clock := midnight.Add(-2 * time.Second)
		modelstest.Returns(store.Treasury.Record(t.Context(), history, modelstest.Season, func() time.Time { clock = clock.Add(time.Second); return clock.Add(-time.Millisecond) }))(t, 60, "recorded")
		modelstest.Equal(t, modelstest.Mines(t, store, player, clock).Miner.FirstDay, game.DayOf(midnight), "it counts from")
	})
}

// The chain may be behind, and the time of an order over before its payment is seen.
func TestMineOpenedByOlderOrderCancelsNewerOrder(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		player, other := modelstest.Buyer(t, store), modelstest.Buyer(t, store)
		first := modelstest.OrderMine(t, store, player, 1, modelstest.Noon)
		again := modelstest.OrderMine(t, store, player, 1, first.ExpiresAt.Add(time.Minute))
		others := modelstest.OrderMine(t, store, other, 1, first.ExpiresAt.Add(time.Minute))
		m.Pay(first.Amount, first.Comment, first.ExpiresAt.Add(-time.Minute))
		m.Record(t, first.ExpiresAt.Add(2*time.Minute))
		modelstest.WantOrder(t, store, first, models.OrderPaid, first.Amount)
		modelstest.WantOrder(t, store, again, models.OrderCancelled, 0)
		modelstest.WantOrder(t, store, others, models.OrderPending, 0)
		modelstest.Equal(t, modelstest.Mines(t, store, player, modelstest.Noon).Miner.Level, 1, "the open mine")
	})
}

func TestPaymentThatOpensNoMineIsHeld(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		rush := modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		player, slow, quitter := modelstest.Buyer(t, store), modelstest.Buyer(t, store), modelstest.Buyer(t, store)
		one := modelstest.OrderMine(t, store, player, 1, modelstest.Noon)
		m.Pay(game.TON-1, one.Comment, modelstest.Noon)
		m.Pay(3*game.TON/2, one.Comment, modelstest.Noon)
		m.Pay(game.TON, one.Comment, modelstest.Noon.Add(time.Second)) // it is open
		last := rush.End.Add(-31 * time.Minute)
		over := modelstest.OrderMine(t, store, slow, 1, last)
		gone := modelstest.OrderMine(t, store, quitter, 1, modelstest.Noon)
		modelstest.Must(store.Orders.CancelOrder(t.Context(), quitter.ID, gone.ID))(t)
		m.Pay(5*game.TON/2, gone.Comment, modelstest.Noon.Add(time.Minute))
		m.Pay(game.TON, over.Comment, rush.End)
		m.Record(t, rush.End.Add(time.Second))
		held := modelstest.WantHeld(t, store, "its order was cancelled: 2500000000", "the mine is not the player's next: 1000000000", "paid while no tournament was running: 1000000000",
			"less than the mine costs: 999999999", "more than the mine costs: 500000000")
		modelstest.WantOrder(t, store, one, models.OrderPaid, game.TON)
		if modelstest.Mines(t, store, player, modelstest.Noon).Miner.Level != 1 || modelstest.Mines(t, store, slow, modelstest.Noon).Miner.Level != 0 {
			t.Error("other mines are open than were paid")
		}
		modelstest.Refused(t, store, game.AmountTooSmall, treasury.ActionMatch, fmt.Sprint(held[3].ID), gone.Comment)
		modelstest.Refused(t, store, game.LevelNotNext, treasury.ActionMatch, fmt.Sprint(held[1].ID), one.Comment)
		modelstest.Refused(t, store, game.TournamentNotActive, treasury.ActionMatch, fmt.Sprint(held[2].ID), over.Comment)
		done := modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[0].ID), gone.Comment)
		modelstest.Equal(t, done.Outcome, fmt.Sprintf("1 TON of payment %d opened mine 1 of player %d; 1.5 TON stays held", held[0].ID, quitter.ID), "admins are told")
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(held[2].ID), treasury.MatchRefund)
		modelstest.Equal(t, modelstest.Mines(t, store, quitter, modelstest.Noon).Miner.Level, 1, "what an admin gave opened nothing")
	})
}

func TestBatchCountsUntilTournamentEnd(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		rush := modelstest.Tournament(t, store)
		player := modelstest.Buyer(t, store)
		m := modelstest.NewMarket(t, store)
		m.OpenMines(t, player, modelstest.Noon, 1)
		wantDigRefused(t, store, player, 1, "before-it", rush.Start.Add(-time.Second), game.SeasonNotStarted)
		modelstest.Dig(t, store, player, 10, "seconds-before", rush.End.Add(-time.Second))
		wantDigRefused(t, store, player, 10, "at-the-end", rush.End, game.TournamentNotActive)
		modelstest.Equal(t, modelstest.Dig(t, store, player, 10, "seconds-before", rush.End.Add(time.Minute)).Accepted, 10, "a repeated batch after the end")
		modelstest.Must(store.Mines.AdvanceTournaments(t.Context(), nil, rush.End))(t)
		wantDigRefused(t, store, player, 10, "clock-that-is-behind", rush.End.Add(-time.Second), game.TournamentNotActive)
	})
}

func TestFiftyConcurrentBatchesWithOneKeyDigOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		players := []models.Player{modelstest.Buyer(t, store), modelstest.Buyer(t, store), modelstest.Buyer(t, store)}
		for _, p := range players {
			m.OpenMines(t, p, modelstest.Noon, 1)
		}
		var all sync.WaitGroup
		answers := make([]mines.Dug, 150)
		dig := func(i, sent int, key string) (mines.Dug, error) {
			batch := taps.Batch{TelegramID: players[i%3].TelegramID, Sent: sent, Key: key}
			return modelstest.Retry(func() (mines.Dug, error) {
				return store.Mines.Dig(t.Context(), batch, modelstest.Season, modelstest.Noon.Add(time.Minute))
			})
		}
		for i := range answers {
			all.Go(func() {
				d, err := dig(i, 7, "the-same-id")
				if answers[i] = d; err != nil || d.Accepted != 7 {
					t.Errorf("dug %+v, %v", d, err)
				}
			})
			all.Go(func() {
				modelstest.Succeeds(dig(i, 1, modelstest.Key(i)))(t)
			})
		}
		all.Wait()
		for i, answer := range answers {
			modelstest.Equal(t, answer, answers[i%3], "the same batch was answered")
		}
		for _, p := range players {
			if mines := modelstest.Mines(t, store, p, modelstest.Noon.Add(time.Minute)); mines.Miner.Taps != 57 || mines.Miner.Ore != 57*game.MCBK/4 {
				t.Errorf("player %d dug %+v", p.ID, mines.Miner)
			}
		}
	})
}

func TestMinersAreRankedByOre(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Tournament(t, store)
		m := modelstest.NewMarket(t, store)
		var players []models.Player
		for i, taps := range []int{0, 20, 30, 30, 10} {
			p := modelstest.Buyer(t, store)
			players = append(players, p)
			m.OpenMines(t, p, modelstest.Noon, 1)
			if taps > 0 {
				modelstest.Dig(t, store, p, taps, modelstest.Key(i), modelstest.Noon.Add(time.Minute))
			}
		}
		stranger := modelstest.Player(t, store)
		tells := func(p models.Player) (ranks []int) {
			board, me, err := store.Mines.Miners(t.Context(), p, modelstest.Noon.Add(time.Minute))
			if err != nil || me.PlayerID != p.ID {
				t.Fatalf("%+v, %v", me, err)
			}
			for _, row := range board {
				ranks = append(ranks, row.Rank, slices.IndexFunc(players, func(p models.Player) bool { return p.ID == row.PlayerID }), int(row.Taps))
			}
			return append(ranks, me.Rank)
		}
		list := []int{1, 2, 30, 1, 3, 30, 3, 1, 20, 4, 4, 10}
		for i, rank := range []int{0, 3, 1, 1, 4} {
			modelstest.Equal(t, tells(players[i]), append(slices.Clone(list), rank), "to the player with rank", rank)
		}
		modelstest.Equal(t, tells(stranger), append(slices.Clone(list), 0), "to a stranger")
	})
}

// One view of the books is no reason to keep a player waiting. SQLite has no such limit.
func TestLargeLeaderboardStaysWithinParameterLimit(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.WithTimeouts(t, address)
	modelstest.Tournament(t, store)
	player := modelstest.Buyer(t, store)
	modelstest.NewMarket(t, store).OpenMines(t, player, modelstest.Noon, 1)
	modelstest.Dig(t, store, player, 1, "one", modelstest.Noon.Add(time.Minute))
	modelstest.Exec(t, address, "ALTER TABLE miners RENAME TO quick_miners; CREATE VIEW miners AS SELECT m.* FROM quick_miners m, pg_sleep(8)")
	_, _, err := store.Mines.Miners(t.Context(), player, modelstest.Noon.Add(time.Minute))
	if !errors.Is(err, db.ErrUnavailable) || !strings.Contains(err.Error(), "statement timeout") {
		t.Errorf("a board that takes long: %v", err)
	}
}

// An admin who plans a tournament, or the job that begins one, holds its row for a moment.
func TestDigWaitsForALockedTournament(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	modelstest.Tournament(t, store)
	player := modelstest.Buyer(t, store)
	modelstest.NewMarket(t, store).OpenMines(t, player, modelstest.Noon, 1)
	modelstest.NoError(t, modelstest.Behind(t, address, "SELECT id FROM tournaments FOR UPDATE", func() error {
		_, err := store.Mines.Dig(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 3, Key: modelstest.Key(1)}, modelstest.Season, modelstest.Noon.Add(time.Minute))
		return err
	}))
	modelstest.Sound(t, store)
}
