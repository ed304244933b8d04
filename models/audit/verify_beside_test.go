package audit_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// A second store reads while the first serves: verify must neither see half a change nor keep
// players waiting.
func TestVerifyRunsBesideTapsWithoutAlarmOrBlocking(t *testing.T) {
	const clients, runs = 8, 25
	modelstest.Each(t, func(t *testing.T, name string) {
		address := modelstest.Address(t, name)
		serving := modelstest.OpenStore(t, address)
		reading := modelstest.Must(store.OpenToRead(t.Context(), address, func() time.Time { return modelstest.Noon }))(t)
		t.Cleanup(func() {
			modelstest.NoError(t, reading.Close())
		})
		ctx, stop := context.WithCancel(t.Context())
		var (
			all      sync.WaitGroup
			tapCount atomic.Int64
			answered = make(chan struct{}, clients) // full: they wait until the next run begins
			turns    = make(chan struct{}, runs)
		)
		for c := range clients {
			player := modelstest.Player(t, serving)
			all.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					batch := taps.Batch{TelegramID: player.TelegramID, Sent: 3, Key: modelstest.Key(i / 2)} // each twice
					_, err := modelstest.Retry(func() (taps.Tapped, error) {
						return serving.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon.Add(time.Duration(i)*time.Second))
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
				modelstest.Player(t, serving, modelstest.Unconsented())
				if _, err := serving.Ledger.SealLedger(t.Context(), modelstest.Noon.Add(time.Duration(i)*time.Hour)); err != nil {
					t.Errorf("seal: %v", err)
					return
				}
			}
		})
		for run := range runs {
			turns <- struct{}{}
			report, err := reading.Audit.Verify(t.Context(), modelstest.Season, modelstest.Noon)
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
		report := modelstest.Must(reading.Audit.Verify(t.Context(), modelstest.Season, modelstest.Noon))(t)
		modelstest.Equal(t, len(report.Broken()), 0, "at the end", report.Broken())
		t.Logf("%d taps beside %d runs; %d postings; %s", tapCount.Load(), runs, report.Postings, report.Checkpoint)
	})
}

// The rows of an open snapshot keep nobody from tapping.
func TestTapIsAnsweredDuringVerify(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		stop := errors.New("seen enough")
		err := store.DB.Snapshot(t.Context(), func(tx *gorm.DB) error {
			if err := ledger.EachPosting(tx.Raw("SELECT "+models.PostingColumns+" FROM postings"), func(int64, models.Posting) {}); err != nil {
				return err
			}
			modelstest.Tap(t, store, player, 5, modelstest.Key(1), modelstest.Noon)
			return stop
		})
		modelstest.WantError(t, err, stop)
	})
}
