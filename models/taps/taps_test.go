package taps_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/taps"
)

func TestMain(m *testing.M) { modelstest.Main(m) }

func TestTapsKeepConfiguredPace(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_at_first", "20")
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_per_second", "2")
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_saved", "100")
		player := modelstest.Player(t, store)
		at := modelstest.Noon
		for i, c := range []struct {
			after    time.Duration
			accepted int
		}{{0, 20}, {10 * time.Second, 20}, {time.Hour, 100}} {
			at = at.Add(c.after)
			modelstest.Equal(t, modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 500, Key: modelstest.Key(i)}, modelstest.Season, at))(t).Accepted, c.accepted, "after", c.after, "accepted")
		}
	})
}

func TestTapUsesConfiguredRatesAndBatchKeepsAnswer(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		tap := func(key string, sent int) taps.Tapped {
			return modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: sent, Key: key}, modelstest.Season, modelstest.Noon))(t)
		}
		usual := tap("batch-0001", 10)
		modelstest.Done(t, store, settings.ActionChangeSetting, "energy_per_tap", "3")
		modelstest.Done(t, store, settings.ActionChangeSetting, "micro_mcbk_per_tap", "2500")
		dear := tap("batch-0002", 10)
		if p := dear.Player; dear.Accepted != 10 || p.Balances.Game != 35_000 || p.Bag.EnergySpent != 40 || dear.Rate != (game.TapRate{Energy: 3, Coins: 2500}) {
			t.Errorf("at the new rate: %+v", dear)
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "energy_per_tap", "10")
		if all := tap("batch-0003", 500); all.Accepted != 30 || all.Player.Bag.Energy() != 660 { // the pace is what it was
			t.Errorf("at ten energy: %+v", all)
		}
		for key, first := range map[string]taps.Tapped{"batch-0001": usual, "batch-0002": dear} {
			if again := tap(key, 10); again.Accepted != first.Accepted || again.Rate != first.Rate || again.Player.Balances != first.Player.Balances || again.Player.Bag.Energy() != first.Player.Bag.Energy() {
				t.Errorf("%s again: %+v, first %+v", key, again, first)
			}
		}
	})
}

func TestFiftyConcurrentCopiesOfABatchCountOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		batch := taps.Batch{TelegramID: player.TelegramID, Sent: 30, Key: "batch-01"}

		answers := make([]taps.Tapped, 50)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				answer, err := modelstest.Retry(func() (taps.Tapped, error) {
					return store.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon)
				})
				if err != nil {
					t.Errorf("copy %d: %v", i, err)
				}
				answers[i] = answer
			})
		}
		all.Wait()

		for i, a := range answers {
			if a.Accepted != 30 || a.Player.Balances != answers[0].Player.Balances || a.Player.Bag.Energy() != 970 {
				t.Errorf("copy %d got %+v, not the first answer", i, a)
			}
		}
		postings := modelstest.Must(store.Ledger.Postings(t.Context(), player.ID))(t)
		modelstest.Equal(t, len(postings), 1, "postings")
	})
}

func TestBatchOfNothingAcceptedMayBeRepeated(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store, modelstest.Tapped(50))
		batch := taps.Batch{TelegramID: player.TelegramID, Sent: 5, Key: "batch-01"}
		for _, c := range []struct {
			later    time.Duration
			accepted int
		}{{0, 0}, {0, 0}, {24 * time.Hour, 5}, {25 * time.Hour, 5}} {
			modelstest.Equal(t, modelstest.Must(store.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon.Add(c.later)))(t).Accepted, c.accepted, "after", c.later, "accepted")
		}
		modelstest.Equal(t, len(modelstest.Must(store.Ledger.Postings(t.Context(), player.ID))(t)), 2, "postings")
	})
}

func TestBatchKeyWithAnotherCountIsRefused(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		for _, sent := range []int{10, 11} {
			_, err := store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: sent, Key: "batch-01"}, modelstest.Season, modelstest.Noon)
			var refusal *game.Refusal
			modelstest.Equal(t, errors.As(err, &refusal) && refusal.Code == models.IdempotencyKeyReused, sent == 11, sent, "taps")
		}
	})
}

func TestTapsNeedConsentAndAnOpenSeason(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, c := range []struct {
			name   string
			player models.Player
			at     time.Time
			code   game.Code
		}{
			{"no consent", modelstest.Player(t, store, modelstest.Unconsented()), modelstest.Noon, game.AgeConsentRequired},
			{"too early", modelstest.Player(t, store), modelstest.Season.Start.Add(-time.Second), game.SeasonNotStarted},
			{"too late", modelstest.Player(t, store), modelstest.Season.Start.Add(90 * 24 * time.Hour), game.SeasonOver},
		} {
			modelstest.Refuses(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: c.player.TelegramID, Sent: 1, Key: "batch-01"}, modelstest.Season, c.at))(t, c.code, c.name)
			modelstest.Equal(t, len(modelstest.Must(store.Ledger.Postings(t.Context(), c.player.ID))(t)), 0, c.name, "postings")
		}
	})
}

// However many players another process holds, and however many batches they send, the others
// find a connection: a tap and a read of somebody else take no part of the wait.
func TestLockedPlayersDelayNobodyElse(t *testing.T) {
	for name, held := range map[string]struct{ players, batches int }{"40 players": {40, 1}, "25 batches of one": {1, 25}} {
		t.Run(name, func(t *testing.T) {
			address := modelstest.Address(t, "postgres")
			store := modelstest.OpenStore(t, address)
			players := make([]models.Player, held.players)
			for i := range players {
				players[i] = modelstest.Player(t, store)
			}
			release := modelstest.HoldPlayers(t, address)
			free := modelstest.Player(t, store) // came later, so nobody holds them
			tap := func(player models.Player, n int) error {
				return modelstest.ErrorOf(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 1, Key: modelstest.Key(n)}, modelstest.Season, modelstest.Noon))
			}
			answers := make(chan error, held.players*held.batches)
			for _, player := range players {
				for n := range held.batches {
					go func() { answers <- tap(player, n) }()
				}
			}
			for n := range 5 {
				modelstest.NoError(t, tap(free, n))
				modelstest.Must(store.Players.Player(t.Context(), free.ID))(t)
			}
			if len(answers) > 0 { // they wait for 2 s, see lockTimeout
				t.Errorf("5 taps and reads of a free player took so long that %d of the held were answered, the first %v", len(answers), <-answers)
			}
			release()
			for range cap(answers) {
				modelstest.NoError(t, <-answers)
			}
			modelstest.Sound(t, store)
		})
	}
}

// Nobody waits for an answer to a batch whose request is over: it is not written late, and its
// id counts when it comes again.
func TestAbandonedBatchOfLockedPlayerIsNotWritten(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	first, second := modelstest.Player(t, store), modelstest.Player(t, store)
	release := modelstest.HoldPlayers(t, address)
	ctx, leave := context.WithCancel(t.Context())
	tap := func(ctx context.Context, player models.Player) error {
		return modelstest.ErrorOf(store.Taps.Tap(ctx, taps.Batch{TelegramID: player.TelegramID, Sent: 1, Key: modelstest.Key(1)}, modelstest.Season, modelstest.Noon))
	}
	var all sync.WaitGroup
	for range 4 { // the first waits for the row, the others behind it
		all.Go(func() {
			modelstest.WantError(t, tap(ctx, first), db.ErrUnavailable, "a request that was left ended with")
		})
	}
	time.Sleep(100 * time.Millisecond)
	leave()
	all.Wait()
	release()
	modelstest.NoError(t, tap(t.Context(), second))
	modelstest.NoError(t, tap(t.Context(), first))
	postings := modelstest.Must(store.Ledger.Postings(t.Context(), first.ID))(t)
	modelstest.Equal(t, len(postings), 1, "postings")
	modelstest.Sound(t, store)
}

func TestRefusedBatchFailsAlone(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		unlucky, lucky := modelstest.Player(t, store), modelstest.Player(t, store)
		refuse := fmt.Sprintf(`CREATE TRIGGER unlucky BEFORE INSERT ON postings WHEN NEW.player_id = %d
			BEGIN SELECT RAISE(ABORT, 'unlucky'); END`, unlucky.ID)
		if modelstest.IsPostgres(t) {
			refuse = fmt.Sprintf(`ALTER TABLE postings ADD CHECK (player_id <> %d)`, unlucky.ID)
		}
		modelstest.MustExec(t, raw, refuse)
		modelstest.Concurrently(60, func(i int) {
			player, want := lucky, false
			if i%3 == 0 {
				player, want = unlucky, true
			}
			_, err := store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 1, Key: modelstest.Key(i)}, modelstest.Season, modelstest.Noon)
			if failed := err != nil; failed != want || errors.Is(err, db.ErrUnavailable) {
				t.Errorf("batch %d: %v", i, err)
			}
		})
		modelstest.Equal(t, modelstest.Must(store.Players.Player(t.Context(), lucky.ID))(t).Balances.Game, modelstest.TapRules.Earns(40))
		if !modelstest.IsPostgres(t) {
			modelstest.MustExec(t, raw, "DROP TRIGGER unlucky") // verify would name it
		}
		modelstest.Sound(t, store)
	})
}

// A batch without an id cannot come again, so one of which nothing was accepted needs no receipt.
func TestBatchOfNothingAcceptedLeavesNoRow(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		tap := func(key string) taps.Tapped {
			return modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 5, Key: key}, modelstest.Season, modelstest.Noon))(t)
		}
		for tap("").Accepted > 0 { // until the pace is used up
		}
		before := modelstest.Must(store.Ledger.Postings(t.Context(), player.ID))(t)
		if tapped := tap(""); tapped.Accepted != 0 || tapped.Player.ID != player.ID {
			t.Errorf("answered %+v", tapped)
		}
		tap(modelstest.Key(1))
		after := modelstest.Must(store.Ledger.Postings(t.Context(), player.ID))(t)
		modelstest.Equal(t, len(after), len(before), "postings")
	})
}

func TestBatchWithKeyOfAnotherCallIsRefused(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store, modelstest.Tapped(5)) // they are cached
		request := commit.Request{Player: player.ID, Key: modelstest.Key(1), Operation: "checkIn", BodyHash: []byte{1}}
		_, err := store.Commit.Once(t.Context(), request, modelstest.Noon, func(context.Context) (commit.Answer, error) {
			return commit.Answer{Status: 200}, nil
		})
		modelstest.NoError(t, err, "another call with the key")
		for range 2 {
			modelstest.Refuses(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 3, Key: modelstest.Key(1)}, modelstest.Season, modelstest.Noon))(t, models.IdempotencyKeyReused, "a batch with the key")
		}
	})
}
