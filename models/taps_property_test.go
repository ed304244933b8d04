package models_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

func TestAnyMixOfBatchesAndRepeatsKeepsEveryBalanceTheSumOfAcceptedTaps(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		keys := 0
		rapid.Check(t, func(rt *rapid.T) {
			var (
				now      = given.Noon
				players  []models.Player
				accepted = map[int64]int{} // by Telegram's id
				first    = map[models.Batch]models.Tapped{}
				sent     []models.Batch
			)
			for range rapid.IntRange(1, 3).Draw(rt, "players") {
				players = append(players, given.Player(t, store))
			}
			for range rapid.IntRange(1, 10).Draw(rt, "batches") {
				now = now.Add(time.Duration(rapid.Int64Range(-int64(time.Minute), int64(8*time.Hour)).Draw(rt, "step")))
				batch := models.Batch{TelegramID: rapid.SampledFrom(players).Draw(rt, "player").TelegramID, Sent: rapid.IntRange(1, 1500).Draw(rt, "sent")}
				repeat := len(sent) > 0 && rapid.Bool().Draw(rt, "repeat")
				if repeat {
					batch = rapid.SampledFrom(sent).Draw(rt, "which")
				} else {
					keys++
					batch.Key = given.Key(keys)
				}
				answer, err := store.Tap(t.Context(), batch, given.Season, now)
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
				if want := given.TapRules.Earns(accepted[batch.TelegramID]); answer.Player.Balances.Game != want {
					rt.Fatalf("balance %d after %d accepted taps, want %d", answer.Player.Balances.Game, accepted[batch.TelegramID], want)
				}
			}
			for _, p := range players {
				saved, err := store.Player(t.Context(), p.ID)
				if want := (models.Balances{Game: given.TapRules.Earns(accepted[p.TelegramID])}); err != nil || saved.Balances != want {
					rt.Fatalf("player %d holds %+v, %v, want %+v", p.ID, saved.Balances, err, want)
				}
			}
			report, err := store.Verify(t.Context(), given.Season, now)
			if broken := report.Broken(); err != nil || len(broken) > 0 {
				rt.Fatalf("verify: %v, %v", broken, err)
			}
		})
	})
}

// Two stores on one PostgreSQL are two processes.
func TestTwoProcessesTappingOnePlayerCountEveryTapOnce(t *testing.T) {
	address := given.Address(t, "postgres")
	stores := []*models.Store{given.OpenStore(t, address), given.OpenStore(t, address)}
	player := given.Player(t, stores[0])
	const batches, copies, size = 20, 3, 4 // 80 taps, 50 and 10 of which the allowance holds

	answers := make([]models.Tapped, batches*copies)
	allAtOnce(len(answers), func(i int) {
		batch := models.Batch{TelegramID: player.TelegramID, Sent: size, Key: given.Key(i % batches)}
		answer, err := patiently(func() (models.Tapped, error) {
			return stores[i%len(stores)].Tap(t.Context(), batch, given.Season, given.Noon.Add(time.Second))
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
		saved, err := store.Player(t.Context(), player.ID)
		if err != nil || total != 60 || saved.Balances.Game != given.TapRules.Earns(60) || saved.Bag.Energy() != 940 {
			t.Errorf("process %d sees %+v, %v after %d accepted taps", i, saved, err, total)
		}
	}
	if postings, err := stores[0].Postings(t.Context(), player.ID); err != nil || len(postings) != counted {
		t.Errorf("%d postings, %v, want %d", len(postings), err, counted)
	}
	given.Sound(t, stores[1])
}

func TestPlayersTappingInParallelDoNotDisturbEachOther(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		var players [10]models.Player
		for i := range players {
			players[i] = given.Player(t, store)
		}
		allAtOnce(50, func(i int) {
			batch := models.Batch{TelegramID: players[i%len(players)].TelegramID, Sent: 7, Key: fmt.Sprint("batch-", i)}
			answer, err := patiently(func() (models.Tapped, error) { return store.Tap(t.Context(), batch, given.Season, given.Noon) })
			if err != nil || answer.Accepted != 7 {
				t.Errorf("batch %d: %+v, %v", i, answer, err)
			}
		})
		for _, p := range players {
			saved, err := store.Player(t.Context(), p.ID)
			if err != nil || saved.Balances.Game != given.TapRules.Earns(35) || saved.Bag.TapsToday != 35 {
				t.Errorf("saved %+v, %v", saved, err)
			}
		}
		given.Sound(t, store)
	})
}

func TestEnergyIsFullAgainAtMidnightInTheStoreToo(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		midnight := given.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		for i, c := range []struct {
			at               time.Time
			accepted, energy int
		}{
			{midnight.Add(-time.Millisecond), 1000, 0},
			{midnight.Add(-time.Microsecond), 0, 0},
			{midnight, 1000, 0},
			{midnight.Add(23 * time.Hour), 0, 0},
		} {
			answer, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 2000, Key: given.Key(i)}, given.Season, c.at)
			if err != nil || answer.Accepted != c.accepted || answer.Player.Bag.Energy() != c.energy {
				t.Errorf("%s: %d accepted, energy %d, %v, want %d and %d", c.at, answer.Accepted, answer.Player.Bag.Energy(), err, c.accepted, c.energy)
			}
		}
		given.Sound(t, store)
	})
}

// An old batch that comes again is answered even when nothing can be earned any more.
func TestARepeatedBatchGetsItsFirstAnswerAfterTheSeason(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		batch := models.Batch{TelegramID: player.TelegramID, Sent: 20, Key: given.Key(1)}
		over := given.Season.Start.Add(90 * 24 * time.Hour)
		for _, at := range []time.Time{over.Add(-time.Microsecond), over} {
			if answer, err := store.Tap(t.Context(), batch, given.Season, at); err != nil || answer.Accepted != 20 {
				t.Errorf("at %s: %+v, %v", at, answer, err)
			}
		}
		batch.Key = given.Key(2)
		var refusal *game.Refusal
		if _, err := store.Tap(t.Context(), batch, given.Season, over); !errors.As(err, &refusal) || refusal.Code != game.SeasonOver {
			t.Errorf("a new batch: %v", err)
		}
	})
}

func TestBatchesWithoutAKeyAllCount(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		for range 3 {
			if answer, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 10}, given.Season, given.Noon); err != nil || answer.Accepted != 10 {
				t.Errorf("%+v, %v", answer, err)
			}
		}
		if saved, err := store.Player(t.Context(), player.ID); err != nil || saved.Balances.Game != given.TapRules.Earns(30) {
			t.Errorf("saved %+v, %v", saved, err)
		}
	})
}

// The program's clock counts nanoseconds, the databases fewer; nothing of it may add up.
func TestAClockFinerThanTheDatabaseLosesNoTapsAndGivesNone(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store, given.ArrivedAt(given.Noon.Add(999)))
		total := 0
		for i := range 30 {
			at := given.Noon.Add(time.Duration(i)*50*time.Millisecond + 999)
			answer, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 100, Key: given.Key(i)}, given.Season, at)
			if err != nil {
				t.Fatal(err)
			}
			total += answer.Accepted
		}
		if total != 64 { // 50 and 1.45 seconds of ten
			t.Errorf("%d accepted, want 64", total)
		}
	})
}
