package taps_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/taps"
)

func TestAnyMixOfBatchesSumsAcceptedTaps(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		keys := 0
		rapid.Check(t, func(rt *rapid.T) {
			var (
				now      = modelstest.Noon
				players  []models.Player
				accepted = map[int64]int{} // by Telegram's id
				first    = map[taps.Batch]taps.Tapped{}
				sent     []taps.Batch
			)
			for range rapid.IntRange(1, 3).Draw(rt, "players") {
				players = append(players, modelstest.Player(t, store))
			}
			for range rapid.IntRange(1, 10).Draw(rt, "batches") {
				now = now.Add(time.Duration(rapid.Int64Range(-int64(time.Minute), int64(8*time.Hour)).Draw(rt, "step")))
				batch := taps.Batch{TelegramID: rapid.SampledFrom(players).Draw(rt, "player").TelegramID, Sent: rapid.IntRange(1, 1500).Draw(rt, "sent")}
				repeat := len(sent) > 0 && rapid.Bool().Draw(rt, "repeat")
				if repeat {
					batch = rapid.SampledFrom(sent).Draw(rt, "which")
				} else {
					keys++
					batch.Key = modelstest.Key(keys)
				}
				answer, err := store.Taps.Tap(t.Context(), batch, modelstest.Season, now)
				if err != nil {
					rt.Fatalf("%+v at %s: %v", batch, now, err)
				}
				if before, known := first[batch]; known {
					if answer.Accepted != before.Accepted || answer.Player.Balances != before.Player.Balances || answer.Player.Bag.Energy() != before.Player.Bag.Energy() {
						rt.Fatalf("%+v again: %+v, first %+v", batch, answer, before)
					}
					continue
				}
				if answer.Accepted > 0 { // else nothing of it is stored
					sent, first[batch] = append(sent, batch), answer
				}
				accepted[batch.TelegramID] += answer.Accepted
				if want := modelstest.TapRules.Earns(accepted[batch.TelegramID]); answer.Player.Balances.Game != want {
					rt.Fatalf("balance %d after %d accepted taps, want %d", answer.Player.Balances.Game, accepted[batch.TelegramID], want)
				}
			}
			for _, p := range players {
				saved, err := store.Players.Player(t.Context(), p.ID)
				if want := (models.Balances{Game: modelstest.TapRules.Earns(accepted[p.TelegramID])}); err != nil || saved.Balances != want {
					rt.Fatalf("player %d holds %+v, %v, want %+v", p.ID, saved.Balances, err, want)
				}
			}
			report, err := store.Audit.Verify(t.Context(), modelstest.Season, now)
			if broken := report.Broken(); err != nil || len(broken) > 0 {
				rt.Fatalf("verify: %v, %v", broken, err)
			}
		})
	})
}

// Two stores on one PostgreSQL are two processes.
func TestTwoProcessesCountEachTapOnce(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	stores := []*store.Store{modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)}
	player := modelstest.Player(t, stores[0])
	const batches, copies, size = 20, 3, 4 // 80 taps, 50 and 10 of which the allowance holds

	answers := make([]taps.Tapped, batches*copies)
	modelstest.Concurrently(len(answers), func(i int) {
		batch := taps.Batch{TelegramID: player.TelegramID, Sent: size, Key: modelstest.Key(i % batches)}
		answer, err := modelstest.Retry(func() (taps.Tapped, error) {
			return stores[i%len(stores)].Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon.Add(time.Second))
		})
		if err != nil {
			t.Errorf("batch %d: %v", i, err)
		}
		answers[i] = answer
	})

	total, counted := 0, 0
	for i, answer := range answers {
		if original := answers[i%batches]; answer.Accepted != original.Accepted || answer.Player.Balances != original.Player.Balances {
			t.Errorf("copy %d got %+v, another %+v", i, answer, original)
		}
		if i < batches {
			total += answer.Accepted
			counted += min(answer.Accepted, 1)
		}
	}
	for i, store := range stores {
		saved, err := store.Players.Player(t.Context(), player.ID)
		if err != nil || total != 60 || saved.Balances.Game != modelstest.TapRules.Earns(60) || saved.Bag.Energy() != 940 {
			t.Errorf("process %d sees %+v, %v after %d accepted taps", i, saved, err, total)
		}
	}
	modelstest.Equal(t, len(modelstest.Must(stores[0].Ledger.Postings(t.Context(), player.ID))(t)), counted, "postings")
	modelstest.Sound(t, stores[1])
}

func TestConcurrentPlayersDoNotDisturbEachOther(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		var players [10]models.Player
		for i := range players {
			players[i] = modelstest.Player(t, store)
		}
		modelstest.Concurrently(50, func(i int) {
			batch := taps.Batch{TelegramID: players[i%len(players)].TelegramID, Sent: 7, Key: fmt.Sprint("batch-", i)}
			answer, err := modelstest.Retry(func() (taps.Tapped, error) {
				return store.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon)
			})
			if err != nil || answer.Accepted != 7 {
				t.Errorf("batch %d: %+v, %v", i, answer, err)
			}
		})
		for _, p := range players {
			saved, err := store.Players.Player(t.Context(), p.ID)
			if err != nil || saved.Balances.Game != modelstest.TapRules.Earns(35) || saved.Bag.TapsToday != 35 {
				t.Errorf("saved %+v, %v", saved, err)
			}
		}
	})
}

func TestEnergyIsFullAgainAtMidnight(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		for i, c := range []struct {
			at               time.Time
			accepted, energy int
		}{
			{midnight.Add(-time.Millisecond), 1000, 0},
			{midnight.Add(-time.Microsecond), 0, 0},
			{midnight, 1000, 0},
			{midnight.Add(23 * time.Hour), 0, 0},
		} {
			answer, err := store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 2000, Key: modelstest.Key(i)}, modelstest.Season, c.at)
			if err != nil || answer.Accepted != c.accepted || answer.Player.Bag.Energy() != c.energy {
				t.Errorf("%s: %d accepted, energy %d, %v, want %d and %d", c.at, answer.Accepted, answer.Player.Bag.Energy(), err, c.accepted, c.energy)
			}
		}
	})
}

// An old batch that comes again is answered even when nothing can be earned any more.
func TestRepeatedBatchReturnsFirstReceiptAfterSeason(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		batch := taps.Batch{TelegramID: player.TelegramID, Sent: 20, Key: modelstest.Key(1)}
		over := modelstest.Season.Start.Add(90 * 24 * time.Hour)
		for _, at := range []time.Time{over.Add(-time.Microsecond), over} {
			modelstest.Equal(t, modelstest.Must(store.Taps.Tap(t.Context(), batch, modelstest.Season, at))(t).Accepted, 20, "at", at)
		}
		batch.Key = modelstest.Key(2)
		modelstest.Refuses(store.Taps.Tap(t.Context(), batch, modelstest.Season, over))(t, game.SeasonOver, "a new batch")
	})
}

func TestBatchesWithoutKeyAllCount(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		for range 3 {
			modelstest.Equal(t, modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 10}, modelstest.Season, modelstest.Noon))(t).Accepted, 10)
		}
		modelstest.Equal(t, modelstest.Must(store.Players.Player(t.Context(), player.ID))(t).Balances.Game, modelstest.TapRules.Earns(30), "saved")
	})
}

// The program's clock counts nanoseconds, the databases fewer; nothing of it may add up.
func TestSubMicrosecondClockLosesAndGivesNoTaps(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store, modelstest.ArrivedAt(modelstest.Noon.Add(999)))
		total := 0
		for i := range 30 {
			at := modelstest.Noon.Add(time.Duration(i)*50*time.Millisecond + 999)
			answer := modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 100, Key: modelstest.Key(i)}, modelstest.Season, at))(t)
			total += answer.Accepted
		}
		if total != 64 { // 50 and 1.45 seconds of ten
			t.Errorf("%d accepted, want 64", total)
		}
	})
}
