package models

import (
	"strings"
	"testing"
	"time"

	"mcbk/game"
)

func TestAPanicInAGroupCommitIsAnErrorOfItsBatches(t *testing.T) {
	s := &Store{DB: &DB{meter: noMeter{}}, settings: newSettingsCache()} // without a database, writing panics
	s.openTapCommits()
	s.taskBook.cached.Store(&tasksOfDay{day: game.DayOf(time.Time{})})
	for range 2 { // the next group is committed
		_, err := s.Tap(t.Context(), Batch{TelegramID: 1, Sent: 1, Key: "key-00001"}, game.Season{}, time.Time{})
		if err == nil || !strings.Contains(err.Error(), "panic in a group commit") {
			t.Errorf("answered with %v", err)
		}
	}
}
