package settings_test

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

func TestClockSkewDoesNotDecideTheSeason(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	modelstest.ComparedClocks(t, store, func() time.Time { return time.Now().Add(time.Minute) })
	modelstest.Fails(store.Settings.ProjectStart(t.Context(), time.Time{}, modelstest.Noon))(t, db.ErrUnavailable, "the first start")
	modelstest.Must(modelstest.OpenStore(t, address).Settings.ProjectStart(t.Context(), time.Time{}, modelstest.Noon))(t)
	modelstest.Returns(store.Settings.ProjectStart(t.Context(), time.Time{}, modelstest.Noon.Add(48*time.Hour)))(t, modelstest.Season.Start, "a later start")
}

func TestSeasonStartsOnDayOfFirstStart(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		today := modelstest.Noon.Truncate(24 * time.Hour)
		evening := time.Date(2026, time.March, 3, 20, 0, 0, 0, time.FixedZone("", -5*60*60)) // 01:00 UTC on the 4th
		for _, now := range []time.Time{evening, modelstest.Noon, modelstest.Noon.Add(100 * 24 * time.Hour), modelstest.Noon.Add(-24 * time.Hour)} {
			modelstest.Returns(store.Settings.ProjectStart(t.Context(), time.Time{}, now))(t, today, "started", now)
		}
	})
}

// Days, prices and prizes are counted from it, whether or not it still stands in the settings.
func TestConfiguredStartIsFixedOnceSomebodyPlays(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		later := modelstest.Season.Start.Add(72 * time.Hour)
		for _, configured := range []time.Time{{}, later, modelstest.Season.Start} { // planned anew
			want := configured
			if want.IsZero() {
				want = modelstest.Noon.Truncate(24 * time.Hour)
			}
			modelstest.Returns(store.Settings.ProjectStart(t.Context(), configured, modelstest.Noon))(t, want, "configured", configured)
		}
		modelstest.Player(t, store)
		modelstest.Fails(store.Settings.ProjectStart(t.Context(), later, modelstest.Noon))(t, settings.ErrOtherStart, "moved while somebody plays")
		for _, configured := range []time.Time{modelstest.Season.Start, {}} {
			modelstest.Returns(store.Settings.ProjectStart(t.Context(), configured, modelstest.Noon.Add(100*24*time.Hour)))(t, modelstest.Season.Start, "configured", configured, "later")
		}
	})
}

func TestEmptyDatabaseIsDistinguishedFromUnavailable(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, name string) {
		store := modelstest.Must(store.Open(t.Context(), modelstest.Bare(t, name), func() time.Time { return modelstest.Noon }, rand.Reader))(t)
		var behind db.BehindError
		if err := store.DB.Ready(t.Context()); !errors.As(err, &behind) || behind.At != 0 {
			t.Errorf("empty: %v", err)
		}
		modelstest.NoError(t, store.Close())
		if err := store.DB.Ready(t.Context()); err == nil || errors.As(err, &behind) {
			t.Errorf("closed: %v", err)
		}
	})
}

func TestConcurrentProcessesAgreeOnSeasonStart(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		starts := make([]time.Time, 20)
		modelstest.Concurrently(len(starts), func(i int) {
			start, err := store.Settings.ProjectStart(t.Context(), time.Time{}, modelstest.Noon.Add(time.Duration(i)*24*time.Hour))
			if err != nil {
				t.Error(err)
			}
			starts[i] = start
		})
		for _, start := range starts {
			if start != starts[0] || start.IsZero() {
				t.Errorf("one starts on %s, another on %s", starts[0], start)
			}
		}
	})
}
