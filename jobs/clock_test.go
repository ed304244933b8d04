package jobs

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"mcbk/models"
	"mcbk/models/modelstest"
)

func TestClocksAreComparedPeriodically(t *testing.T) {
	store := modelstest.Store(t, "postgres")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	h := &harness{T: t, now: modelstest.At(modelstest.Noon), meter: newFakeMeter()}
	var ahead atomic.Int64
	wall := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	go func() {
		ended <- WatchClocks(ctx, store, wall, time.Millisecond, h.options())
	}()
	for _, by := range []time.Duration{31 * time.Second, 0, -31 * time.Second, 0} {
		ahead.Store(int64(by))
		for deadline := time.Now().Add(20 * time.Second); (store.DB.Ready(t.Context()) == nil) != (by == 0); {
			if time.Now().After(deadline) {
				t.Fatalf("%s off goes unnoticed", by)
			}
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	raised, err := store.Alarms.RaisedAlarms(t.Context())
	if err != nil || len(raised) != 1 || raised[0].Name != models.AlarmClockSkew {
		t.Errorf("raised are %+v, %v", raised, err)
	}
	if h.meter.comparisons < 4 {
		t.Errorf("the meter has %d comparisons", h.meter.comparisons)
	}
}

func TestOnlySetClockIsNoticed(t *testing.T) {
	for by, noticed := range map[time.Duration]bool{0: false, 9 * time.Second: false, 11 * time.Second: true, -time.Hour: true, 24 * time.Hour: true} {
		synctest.Test(t, func(t *testing.T) {
			var set atomic.Int64
			ctx, stop := context.WithTimeout(t.Context(), time.Hour)
			defer stop()
			began := time.Now()
			time.AfterFunc(time.Minute, func() { set.Store(int64(by)) })
			waitForClockChange(ctx, func() time.Time { return time.Now().UTC().Add(time.Duration(set.Load())) })
			if took := time.Since(began); (took < time.Hour) != noticed || took < time.Minute || (noticed && took > time.Minute+2*checkInterval) {
				t.Errorf("set by %s, it returned after %s", by, took)
			}
		})
	}
}
