package jobs

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestAClockThatIsSetIsNoticedAndOneThatRunsIsNot(t *testing.T) {
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
