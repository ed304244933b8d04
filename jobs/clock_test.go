package jobs

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"mcbk/models"
	"mcbk/models/given"
)

func TestTheClocksAreComparedAgainAndAgain(t *testing.T) {
	store := given.Store(t, "postgres")
	leaks := goleak.IgnoreCurrent() // the store's own
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	o := newOffice()
	var ahead atomic.Int64
	wall := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	go func() {
		ended <- WatchClocks(ctx, store, wall, time.Millisecond, o.options())
	}()
	for _, by := range []time.Duration{31 * time.Second, 0, -31 * time.Second, 0} {
		ahead.Store(int64(by))
		for deadline := time.Now().Add(20 * time.Second); (store.Ready(t.Context()) == nil) != (by == 0); {
			if time.Now().After(deadline) {
				t.Fatalf("%s off goes unnoticed", by)
			}
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; { // a call that was cut off may end a little later
		leak := goleak.Find(leaks)
		if leak == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(leak)
		}
	}
	raised, err := store.RaisedAlarms(t.Context())
	if err != nil || len(raised) != 1 || raised[0].Name != models.AlarmClockSkew {
		t.Errorf("raised are %+v, %v", raised, err)
	}
	if o.gauge.measuredAt < 4 {
		t.Errorf("the meter was told %d times", o.gauge.measuredAt)
	}
}
