package modelstest

import (
	"context"
	"flag"
	"log"
	"maps"
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/store"
	"mcbk/models/taps"
	"mcbk/models/tasks"
)

// House is an account of the house that gives and takes every asset, in tests under Main only.
const House models.Account = "house:test"

// Main runs a package's tests with House in the chart of accounts. A property is checked on 20 cases instead of the usual hundred,
// since each writes to a disk; -rapid.checks on the command line still wins.
func Main(m *testing.M) {
	ledger.Chart = append(ledger.Chart, ledger.HouseAccount{Account: House, Assets: slices.Collect(maps.Values(models.AssetOf))})
	if flag.Lookup("rapid.checks") != nil {
		if err := flag.Set("rapid.checks", "20"); err != nil {
			log.Fatal(err)
		}
	}
	m.Run()
}

// Entry is one for a player's journal.
type Entry struct {
	Player    models.PlayerID
	Reference string
	Moves     []ledger.Move
}

// Post records entries in one transaction, and returns how often it was begun.
func Post(ctx context.Context, store *store.Store, entries []Entry, now time.Time) (runs int, err error) {
	err = store.DB.InTx(ctx, func(tx *gorm.DB) error {
		runs++
		var ids []models.PlayerID
		for _, e := range entries {
			ids = append(ids, e.Player)
		}
		return store.Ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			for _, e := range entries {
				if err := all.Record(locked[e.Player], ledger.Entry{Reference: e.Reference, Moves: e.Moves}, now); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return runs, err
}

// InTx runs fn in a transaction that the store's methods join when they are called with its ctx.
func InTx(ctx context.Context, store *store.Store, fn func(ctx context.Context) error) error {
	return store.DB.InTx(ctx, func(tx *gorm.DB) error { return fn(db.WithTx(ctx, tx)) })
}

// CountTask counts an event for a player's task, as its feature does.
func CountTask(ctx context.Context, store *store.Store, id models.PlayerID, action game.TaskAction, by int64, now time.Time) error {
	return store.DB.InTx(ctx, func(tx *gorm.DB) error {
		return tasks.AdvanceTask(tx, store.Tasks, id, action, by, game.DayOf(now), now)
	})
}

// Seal calls SealLedger until it has sealed that many postings; transactions of other tests on
// the same server may keep a sighting from being settled for a while.
func Seal(t *testing.T, store *store.Store, postings int64, now time.Time) {
	t.Helper()
	late := time.After(60 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		sealed := Must(store.Ledger.SealLedger(t.Context(), now))(t)
		if sealed == postings {
			return
		}
		if sealed != 0 {
			t.Fatalf("%d postings sealed, want %d", sealed, postings)
		}
		select {
		case <-late:
			t.Fatalf("%d postings are not sealed", postings)
		case <-tick.C:
		}
	}
}

// SealNothing calls SealLedger, which may note what it sees but not seal it yet.
func SealNothing(t *testing.T, store *store.Store, now time.Time) {
	t.Helper()
	if sealed, err := store.Ledger.SealLedger(t.Context(), now); err != nil || sealed != 0 {
		t.Fatalf("%d postings sealed, %v", sealed, err)
	}
}

// Tap sends a batch.
func Tap(t *testing.T, store *store.Store, p models.Player, tapCount int, key string, at time.Time) {
	t.Helper()
	batch := taps.Batch{TelegramID: p.TelegramID, Sent: tapCount, Key: key}
	if answer, err := store.Taps.Tap(t.Context(), batch, Season, at); err != nil || answer.Accepted != tapCount {
		t.Fatalf("batch %s: %+v, %v", key, answer, err)
	}
}
