package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// remind does the job's work and returns how many it reminded.
func remind(t *testing.T, store *store.Store, at time.Time) int64 {
	t.Helper()
	return modelstest.Must(store.Outbox.Remind(t.Context(), modelstest.Season, at))(t)
}

// reminded is the reminder that a player got on a day; its kind is empty when there was none.
func reminded(t *testing.T, store *store.Store, p models.Player, at time.Time) models.Message {
	t.Helper()
	m, err := store.Outbox.Message(t.Context(), fmt.Sprintf("reminder:%d:%d", game.DayOf(at), p.ID))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		t.Fatal(err)
	}
	return m
}

func TestMissedCheckInIsRemindedADayLater(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		forgot, came, late, lapsed := modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)
		modelstest.CheckInDays(t, store, lapsed, modelstest.Noon, 1)
		modelstest.CheckInDays(t, store, forgot, modelstest.Noon, 2)
		modelstest.CheckInDays(t, store, came, modelstest.Noon, 3) // the third before anybody is reminded
		evening := modelstest.Noon.Add(24*time.Hour + 11*time.Hour + 30*time.Minute)
		modelstest.CheckIn(t, store, late, evening)

		due := modelstest.Noon.Add(2 * 24 * time.Hour)
		if n := remind(t, store, due.Add(-time.Microsecond)); n != 0 {
			t.Errorf("%d reminded before the hour", n)
		}
		if n := remind(t, store, due); n != 1 {
			t.Errorf("%d reminded at the hour", n)
		}
		if m := reminded(t, store, forgot, due); m.Kind != models.DailyReminder || m.Params["streak"] != "2" || m.ChatID != forgot.TelegramID || m.Urgency != models.UrgencyBulk {
			t.Errorf("reminded by %+v", m)
		}
		if n := remind(t, store, due.Add(5*time.Minute)); n != 0 {
			t.Errorf("%d reminded again", n)
		}
		ten := modelstest.Noon.Add(2*24*time.Hour + 10*time.Hour) // two hours before the day ends
		if n := remind(t, store, ten.Add(-time.Minute)); n != 0 {
			t.Errorf("%d reminded before ten", n)
		}
		if n := remind(t, store, ten); n != 1 || reminded(t, store, late, ten).Params["streak"] != "1" {
			t.Errorf("%d reminded at ten", n)
		}
		if n := remind(t, store, due.Add(24*time.Hour)); n != 1 || reminded(t, store, came, due.Add(24*time.Hour)).Params["streak"] != "3" {
			t.Errorf("%d reminded on the next day: who had missed one is left in peace", n)
		}
	})
}

func TestIneligiblePlayersAreNotReminded(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		quiet, banned, away, late := modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)
		for _, p := range []models.Player{quiet, banned, away} {
			modelstest.CheckIn(t, store, p, modelstest.Noon)
		}
		modelstest.CheckIn(t, store, late, modelstest.Noon.Add(-2*time.Hour)) // nobody worked when it was time
		off := false
		modelstest.Must(store.Players.SetPreference(t.Context(), quiet.ID, players.Preference{Notifications: &off}, modelstest.Noon))(t)
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(banned.ID), "cheating")
		modelstest.NoError(t, store.Outbox.SetReach(t.Context(), away.TelegramID, false, modelstest.Noon))
		if n := remind(t, store, modelstest.Noon.Add(24*time.Hour)); n != 0 {
			t.Errorf("%d reminded", n)
		}
		end := modelstest.Season.Start.Add(game.SeasonDays * 24 * time.Hour)
		modelstest.CheckIn(t, store, modelstest.Player(t, store), end.Add(-time.Hour))
		if n := remind(t, store, end.Add(22*time.Hour)); n != 0 {
			t.Errorf("%d reminded after the season", n)
		}
	})
}

func TestFullEnergyIsNotifiedAfterUse(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		tapper, miner, idle := modelstest.Player(t, store), modelstest.Buyer(t, store), modelstest.Buyer(t, store)
		modelstest.Opened(t, store, miner, 1, modelstest.Noon)
		modelstest.Opened(t, store, idle, 1, modelstest.Noon)
		modelstest.CheckIn(t, store, tapper, modelstest.Noon)
		most := tapper.Bag.At(modelstest.Noon).Level().Energy/2 + 1
		for sent, at := 0, modelstest.Noon; sent < most; at = at.Add(time.Hour) {
			after := modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: tapper.TelegramID, Sent: most - sent}, modelstest.Season, at))(t)
			sent += after.Accepted
		}
		for i := range 2 {
			if d := modelstest.Dig(t, store, miner, 50, "", modelstest.Noon.Add(time.Duration(i)*time.Hour)); d.Accepted != 50 {
				t.Fatalf("dug %+v", d)
			}
		}
		modelstest.Dig(t, store, idle, 40, "", modelstest.Noon) // not most of it

		rested := modelstest.Noon.Add(13 * time.Hour) // of another day
		if n := remind(t, store, rested.Add(-time.Second)); n != 0 {
			t.Errorf("%d told before twelve hours", n)
		}
		if n := remind(t, store, rested); n != 1 {
			t.Errorf("%d told after twelve hours", n)
		}
		if m := reminded(t, store, miner, rested); m.Kind != models.EnergyFull || m.Params["of"] != outbox.EnergyOfMine {
			t.Errorf("the miner was told %+v", m)
		}
		next := modelstest.Noon.Add(24 * time.Hour)
		if n := remind(t, store, next); n != 1 || reminded(t, store, tapper, next).Params["of"] != outbox.EnergyOfBag {
			t.Errorf("%d told a day after the check-in: %+v", n, reminded(t, store, tapper, next))
		}
	})
}

func TestLateReminderIsSkipped(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		back, asleep, forgot := modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)
		for i, p := range []models.Player{back, forgot, asleep} {
			modelstest.CheckIn(t, store, p, modelstest.Noon.Add(time.Duration(i)*time.Minute))
		}
		due := modelstest.Noon.Add(24 * time.Hour)
		for i := range 3 {
			if n := remind(t, store, due.Add(time.Duration(i)*time.Minute)); n != 1 {
				t.Fatalf("%d reminded", n)
			}
		}
		due = due.Add(3 * time.Minute)
		modelstest.CheckIn(t, store, back, due)
		if _, m := takeMessage(t, store, due); m.ChatID != forgot.TelegramID {
			t.Errorf("sent %+v", m)
		}
		if key, _ := takeMessage(t, store, modelstest.Noon.Add(24*time.Hour+12*time.Hour)); key != "" {
			t.Errorf("%s is sent on the day after", key)
		}
		for _, p := range []models.Player{back, asleep} {
			if m := reminded(t, store, p, due); m.State != models.MessageDead {
				t.Errorf("the reminder of player %d is %+v", p.ID, m)
			}
		}
		if dead, err := store.Alarms.DeadMessages(t.Context(), modelstest.Noon); err != nil || dead != 0 {
			t.Errorf("%d count as given up, %v", dead, err)
		}
	})
}

// remindClosed is how long a reminder of what is closed is put off.
const remindClosed = 10 * time.Minute

// Who comes would find a closed game.
func TestClosedFeaturesSendNoReminders(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		forgot := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, forgot, modelstest.Noon)
		due := modelstest.Noon.Add(24 * time.Hour)
		modelstest.Done(t, store, settings.ActionMaintenance, "on")
		if n := remind(t, store, due); n != 0 {
			t.Errorf("%d reminded of a closed game", n)
		}
		modelstest.Done(t, store, settings.ActionMaintenance, "off")
		if n := remind(t, store, due); n != 1 {
			t.Errorf("%d reminded of an open one", n)
		}
		modelstest.Done(t, store, settings.ActionMaintenance, "on")
		queueAt(t, store, due, message("friend", forgot.TelegramID))
		key, m := takeMessage(t, store, due)
		if key != "friend" {
			t.Errorf("%q is sent instead of what does not call to the closed game", key)
		}
		finishMessage(t, store, m, due)
		due = due.Add(time.Minute)
		if key, _ := takeMessage(t, store, due); key != "" {
			t.Errorf("%s is sent of a game that was closed meanwhile", key)
		}
		if key, _ := takeMessage(t, store, due.Add(remindClosed)); key != "" {
			t.Errorf("%s is sent while the game is still closed", key)
		}
		modelstest.Done(t, store, settings.ActionMaintenance, "off")
		if key, m := takeMessage(t, store, due.Add(2*remindClosed)); key == "" || m.ChatID != forgot.TelegramID || m.Tries != 1 {
			t.Errorf("once it is open again %+v is sent", m)
		}
	})
}

func TestReminderOfClosedFeatureEndsWithTheDay(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		forgot := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, forgot, modelstest.Noon)
		due := modelstest.Noon.Add(24 * time.Hour)
		remind(t, store, due)
		modelstest.Done(t, store, settings.ActionMaintenance, "on")
		for _, c := range []struct {
			at time.Time
			is models.MessageState
		}{{due, models.MessageQueued}, {due.Add(12*time.Hour - time.Microsecond), models.MessageQueued}, {due.Add(12*time.Hour + remindClosed), models.MessageDead}} {
			if key, _ := takeMessage(t, store, c.at); key != "" {
				t.Errorf("%s is sent of a closed game", key)
			}
			if m := reminded(t, store, forgot, due); m.State != c.is {
				t.Errorf("at %s it is %+v, not %s", c.at, m, c.is)
			}
		}
	})
}

// A crowd's reminders of a closed game neither stop what comes behind them nor keep the outbox busy.
func TestManyRemindersOfClosedGameLetOthersPass(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		crowd := make([]models.Message, 2100)
		for i := range crowd {
			crowd[i] = models.Message{Key: fmt.Sprint("reminder:", i), ChatID: int64(i + 1), Kind: models.DailyReminder, Urgency: models.UrgencyBulk}
		}
		queueAt(t, store, modelstest.Noon, crowd...)
		last := message("last", 5000)
		last.Urgency = models.UrgencyBulk
		queueAt(t, store, modelstest.Noon.Add(time.Second), last)
		modelstest.Done(t, store, settings.ActionMaintenance, "on")
		at := modelstest.Noon.Add(time.Minute)
		key, m := takeMessage(t, store, at) // after ten looks at most
		if key != "last" {
			t.Errorf("%q is sent past the crowd", key)
		}
		finishMessage(t, store, m, at)
		if m, wait, err := store.Outbox.TakeMessage(t.Context(), at.Add(second)); m != nil || wait != second || err != nil {
			t.Errorf("with the crowd out of the way %+v is sent, or a look is made after %s: %v", m, wait, err)
		}
		modelstest.Done(t, store, settings.ActionMaintenance, "off")
		if key, _ := takeMessage(t, store, at.Add(remindClosed)); key != "reminder:0" {
			t.Errorf("%q is the first once the game is open", key)
		}
	})
}

func TestSwitchedOffMinesSendNoReminders(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		miner := modelstest.Buyer(t, store)
		modelstest.Opened(t, store, miner, 1, modelstest.Noon)
		for i := range 2 {
			modelstest.Dig(t, store, miner, 50, "", modelstest.Noon.Add(time.Duration(i)*time.Hour))
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "mines", "off")
		rested := modelstest.Noon.Add(13 * time.Hour)
		if n := remind(t, store, rested); n != 0 {
			t.Errorf("%d reminded while the mines are off", n)
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "mines", "on")
		if n := remind(t, store, rested); n != 1 {
			t.Errorf("%d reminded once they are on", n)
		}
		for range 2 { // that the mine is open, and what it is full of
			at := modelstest.Noon.Add(2 * time.Hour)
			if _, m := takeMessage(t, store, at); m.ID != 0 {
				finishMessage(t, store, m, at)
			}
		}
		forgot := modelstest.Player(t, store)
		bag := models.Message{Key: "bag", ChatID: forgot.TelegramID, Kind: models.EnergyFull, Params: map[string]string{"of": outbox.EnergyOfBag}, Urgency: models.UrgencyBulk}
		queueAt(t, store, rested.Add(second), bag)
		modelstest.Done(t, store, settings.ActionChangeSetting, "mines", "off")
		key, m := takeMessage(t, store, rested.Add(2*second))
		if key != "bag" {
			t.Errorf("%q is sent instead of what the mines have no part in", key)
		}
		finishMessage(t, store, m, rested.Add(2*second))
		if key, _ := takeMessage(t, store, rested.Add(3*second)); key != "" {
			t.Errorf("%s is sent of mines that were switched off meanwhile", key)
		}
		modelstest.Done(t, store, settings.ActionChangeSetting, "mines", "on")
		if _, m := takeMessage(t, store, rested.Add(time.Minute+remindClosed)); m.Params["of"] != outbox.EnergyOfMine {
			t.Errorf("once they are on again %+v is sent", m)
		}
	})
}

// rested is a miner who dug for the last time at half past eleven, and no message is queued.
func rested(t *testing.T, store *store.Store) models.Player {
	t.Helper()
	miner := modelstest.Buyer(t, store)
	modelstest.Opened(t, store, miner, 1, modelstest.Noon)
	_, opened := takeMessage(t, store, modelstest.Noon)
	finishMessage(t, store, opened, modelstest.Noon)
	for i := range 2 {
		if d := modelstest.Dig(t, store, miner, 50, "", modelstest.Noon.Add(24*time.Hour-90*time.Minute+time.Duration(i)*time.Hour)); d.Accepted != 50 {
			t.Fatalf("dug %+v", d)
		}
	}
	return miner
}

// The twelve hours since half past eleven end before midnight, the hour in which a late reminder is still good after it.
func TestMineReminderBeforeMidnightIsNotRepeatedAfter(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		miner := rested(t, store)
		modelstest.CheckIn(t, store, miner, modelstest.Noon.Add(24*time.Hour-40*time.Minute))
		evening, midnight := modelstest.Noon.Add(24*time.Hour+11*time.Hour+30*time.Minute), modelstest.Noon.Add(24*time.Hour+12*time.Hour)
		if n := remind(t, store, evening); n != 1 {
			t.Fatalf("%d told after twelve hours", n)
		}
		_, m := takeMessage(t, store, evening)
		if m.Params["of"] != outbox.EnergyOfMine {
			t.Fatalf("told %+v", m)
		}
		if n := remind(t, store, midnight); n != 0 {
			t.Errorf("%d told again while that is being sent", n)
		}
		finishMessage(t, store, m, evening)
		for at := midnight; at.Before(midnight.Add(time.Hour)); at = at.Add(5 * time.Minute) {
			if n := remind(t, store, at); n != 0 {
				t.Errorf("%d told again at %s", n, at)
			}
		}
		next := modelstest.Noon.Add(2*24*time.Hour - 40*time.Minute)
		if n := remind(t, store, next); n != 1 || reminded(t, store, miner, next).Kind != models.DailyReminder {
			t.Errorf("%d reminded of the day: %+v", n, reminded(t, store, miner, next))
		}
	})
}

func TestMineReminderMissedBeforeMidnightIsSentAfter(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		rested(t, store)
		midnight := modelstest.Noon.Add(24*time.Hour + 12*time.Hour)
		for _, at := range []time.Time{midnight.Add(-30 * time.Minute), midnight} { // the evening's still waits behind others
			if n := remind(t, store, at); n != 1 {
				t.Errorf("%d told at %s", n, at)
			}
		}
		if key, m := takeMessage(t, store, midnight); !m.QueuedAt.Equal(midnight) {
			t.Errorf("%q of %s is sent at midnight", key, m.QueuedAt)
		}
		if key, _ := takeMessage(t, store, midnight.Add(time.Second)); key != "" {
			t.Errorf("%q is sent besides", key)
		}
	})
}

// Nobody looked between half past eleven and midnight.
func TestLateMineReminderIsValidAcrossMidnight(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		rested(t, store)
		if n := remind(t, store, modelstest.Noon.Add(24*time.Hour+12*time.Hour)); n != 1 {
			t.Errorf("%d told", n)
		}
	})
}

func TestFullMineReminderIsSkippedAfterDigging(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		back, away := modelstest.Buyer(t, store), modelstest.Buyer(t, store)
		for _, p := range []models.Player{back, away} {
			modelstest.Opened(t, store, p, 1, modelstest.Noon)
			for i := range 2 {
				modelstest.Dig(t, store, p, 50, "", modelstest.Noon.Add(time.Duration(i)*time.Hour))
			}
		}
		rested := modelstest.Noon.Add(13 * time.Hour)
		for i := range 2 { // that the mines are open
			at := modelstest.Noon.Add(time.Hour + time.Duration(i)*time.Second)
			_, m := takeMessage(t, store, at)
			modelstest.NoError(t, store.Outbox.FinishMessage(t.Context(), m, at))
		}
		if n := remind(t, store, rested); n != 2 {
			t.Fatalf("%d reminded", n)
		}
		modelstest.Dig(t, store, back, 50, "", rested.Add(time.Minute))
		later := rested.Add(2 * time.Minute)
		if _, m := takeMessage(t, store, later); m.ChatID != away.TelegramID {
			t.Errorf("sent %+v", m)
		}
		if key, m := takeMessage(t, store, later.Add(time.Second)); key != "" {
			t.Errorf("sent besides %+v", m)
		}
		if m := reminded(t, store, back, rested); m.State != models.MessageDead {
			t.Errorf("the reminder of who was there is %+v", m)
		}
	})
}

func TestRemindingContinuesAfterLastReminded(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		later, one, other := modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)
		for _, p := range []models.Player{one, other} { // at the same moment
			modelstest.CheckIn(t, store, p, modelstest.Noon)
		}
		modelstest.CheckIn(t, store, later, modelstest.Noon.Add(time.Microsecond))
		for _, c := range []struct {
			at   time.Time
			id   models.PlayerID
			then []models.PlayerID
		}{
			{then: []models.PlayerID{one.ID, other.ID, later.ID}},
			{modelstest.Noon, one.ID, []models.PlayerID{other.ID, later.ID}},
			{modelstest.Noon, other.ID, []models.PlayerID{later.ID}},
			{modelstest.Noon.Add(time.Microsecond), later.ID, nil},
		} {
			if found, err := store.Outbox.MissedAfter(t.Context(), c.at, c.id, modelstest.Noon.Add(24*time.Hour+time.Second)); err != nil || !slices.Equal(found, c.then) {
				t.Errorf("after %d at %s: %v, %v", c.id, c.at, found, err)
			}
		}
	})
}

func TestInterruptedRemindingContinues(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for range 3 {
			modelstest.CheckIn(t, store, modelstest.Player(t, store), modelstest.Noon)
		}
		cut, cancel := context.WithCancel(t.Context())
		cancel()
		if n, err := store.Outbox.Remind(cut, modelstest.Season, modelstest.Noon.Add(24*time.Hour)); err == nil || n != 0 {
			t.Errorf("%d reminded, %v", n, err)
		}
		if n := remind(t, store, modelstest.Noon.Add(24*time.Hour)); n != 3 {
			t.Errorf("%d reminded", n)
		}
	})
}
