package outbox_test

import (
	"context"
	"errors"
	"fmt"
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
		modelstest.Equal(t, remind(t, store, due.Add(-time.Microsecond)), 0, "reminded before the hour")
		modelstest.Equal(t, remind(t, store, due), 1, "reminded at the hour")
		if m := reminded(t, store, forgot, due); m.Kind != models.DailyReminder || m.Params["streak"] != "2" || m.ChatID != forgot.TelegramID || m.Urgency != models.UrgencyBulk {
			t.Errorf("reminded by %+v", m)
		}
		modelstest.Equal(t, remind(t, store, due.Add(5*time.Minute)), 0, "reminded again")
		ten := modelstest.Noon.Add(2*24*time.Hour + 10*time.Hour) // two hours before the day ends
		modelstest.Equal(t, remind(t, store, ten.Add(-time.Minute)), 0, "reminded before ten")
		modelstest.Equal(t, remind(t, store, ten), 1, "reminded at ten")
		modelstest.Equal(t, reminded(t, store, late, ten).Params["streak"], "1")
		modelstest.Equal(t, remind(t, store, due.Add(24*time.Hour)), 1, "reminded on the next day: who had missed one is left in peace")
		modelstest.Equal(t, reminded(t, store, came, due.Add(24*time.Hour)).Params["streak"], "3")
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
		modelstest.Equal(t, remind(t, store, modelstest.Noon.Add(24*time.Hour)), 0, "reminded")
		end := modelstest.Season.Start.Add(game.SeasonDays * 24 * time.Hour)
		modelstest.CheckIn(t, store, modelstest.Player(t, store), end.Add(-time.Hour))
		modelstest.Equal(t, remind(t, store, end.Add(22*time.Hour)), 0, "reminded after the season")
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
			modelstest.Equal(t, modelstest.Dig(t, store, miner, 50, "", modelstest.Noon.Add(time.Duration(i)*time.Hour)).Accepted, 50, "dug")
		}
		modelstest.Dig(t, store, idle, 40, "", modelstest.Noon) // not most of it

		rested := modelstest.Noon.Add(13 * time.Hour) // of another day
		modelstest.Equal(t, remind(t, store, rested.Add(-time.Second)), 0, "told before twelve hours")
		modelstest.Equal(t, remind(t, store, rested), 1, "told after twelve hours")
		if m := reminded(t, store, miner, rested); m.Kind != models.EnergyFull || m.Params["of"] != outbox.EnergyOfMine {
			t.Errorf("the miner was told %+v", m)
		}
		next := modelstest.Noon.Add(24 * time.Hour)
		modelstest.Equal(t, remind(t, store, next), 1, "told a day after the check-in")
		modelstest.Equal(t, reminded(t, store, tapper, next).Params["of"], outbox.EnergyOfBag)
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
			modelstest.Equal(t, remind(t, store, due.Add(time.Duration(i)*time.Minute)), 1, "reminded")
		}
		due = due.Add(3 * time.Minute)
		modelstest.CheckIn(t, store, back, due)
		if _, m := takeMessage(t, store, due); m.ChatID != forgot.TelegramID {
			t.Errorf("sent %+v", m)
		}
		modelstest.Equal(t, takeKey(t, store, modelstest.Noon.Add(24*time.Hour+12*time.Hour)), "", "is sent on the day after")
		for _, p := range []models.Player{back, asleep} {
			modelstest.Equal(t, reminded(t, store, p, due).State, models.MessageDead, "the reminder of player", p.ID)
		}
		modelstest.Returns(store.Alarms.DeadMessages(t.Context(), modelstest.Noon))(t, 0, "count as given up")
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
		modelstest.Equal(t, remind(t, store, due), 0, "reminded of a closed game")
		modelstest.Done(t, store, settings.ActionMaintenance, "off")
		modelstest.Equal(t, remind(t, store, due), 1, "reminded of an open one")
		modelstest.Done(t, store, settings.ActionMaintenance, "on")
		queueAt(t, store, due, message("friend", forgot.TelegramID))
		key, m := takeMessage(t, store, due)
		modelstest.Equal(t, key, "friend", "what does not call to the closed game is sent")
		finishMessage(t, store, m, due)
		due = due.Add(time.Minute)
		modelstest.Equal(t, takeKey(t, store, due), "", "is sent of a game that was closed meanwhile")
		modelstest.Equal(t, takeKey(t, store, due.Add(remindClosed)), "", "is sent while the game is still closed")
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
			modelstest.Equal(t, takeKey(t, store, c.at), "", "is sent of a closed game")
			modelstest.Equal(t, reminded(t, store, forgot, due).State, c.is, "at", c.at)
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
		modelstest.Equal(t, key, "last", "is sent past the crowd")
		finishMessage(t, store, m, at)
		if m, wait, err := store.Outbox.TakeMessage(t.Context(), at.Add(second)); m != nil || wait != second || err != nil {
			t.Errorf("with the crowd out of the way %+v is sent, or a look is made after %s: %v", m, wait, err)
		}
		modelstest.Done(t, store, settings.ActionMaintenance, "off")
		modelstest.Equal(t, takeKey(t, store, at.Add(remindClosed)), "reminder:0", "is the first once the game is open")
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
		modelstest.Equal(t, remind(t, store, rested), 0, "reminded while the mines are off")
		modelstest.Done(t, store, settings.ActionChangeSetting, "mines", "on")
		modelstest.Equal(t, remind(t, store, rested), 1, "reminded once they are on")
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
		modelstest.Equal(t, key, "bag", "what the mines have no part in is sent")
		finishMessage(t, store, m, rested.Add(2*second))
		modelstest.Equal(t, takeKey(t, store, rested.Add(3*second)), "", "is sent of mines that were switched off meanwhile")
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
		modelstest.Equal(t, modelstest.Dig(t, store, miner, 50, "", modelstest.Noon.Add(24*time.Hour-90*time.Minute+time.Duration(i)*time.Hour)).Accepted, 50, "dug")
	}
	return miner
}

// The twelve hours since half past eleven end before midnight, the hour in which a late reminder is still good after it.
func TestMineReminderBeforeMidnightIsNotRepeatedAfter(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		miner := rested(t, store)
		modelstest.CheckIn(t, store, miner, modelstest.Noon.Add(24*time.Hour-40*time.Minute))
		evening, midnight := modelstest.Noon.Add(24*time.Hour+11*time.Hour+30*time.Minute), modelstest.Noon.Add(24*time.Hour+12*time.Hour)
		modelstest.Equal(t, remind(t, store, evening), 1, "told after twelve hours")
		_, m := takeMessage(t, store, evening)
		modelstest.Equal(t, m.Params["of"], outbox.EnergyOfMine, "told", m)
		modelstest.Equal(t, remind(t, store, midnight), 0, "told again while that is being sent")
		finishMessage(t, store, m, evening)
		for at := midnight; at.Before(midnight.Add(time.Hour)); at = at.Add(5 * time.Minute) {
			modelstest.Equal(t, remind(t, store, at), 0, "told again at", at)
		}
		next := modelstest.Noon.Add(2*24*time.Hour - 40*time.Minute)
		modelstest.Equal(t, remind(t, store, next), 1, "reminded of the day")
		modelstest.Equal(t, reminded(t, store, miner, next).Kind, models.DailyReminder)
	})
}

func TestMineReminderMissedBeforeMidnightIsSentAfter(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		rested(t, store)
		midnight := modelstest.Noon.Add(24*time.Hour + 12*time.Hour)
		for _, at := range []time.Time{midnight.Add(-30 * time.Minute), midnight} { // the evening's still waits behind others
			modelstest.Equal(t, remind(t, store, at), 1, "told at", at)
		}
		if key, m := takeMessage(t, store, midnight); !m.QueuedAt.Equal(midnight) {
			t.Errorf("%q of %s is sent at midnight", key, m.QueuedAt)
		}
		modelstest.Equal(t, takeKey(t, store, midnight.Add(time.Second)), "", "is sent too")
	})
}

// Nobody looked between half past eleven and midnight.
func TestLateMineReminderIsValidAcrossMidnight(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		rested(t, store)
		modelstest.Equal(t, remind(t, store, modelstest.Noon.Add(24*time.Hour+12*time.Hour)), 1, "told")
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
		modelstest.Equal(t, remind(t, store, rested), 2, "reminded")
		modelstest.Dig(t, store, back, 50, "", rested.Add(time.Minute))
		later := rested.Add(2 * time.Minute)
		if _, m := takeMessage(t, store, later); m.ChatID != away.TelegramID {
			t.Errorf("sent %+v", m)
		}
		if key, m := takeMessage(t, store, later.Add(time.Second)); key != "" {
			t.Errorf("sent besides %+v", m)
		}
		modelstest.Equal(t, reminded(t, store, back, rested).State, models.MessageDead, "the reminder of who was there is")
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
			modelstest.Returns(store.Outbox.MissedAfter(t.Context(), c.at, c.id, modelstest.Noon.Add(24*time.Hour+time.Second)))(t, c.then, "after", c.id, "at", c.at)
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
		modelstest.Equal(t, remind(t, store, modelstest.Noon.Add(24*time.Hour)), 3, "reminded")
	})
}
