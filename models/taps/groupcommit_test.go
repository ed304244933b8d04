package taps_test

import (
	"strings"
	"testing"

	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/taps"
)

func TestPanicInGroupCommitIsErrorOfItsBatches(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	broken := taps.New(&db.DB{Meter: db.NoMeter{}}, store.Settings, store.Ledger, store.Tasks) // without a database, writing panics
	for i := range 2 {                                                                         // the next group is committed
		_, err := broken.Tap(t.Context(), taps.Batch{TelegramID: 1, Sent: 1, Key: modelstest.Key(i)}, modelstest.Season, modelstest.Noon)
		if err == nil || !strings.Contains(err.Error(), "panic in a group commit") {
			t.Errorf("answered with %v", err)
		}
	}
}
