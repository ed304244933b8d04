package models_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

// A second store reads while the first serves: verify must neither see half a change nor keep
// players waiting.
func TestVerifyBesideTappingPlayersNeverAlarmsAndNeverBlocks(t *testing.T) {
	const clients, runs = 8, 50
	for _, name := range given.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := given.Address(t, name)
			serving := given.OpenStore(t, address)
			reading, err := models.OpenToRead(t.Context(), address, func() time.Time { return given.Noon })
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := reading.Close(); err != nil {
					t.Error(err)
				}
			})
			ctx, stop := context.WithCancel(t.Context())
			var (
				all      sync.WaitGroup
				tapCount     atomic.Int64
				answered = make(chan struct{}, clients) // full: they wait until the next run begins
				turns    = make(chan struct{}, runs)
			)
			for c := range clients {
				player := given.Player(t, serving)
				all.Go(func() {
					for i := 0; ctx.Err() == nil; i++ {
						batch := models.Batch{TelegramID: player.TelegramID, Sent: 3, Key: given.Key(i / 2)} // each twice
						_, err := patiently(func() (models.Tapped, error) {
							return serving.Tap(t.Context(), batch, given.Season, given.Noon.Add(time.Duration(i)*time.Second))
						})
						if err != nil {
							t.Errorf("client %d, batch %d: %v", c, i, err)
							return
						}
						tapCount.Add(1)
						select {
						case answered <- struct{}{}:
						case <-ctx.Done():
						}
					}
				})
			}
			all.Go(func() { // players who come, and the job
				i := 0
				for range turns {
					i++
					given.Player(t, serving, given.Unconsented())
					if _, err := serving.SealLedger(t.Context(), given.Noon.Add(time.Duration(i)*time.Hour)); err != nil {
						t.Errorf("seal: %v", err)
						return
					}
				}
			})
			for run := range runs {
				turns <- struct{}{}
				report, err := reading.Verify(t.Context(), given.Season, given.Noon)
				if err != nil || len(report.Broken()) > 0 {
					t.Errorf("run %d: %+v, %v", run, report.Broken(), err)
					break
				}
				select {
				case <-answered:
					for len(answered) > 0 {
						<-answered
					}
				case <-time.After(20 * time.Second):
					t.Fatal("nobody taps any more")
				}
			}
			stop()
			close(turns)
			all.Wait()
			report, err := reading.Verify(t.Context(), given.Season, given.Noon)
			if err != nil || len(report.Broken()) > 0 {
				t.Errorf("at the end: %+v, %v", report.Broken(), err)
			}
			t.Logf("%d taps beside %d runs; %d postings; %s", tapCount.Load(), runs, report.Postings, report.Checkpoint)
		})
	}
}

// The rows of an open snapshot keep nobody from tapping.
func TestATapIsAnsweredInTheMiddleOfVerify(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store, given.Tapped(20))
		stop := errors.New("seen enough")
		err := store.InSnapshot(t.Context(), func() error {
			tapped(t, store, player, 5, given.Key(1), given.Noon)
			return stop
		})
		if !errors.Is(err, stop) {
			t.Error(err)
		}
		given.Sound(t, store)
	})
}

// BenchmarkVerify measures a ledger of 20,000 postings of 200 players, sealed once.
func BenchmarkVerify(b *testing.B) {
	for _, name := range given.Databases {
		b.Run(name, func(b *testing.B) {
			store := given.Store(b, name)
			fill(b, store, 200, 100)
			if _, err := store.SealLedger(b.Context(), given.Noon); err != nil {
				b.Fatal(err)
			}
			if _, err := store.SealLedger(b.Context(), given.Noon.Add(time.Hour)); err != nil {
				b.Fatal(err)
			}
			var postings int64
			for b.Loop() {
				report, err := store.Verify(b.Context(), given.Season, given.Noon)
				if err != nil || len(report.Broken()) > 0 || strings.HasPrefix(report.Checkpoint, "no") {
					b.Fatalf("%+v, %v", report, err)
				}
				postings += report.Postings
			}
			b.ReportMetric(float64(postings)/b.Elapsed().Seconds(), "postings/s")
		})
	}
}

// fill makes every player tap that many batches.
func fill(t testing.TB, store *models.Store, players, batches int) {
	t.Helper()
	here := make([]models.Player, players)
	for i := range here {
		here[i] = given.Player(t, store)
	}
	allAtOnce(players, func(i int) {
		for n := range batches {
			batch := models.Batch{TelegramID: here[i].TelegramID, Sent: 7, Key: fmt.Sprint("batch-", n)}
			if _, err := store.Tap(t.Context(), batch, game.Season{Start: given.Season.Start}, given.Noon.Add(time.Duration(n)*time.Second)); err != nil {
				t.Errorf("player %d, batch %d: %v", i, n, err)
				return
			}
		}
	})
}
