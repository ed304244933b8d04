package db_test

import (
	"errors"
	"testing"
	"time"

	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// skewedClock is the wall clock of a machine that is wrong by d.
func skewedClock(d time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(d) }
}

func TestProcessWithClockSkewMayNotWrite(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		for i, c := range []struct {
			by   time.Duration
			well bool
		}{
			{31 * time.Second, false},
			{0, true},
			{-31 * time.Second, false},
			{29 * time.Second, true},
			{24 * time.Hour, false},
			{-29 * time.Second, true},
		} {
			ahead := modelstest.ComparedClocks(t, store, skewedClock(c.by))
			well := c.well
			if modelstest.IsPostgres(t) {
				if wrong := ahead - c.by; wrong.Abs() > time.Second { // half of the longest comparison
					t.Errorf("%s off is measured as %s", c.by, ahead)
				}
			} else if well = true; ahead != 0 { // a file has no clock
				t.Errorf("off a file by %s", ahead)
			}
			if err := store.DB.Ready(t.Context()); (err == nil) != well || (err != nil && !errors.As(err, new(db.SkewedError))) {
				t.Errorf("%s off: ready %v", c.by, err)
			}
			batch := taps.Batch{TelegramID: player.TelegramID, Sent: 1, Key: modelstest.Key(i)}
			if _, err := store.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon); (err == nil) != well || (err != nil && !errors.Is(err, db.ErrUnavailable)) {
				t.Errorf("%s off: tapped %v", c.by, err)
			}
			modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
		}
	})
}

func TestDatabaseLatencyIsNoClockSkew(t *testing.T) {
	address := modelstest.Shadow(t, modelstest.Address(t, "postgres"), `CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql AS $$
		DECLARE middle timestamptz;
		BEGIN
			PERFORM pg_sleep(0.4);
			middle := pg_catalog.clock_timestamp();
			PERFORM pg_sleep(0.4);
			RETURN middle;
		END $$`)
	store := mustOpen(t, address)
	best := time.Hour
	for range 10 { // a busy machine may hold up either half of the way
		best = min(best, modelstest.ComparedClocks(t, store, time.Now).Abs())
		if best < 350*time.Millisecond {
			return
		}
	}
	t.Errorf("measured %s", best)
}

// The answer had come long before the process went on and looked at its clock.
func TestPausedProcessMeasuresNoClockSkew(t *testing.T) {
	store := modelstest.Store(t, "postgres")
	looks := 0
	wall := func() time.Time {
		looks++
		return time.Now().Add(time.Duration(looks-1) * 70 * time.Second)
	}
	modelstest.FailsWith(store.DB.CompareClocks(t.Context(), wall))(t, "", "measured")
	modelstest.NoError(t, store.DB.Ready(t.Context()))
}
