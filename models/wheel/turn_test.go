package wheel_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

// told is what a spin's caller is told.
type told struct {
	Spin         models.Spin
	Player       models.PlayerID
	Left, Points int64
}

func spinWithRetry(t *testing.T, store *store.Store, by commit.Caller) (told, error) {
	t.Helper()
	return modelstest.Retry(func() (told, error) {
		spin, p, err := store.Wheel.TurnWheel(t.Context(), by, false, modelstest.Season, modelstest.Noon)
		spin.PlayerID, spin.SeedID, spin.Nonce, spin.SpunAt, spin.SettledAt = 0, 0, 0, time.Time{}, nil // not told
		return told{spin, p.ID, p.Balances.Spins, p.Balances.GamePoints}, err
	})
}

func spinOnce(t *testing.T, store *store.Store, player models.Player, key string) told {
	t.Helper()
	return modelstest.Must(spinWithRetry(t, store, modelstest.ByKey(player, key)))(t)
}

// wantSpinCount checks how many a player made in all; how many they have left depends on what was won.
func wantSpinCount(t *testing.T, store *store.Store, player models.Player, want int) {
	t.Helper()
	modelstest.Equal(t, modelstest.Must(store.Players.Player(t.Context(), player.ID))(t).Bag.Spins, want, "spins were made")
}

func TestRepeatedSpinReturnsFirstAnswer(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		first := spinOnce(t, store, player, modelstest.Key(1))
		spinOnce(t, store, player, modelstest.Key(2))
		modelstest.Equal(t, spinOnce(t, store, player, modelstest.Key(1)), first, "first again")
		if other := spinOnce(t, store, modelstest.Player(t, store), modelstest.Key(1)); other.Spin.ID == first.Spin.ID {
			t.Errorf("another player's spin under the same key: %+v", other)
		}
	})
}

func TestKeyUsedElsewhereSpinsNothing(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		spinOnce(t, store, player, modelstest.Key(1))
		modelstest.Tap(t, store, player, 1, modelstest.Key(2), modelstest.Noon)
		for name, change := range map[string]func(*commit.Caller){
			"another body":  func(by *commit.Caller) { by.BodyHash = []byte("another") },
			"another call":  func(by *commit.Caller) { by.Operation = "ClaimSpinReward" },
			"a batch of it": func(by *commit.Caller) { by.Key = modelstest.Key(2) },
		} {
			by := modelstest.ByKey(player, modelstest.Key(1))
			change(&by)
			modelstest.Refuses(store.Wheel.TurnWheel(t.Context(), by, false, modelstest.Season, modelstest.Noon))(t, models.IdempotencyKeyReused, name)
		}
		wantSpinCount(t, store, player, 1)
	})
}

// Fifty of a player under one key, and one each of fifty players, at the same time.
func TestConcurrentSpinsAreMadeAndAnsweredOnceEach(t *testing.T) {
	modelstest.EachDatabaseProcesses(t, func(t *testing.T, stores []*store.Store, _ *sql.DB) {
		const players = 50
		impatient := modelstest.Player(t, stores[0])
		var (
			all   sync.WaitGroup
			mu    sync.Mutex
			got   = map[told]int{}
			group []models.Player
		)
		for range players {
			group = append(group, modelstest.Player(t, stores[0]))
		}
		turn := func(i int, player models.Player) {
			answer, err := spinWithRetry(t, stores[i%len(stores)], modelstest.ByKey(player, modelstest.Key(1)))
			if err != nil || answer.Player != player.ID || answer.Left != 9 {
				t.Errorf("player %d is told %+v, %v", player.ID, answer, err)
			}
			mu.Lock()
			defer mu.Unlock()
			got[answer]++
		}
		for i, player := range group {
			all.Go(func() { turn(i, player) })
			all.Go(func() { turn(i, impatient) })
		}
		all.Wait()
		modelstest.Equal(t, len(got), players+1, "different answers")
		modelstest.Sound(t, stores[0])
	})
}

// The first of them takes the last spin, while the others wait for the player's row.
func TestLastSpinAnswersAllCallsWithItsKey(t *testing.T) {
	modelstest.EachDatabaseProcesses(t, func(t *testing.T, stores []*store.Store, _ *sql.DB) {
		for range 5 {
			player := modelstest.Player(t, stores[0])
			for range game.FreeSpinsADay - 1 {
				modelstest.Spun(t, stores[0], player, false, modelstest.Segment(t, "coins_1"), modelstest.Noon)
			}
			var (
				all sync.WaitGroup
				mu  sync.Mutex
				got = map[told]int{}
			)
			for i := range 40 {
				all.Go(func() {
					answer, err := spinWithRetry(t, stores[i%len(stores)], modelstest.ByKey(player, modelstest.Key(1)))
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Errorf("a request for the last spin: %v", err)
					}
					got[answer]++
				})
			}
			all.Wait()
			modelstest.Equal(t, len(got), 1, "forty requests for one spin are told", got)
		}
		modelstest.Sound(t, stores[0])
	})
}

func TestBannedPlayerGetsNoSpinAnswers(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		spinOnce(t, store, player, modelstest.Key(1))
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "a test")
		for _, key := range []string{modelstest.Key(1), modelstest.Key(2)} {
			modelstest.Refuses(store.Wheel.TurnWheel(t.Context(), modelstest.ByKey(player, key), false, modelstest.Season, modelstest.Noon))(t, game.UserBlocked, key)
		}
	})
}

// What nobody waits for is not made later, when the day may be another.
func TestAbandonedSpinIsNotMade(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		spinOnce(t, store, player, modelstest.Key(1))
		gone, leave := context.WithCancel(t.Context())
		leave()
		modelstest.Fails(store.Wheel.TurnWheel(gone, modelstest.ByKey(player, modelstest.Key(2)), false, modelstest.Season, modelstest.Noon))(t, db.ErrUnavailable, "answered with")
		spinOnce(t, store, player, modelstest.Key(3))
		wantSpinCount(t, store, player, 2)
	})
}

// Somebody who is held, as by a slow call of their own, keeps nobody else waiting.
func TestLockedPlayerDelaysNoOtherSpin(t *testing.T) {
	store := modelstest.OpenStore(t, modelstest.Address(t, "postgres"))
	held, other := modelstest.Player(t, store), modelstest.Player(t, store)
	spinOnce(t, store, held, modelstest.Key(1))
	spinOnce(t, store, other, modelstest.Key(1))
	var late sync.WaitGroup
	err := modelstest.InTx(t.Context(), store, func(ctx context.Context) error {
		if _, _, err := modelstest.SpinOnce(ctx, store, held, false, modelstest.Noon); err != nil {
			return err
		}
		late.Go(func() { spinOnce(t, store, held, modelstest.Key(2)) })
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		_, _, err := store.Wheel.TurnWheel(ctx, modelstest.ByKey(other, modelstest.Key(2)), false, modelstest.Season, modelstest.Noon)
		return err
	})
	modelstest.NoError(t, err, "while another was held")
	late.Wait()
	wantSpinCount(t, store, held, 3)
	modelstest.Sound(t, store)
}

// failedRounds counts the rounds that the database refused.
type failedRounds struct {
	db.NoMeter
	failed atomic.Int64
}

func (f *failedRounds) RoundFailed() { f.failed.Add(1) }

// A prize is paid before the next one takes its place, whoever else spins in the same round.
func TestPendingPrizesArePaidInRoundsOfOthers(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		meter := &failedRounds{}
		store.DB.Measure(meter)
		for range 3 {
			var all []models.Player
			for n := range 16 {
				player := modelstest.Player(t, store)
				stop := modelstest.Segment(t, "points_100")
				if n%2 == 0 { // nothing waits
					stop = modelstest.Segment(t, "coins_1")
				}
				modelstest.Spun(t, store, player, false, stop, modelstest.Noon)
				modelstest.Steered(t, store, player, modelstest.Segment(t, "points_100"), modelstest.Noon)
				all = append(all, player)
			}
			var spins sync.WaitGroup
			for _, player := range all {
				spins.Go(func() { spinOnce(t, store, player, modelstest.Key(1)) })
			}
			spins.Wait()
		}
		modelstest.Equal(t, meter.failed.Load(), 0, "rounds failed")
	})
}
