package outbox_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/store"
)

// The last word on an alarm is true, whatever became of those before it.
func TestPostponedAlarmNoticeIsSkippedAfterTheNext(t *testing.T) {
	for how, postpone := range map[string]func(t *testing.T, store *store.Store, m models.Message, at time.Time){
		"failed": func(t *testing.T, store *store.Store, m models.Message, at time.Time) { failMessage(t, store, m, at) },
		"told to be silent": func(t *testing.T, store *store.Store, m models.Message, at time.Time) {
			modelstest.NoError(t, store.Outbox.PostponeMessage(t.Context(), m, at.Add(30*second)))
		},
	} {
		t.Run(how, func(t *testing.T) {
			modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
				report := func(on bool, at time.Time) {
					modelstest.Must(store.Alarms.ReportAlarm(t.Context(), alarms.AlarmReading{Name: models.AlarmDiskLow, On: on}, []int64{11}, at))(t)
				}
				tells := func(what, key string, at time.Time) (m models.Message) {
					told, m := takeMessage(t, store, at)
					modelstest.Equal(t, told, key, what, "told")
					return m
				}
				at := modelstest.Noon
				report(true, at)
				postpone(t, store, tells("raised", "alarm:disk_low:1:11", at), at)
				report(false, at.Add(second))
				at = at.Add(time.Minute)
				finishMessage(t, store, tells("ended", "alarm:disk_low:1.ended:11", at), at)
				at = at.Add(12 * time.Hour)
				tells("long after its end", "", at)

				report(true, at)
				finishMessage(t, store, tells("raised again", "alarm:disk_low:2:11", at), at)
				at = at.Add(time.Minute)
				report(false, at)
				postpone(t, store, tells("ended again", "alarm:disk_low:2.ended:11", at), at)
				report(true, at.Add(second))
				at = at.Add(time.Minute)
				finishMessage(t, store, tells("raised once more", "alarm:disk_low:3:11", at), at)
				tells("while it stands", "", at.Add(12*time.Hour))
			})
		})
	}
}

func TestDeadMessagesCountOnlyWantedOnes(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		queueAt(t, store, modelstest.Noon, message("to one who blocks the bot", 2))
		_, refused := takeMessage(t, store, modelstest.Noon)
		modelstest.NoError(t, store.Outbox.RefuseMessage(t.Context(), refused, true, "Forbidden: bot was blocked by the user", modelstest.Noon))
		modelstest.NoError(t, store.Outbox.RememberStart(t.Context(), 2, "", modelstest.Noon)) // and is back
		for i, m := range []struct {
			chat                           int
			kind, state, finished, failure string
		}{
			{1, "bulk", "dead", "'2026-03-04 11:30:00+00:00'", "Bad Request: message is too long"},
			{1, "bulk", "dead", "'2026-03-04 11:00:01+00:00'", "gave up"},
			{1, "bulk", "dead", "'2026-03-04 10:59:59+00:00'", "gave up"},
			{1, "bulk", "dead", "'2026-03-04 11:30:00+00:00'", "blocked"},
			{1, "bulk", "dead", "'2026-03-04 11:30:00+00:00'", "unwanted"},
			{1, "alarm", "dead", "'2026-03-04 11:30:00+00:00'", "gave up"},
			{1, "bulk", "sent", "'2026-03-04 11:30:00+00:00'", ""},
			{1, "bulk", "queued", "NULL", "timeout"},
			{1, "bulk", "dead", "'2026-03-04 11:30:00+00:00'", "cancelled"},
		} {
			modelstest.MustExec(t, raw, fmt.Sprintf(`INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, finished_at, last_error)
				VALUES ('%d', %d, '%s', '{}', 2, '%s', 1, '2026-03-04 09:00:00+00:00', '2026-03-04 09:00:00+00:00', %s, '%s')`, i, m.chat, m.kind, m.state, m.finished, m.failure))
		}
		modelstest.Returns(store.Alarms.DeadMessages(t.Context(), modelstest.Noon.Add(-time.Hour)))(t, 2, "are dead")
	})
}

// second and slot are what the pace is made of: one message a chat, one message at all.
const (
	second = time.Second
	slot   = 40 * time.Millisecond
)

// message is a personal one.
func message(key string, chat int64) models.Message {
	return models.Message{Key: key, ChatID: chat, Kind: models.FriendJoined, Params: map[string]string{"name": "<b>&\"'"}, Urgency: models.UrgencyPersonal}
}

func queueAt(t *testing.T, store *store.Store, at time.Time, messages ...models.Message) {
	t.Helper()
	modelstest.NoError(t, store.DB.InTx(t.Context(), func(tx *gorm.DB) error { return outbox.Enqueue(tx, store.DB.Dialect, at, messages...) }), "queue")
}

// takeMessage returns the key of the message to send now, and all of it; empty when there is
// none. It looks as often as it is told to look again at once.
func takeMessage(t *testing.T, store *store.Store, at time.Time) (string, models.Message) {
	t.Helper()
	for range 10 {
		m, wait, err := store.Outbox.TakeMessage(t.Context(), at)
		modelstest.NoError(t, err, "take")
		if m != nil {
			return m.Key, *m
		}
		if wait > 0 {
			return "", models.Message{}
		}
	}
	t.Fatal("there is none to send, and yet no wait")
	return "", models.Message{}
}

// takeKey is takeMessage for the key alone.
func takeKey(t *testing.T, store *store.Store, at time.Time) string {
	t.Helper()
	key, _ := takeMessage(t, store, at)
	return key
}

func finishMessage(t *testing.T, store *store.Store, m models.Message, at time.Time) {
	t.Helper()
	modelstest.NoError(t, store.Outbox.FinishMessage(t.Context(), m, at))
}

func failMessage(t *testing.T, store *store.Store, m models.Message, at time.Time) (dead bool) {
	t.Helper()
	return modelstest.Must(store.Outbox.FailMessage(t.Context(), m, "it broke\x00", at))(t)
}

// outcomes counts the ends a meter is told of.
type outcomes struct {
	mu     sync.Mutex
	counts map[string]int
}

func (*outcomes) Round(int) {}

func (*outcomes) RoundFailed() {}

func (*outcomes) Postings(string, int) {}

func (e *outcomes) Messages(end string, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n > 0 {
		e.counts[end] += n
	}
}

func counting(store *store.Store) *outcomes {
	e := &outcomes{counts: map[string]int{}}
	store.DB.Measure(e)
	return e
}

func (e *outcomes) are(t *testing.T, want map[string]int) {
	t.Helper()
	modelstest.Equal(t, e.counts, want, "the meter was told of")
}

func TestMessageKeyIsUnique(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		told := counting(store)
		queueAt(t, store, modelstest.Noon)
		queueAt(t, store, modelstest.Noon, message("a", 7))
		other := message("a", 8)
		other.Params = nil
		queueAt(t, store, modelstest.Noon.Add(second), other, message("b", 9))
		key, m := takeMessage(t, store, modelstest.Noon.Add(second))
		if key != "a" || m.ChatID != 7 || m.Kind != models.FriendJoined || m.Params["name"] != "<b>&\"'" || m.Tries != 1 || !m.QueuedAt.Equal(modelstest.Noon) {
			t.Errorf("took %+v", m)
		}
		finishMessage(t, store, m, modelstest.Noon.Add(second))
		finishMessage(t, store, m, modelstest.Noon.Add(2*second))
		queueAt(t, store, modelstest.Noon.Add(second), message("a", 7))
		if m := modelstest.StoredMessage(t, store, "a"); m.State != models.MessageSent || !m.FinishedAt.Equal(modelstest.Noon.Add(second)) {
			t.Errorf("the sent one is %+v", m)
		}
		modelstest.Returns(store.Outbox.QueuedMessages(t.Context()))(t, 1, "are queued")
		told.are(t, map[string]int{"sent": 1})
	})
}

func TestMostUrgentMessageGoesFirst(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		bulk, alarm := message("bulk", 1), message("alarm", 2)
		bulk.Urgency, alarm.Urgency = models.UrgencyBulk, models.UrgencyAlarm
		queueAt(t, store, modelstest.Noon, bulk, message("second", 3))
		queueAt(t, store, modelstest.Noon.Add(-second), message("first", 4))
		queueAt(t, store, modelstest.Noon.Add(second), alarm)
		at := modelstest.Noon
		var order []string
		for range 5 {
			key, _ := takeMessage(t, store, at)
			order = append(order, key)
			at = at.Add(slot)
		}
		modelstest.Equal(t, order, []string{"first", "second", "bulk", "", ""}, "they went")
		modelstest.Equal(t, takeKey(t, store, modelstest.Noon.Add(second)), "alarm", "then went")
	})
}

func TestProcessesTogetherSendTwentyFivePerSecond(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	processes := []*store.Store{modelstest.OpenStore(t, address), modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)}
	var all []models.Message
	for i := range int64(100) {
		all = append(all, message(fmt.Sprint(i), i+1))
	}
	queueAt(t, processes[0], modelstest.Noon, all...)
	taken := map[string]int{}
	for at := time.Duration(0); at < 2*second; at += 10 * time.Millisecond {
		var got atomic.Int64
		var keys sync.Map
		modelstest.Concurrently(len(processes), func(i int) {
			m, wait, err := processes[i].Outbox.TakeMessage(t.Context(), modelstest.Noon.Add(at))
			switch {
			case err != nil:
				t.Error(err)
			case m != nil:
				got.Add(1)
				keys.Store(m.Key, true)
			case wait <= 0 || wait > slot:
				t.Errorf("at %s the wait is %s", at, wait)
			}
		})
		if due := at%slot == 0; (got.Load() == 1) != due || got.Load() > 1 {
			t.Fatalf("at %s %d messages were taken", at, got.Load())
		}
		keys.Range(func(key, _ any) bool { taken[key.(string)]++; return true })
	}
	modelstest.Equal(t, len(taken), 50, "messages taken in two seconds")
}

func TestClockSetBackDelaysNoChat(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		wrong := modelstest.Noon.Add(48 * time.Hour)
		queueAt(t, store, modelstest.Noon, message("a", 1))
		_, held := takeMessage(t, store, wrong)
		finishMessage(t, store, held, wrong)
		queueAt(t, store, modelstest.Noon, message("b", 1))
		modelstest.Equal(t, takeKey(t, store, modelstest.Noon), "b", "took after the clock was right")
	})
}

// clocksDiffer is how much two clocks may differ, each by as much as is allowed.
const clocksDiffer = 60 * second

func TestProcessesWithDifferentClocksKeepOneSendRate(t *testing.T) {
	for _, behind := range []time.Duration{time.Millisecond, 100 * time.Millisecond, clocksDiffer} {
		t.Run(behind.String(), func(t *testing.T) {
			modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
				queueAt(t, store, modelstest.Noon, message("a", 1), message("b", 2))
				modelstest.Equal(t, takeKey(t, store, modelstest.Noon.Add(behind)), "a", "took")
				if m, wait, err := store.Outbox.TakeMessage(t.Context(), modelstest.Noon); m != nil || wait != slot || err != nil {
					t.Errorf("who is behind took %+v, waits %s, %v", m, wait, err)
				}
				modelstest.Equal(t, takeKey(t, store, modelstest.Noon.Add(behind+slot)), "b", "then took")
			})
		})
	}
}

// A slot or a silence that a clock far off wrote holds up nobody whose clock is right.
func TestClockSetBackDelaysOutboxByOneSlot(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		wrong := modelstest.Noon.Add(48 * time.Hour)
		queueAt(t, store, modelstest.Noon, message("a", 1), message("b", 2))
		modelstest.Equal(t, takeKey(t, store, wrong), "a", "took")
		modelstest.Equal(t, takeKey(t, store, modelstest.Noon), "b", "took after the clock was right")
		queueAt(t, store, modelstest.Noon, message("c", 3))
		modelstest.NoError(t, store.Outbox.PauseSending(t.Context(), modelstest.Noon.Add(24*time.Hour)))
		modelstest.Equal(t, takeKey(t, store, modelstest.Noon.Add(second)), "", "took in a silence of a day")
		modelstest.NoError(t, store.Outbox.PauseSending(t.Context(), wrong.Add(24*time.Hour)))
		modelstest.Equal(t, takeKey(t, store, modelstest.Noon.Add(second)), "c", "took in a silence that nobody can have meant")
		modelstest.NoError(t, store.Outbox.PauseSending(t.Context(), modelstest.Noon.Add(24*time.Hour+20*second))) // by a clock that is a little ahead
		modelstest.Equal(t, takeKey(t, store, modelstest.Noon), "", "took")
		modelstest.Returns(store.Outbox.PausedUntil(t.Context()))(t, modelstest.Noon.Add(24*time.Hour+20*second), "a long silence is forgotten: until")
		modelstest.NoError(t, store.Outbox.PauseSending(t.Context(), wrong.Add(24*time.Hour)))
		modelstest.NoError(t, store.Outbox.PauseSending(t.Context(), modelstest.Noon.Add(10*second)))
		modelstest.Returns(store.Outbox.PausedUntil(t.Context()))(t, modelstest.Noon.Add(10*second), "silent until")
	})
}

func TestChatGetsOneMessagePerSecond(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		queueAt(t, store, modelstest.Noon, message("a", 7), message("b", 7), message("c", 8), message("d", 7), message("e", 7))
		at := modelstest.Noon
		_, a := takeMessage(t, store, at)
		at = at.Add(slot)
		key, c := takeMessage(t, store, at)
		modelstest.Equal(t, key, "c", "beside a message to the same chat went")
		finishMessage(t, store, c, at)
		at = at.Add(59 * second)
		modelstest.Equal(t, takeKey(t, store, at), "", "while the first is being sent was taken")
		finishMessage(t, store, a, at)
		for _, next := range []struct {
			key string
			end func(m models.Message)
		}{
			{"b", func(m models.Message) { failMessage(t, store, m, at) }},
			{"d", func(m models.Message) {
				modelstest.NoError(t, store.Outbox.RefuseMessage(t.Context(), m, false, "no", at))
			}},
			{"e", func(m models.Message) { finishMessage(t, store, m, at) }},
		} {
			modelstest.Equal(t, takeKey(t, store, at.Add(second-time.Millisecond)), "", "within the second went")
			at = at.Add(second)
			key, m := takeMessage(t, store, at)
			modelstest.Equal(t, key, next.key, "after a second went")
			next.end(m)
		}
	})
}

func TestMessageIsDeadAfterEightTriesWithBackoff(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		told := counting(store)
		queueAt(t, store, modelstest.Noon, message("a", 7))
		at := modelstest.Noon
		for wait := 2 * second; wait <= 31250*second; wait *= 5 {
			_, m := takeMessage(t, store, at)
			if m.Key != "a" || failMessage(t, store, m, at) {
				t.Fatalf("before a wait of %s: %+v", wait, m)
			}
			modelstest.Equal(t, takeKey(t, store, at.Add(wait-time.Millisecond)), "", "taken before", wait, "had passed")
			at = at.Add(wait)
		}
		if at.Sub(modelstest.Noon) > 24*time.Hour {
			t.Errorf("the last try is %s after the first", at.Sub(modelstest.Noon))
		}
		if _, m := takeMessage(t, store, at); m.Tries != 8 || !failMessage(t, store, m, at) {
			t.Fatalf("not dead after eight tries: %+v", m)
		}
		if m := modelstest.StoredMessage(t, store, "a"); m.State != models.MessageDead || m.LastError != "it broke" || m.FinishedAt == nil {
			t.Errorf("the dead one is %+v", m)
		}
		told.are(t, map[string]int{"given_up": 1})
	})
}

func TestCrashingMessageIsDeadAfterEightTries(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		told := counting(store)
		queueAt(t, store, modelstest.Noon, message("a", 7))
		at := modelstest.Noon
		for range 8 {
			modelstest.Equal(t, takeKey(t, store, at), "a", "took")
			modelstest.Equal(t, takeKey(t, store, at.Add(time.Minute-time.Millisecond)), "", "it was taken from its holder")
			at = at.Add(time.Minute)
		}
		modelstest.Equal(t, takeKey(t, store, at), "", "took a ninth time")
		if m := modelstest.StoredMessage(t, store, "a"); m.State != models.MessageDead || m.LastError == "" {
			t.Errorf("it is %+v", m)
		}
		told.are(t, map[string]int{"given_up": 1})
	})
}

func TestPausedSendingHoldsAllAndCountsNoTry(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		queueAt(t, store, modelstest.Noon, message("a", 7), message("b", 8))
		at := modelstest.Noon
		for round := range 20 {
			key, m := takeMessage(t, store, at)
			modelstest.Equal(t, m.Tries, 1, "round", round, "took", m)
			until := at.Add(7 * second)
			modelstest.NoError(t, store.Outbox.PostponeMessage(t.Context(), m, until))
			modelstest.NoError(t, store.Outbox.PauseSending(t.Context(), until.Add(-second))) // a shorter one changes nothing
			modelstest.Returns(store.Outbox.PausedUntil(t.Context()))(t, until, "silent until")
			if m, wait, err := store.Outbox.TakeMessage(t.Context(), at.Add(second)); m != nil || wait != 6*second || err != nil {
				t.Fatalf("after %q was postponed: %+v, wait %s, %v", key, m, wait, err)
			}
			at = until.Add(2 * second)
		}
	})
}

// A chat that was too much for Telegram would be so again, and keep all others silent.
func TestAfterAPauseOtherChatsComeFirst(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		queueAt(t, store, modelstest.Noon, message("a", 1), message("b", 1), message("c", 2))
		_, first := takeMessage(t, store, modelstest.Noon)
		until := modelstest.Noon.Add(7 * second)
		modelstest.NoError(t, store.Outbox.PostponeMessage(t.Context(), first, until))
		for _, turn := range []struct {
			at   time.Time
			want string
		}{{until, "c"}, {until.Add(second), ""}, {until.Add(2 * second), "b"}, {until.Add(2*second + time.Minute), "a"}} {
			modelstest.Equal(t, takeKey(t, store, turn.at), turn.want, turn.at.Sub(until), "after the silence took")
		}
	})
}

func TestLateWorkerMayOnlyFinishItsMessage(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		told := counting(store)
		queueAt(t, store, modelstest.Noon, message("a", 7))
		_, late := takeMessage(t, store, modelstest.Noon)
		later := modelstest.Noon.Add(time.Minute)
		_, held := takeMessage(t, store, later)
		before := modelstest.StoredMessage(t, store, "a")
		failMessage(t, store, late, later)
		modelstest.NoError(t, store.Outbox.RefuseMessage(t.Context(), late, false, "no", later))
		modelstest.NoError(t, store.Outbox.PostponeMessage(t.Context(), late, later))
		if m := modelstest.StoredMessage(t, store, "a"); m.State != models.MessageQueued || !m.NextTryAt.Equal(before.NextTryAt) || m.Tries != 2 {
			t.Errorf("the late holder changed it to %+v", m)
		}
		finishMessage(t, store, late, later)
		failMessage(t, store, held, later)
		modelstest.Equal(t, modelstest.StoredMessage(t, store, "a").State, models.MessageSent, "sent by the late holder")
		told.are(t, map[string]int{"sent": 1})
	})
}

func TestBlockedChatGetsNothingUntilItWrites(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		told := counting(store)
		player := modelstest.Player(t, store)
		at := modelstest.Noon
		queueAt(t, store, at, message("a", player.TelegramID))
		_, m := takeMessage(t, store, at)
		modelstest.NoError(t, store.Outbox.RefuseMessage(t.Context(), m, true, "Forbidden", at))
		if m := modelstest.StoredMessage(t, store, "a"); m.State != models.MessageDead || m.LastError != "blocked" {
			t.Errorf("the refused one is %+v", m)
		}
		for i, reach := range []struct {
			by   func(t *testing.T)
			goes bool
		}{
			{func(*testing.T) {}, false},
			{func(t *testing.T) {
				modelstest.NoError(t, store.Outbox.SetReach(t.Context(), player.TelegramID, true, at))
			}, true},
			{func(t *testing.T) {
				modelstest.NoError(t, store.Outbox.SetReach(t.Context(), player.TelegramID, false, at))
			}, false},
			{func(t *testing.T) { signInAllowing(t, store, player, at.Add(-2*time.Minute)) }, false}, // older launch data
			{func(t *testing.T) { signInAllowing(t, store, player, at.Add(second)) }, true},
		} {
			reach.by(t)
			at = at.Add(time.Minute)
			key := fmt.Sprint("m", i)
			queueAt(t, store, at, message(key, player.TelegramID))
			taken, m := takeMessage(t, store, at)
			modelstest.Equal(t, (taken == key), reach.goes, i, "took", taken)
			if reach.goes {
				finishMessage(t, store, m, at)
			} else if m := modelstest.StoredMessage(t, store, key); m.State != models.MessageDead {
				t.Errorf("%d: it is %+v", i, m)
			}
		}
		told.are(t, map[string]int{"sent": 2, "blocked": 4})
	})
}

func signInAllowing(t *testing.T, store *store.Store, p models.Player, signedAt time.Time) {
	t.Helper()
	modelstest.SignIn(t, store, players.LaunchUser{TelegramID: p.TelegramID, FirstName: p.FirstName, AllowsWrite: true, SignedAt: signedAt}, signedAt)
}

func TestOptedOutPlayerGetsNoMessagesUnlessAdmin(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		told := counting(store)
		player, off := modelstest.Player(t, store), false
		modelstest.Must(store.Players.SetPreference(t.Context(), player.ID, players.Preference{Notifications: &off}, modelstest.Noon))(t)
		modelstest.NoError(t, store.Outbox.SetReach(t.Context(), player.TelegramID, false, modelstest.Noon))
		var many []models.Message
		for i := range 150 { // more than one look passes over
			many = append(many, message(fmt.Sprint(i), player.TelegramID))
		}
		queueAt(t, store, modelstest.Noon, many...)
		alarm := message("alarm", player.TelegramID)
		alarm.Urgency = models.UrgencyAlarm
		queueAt(t, store, modelstest.Noon.Add(second), alarm)
		modelstest.NoError(t, store.Outbox.NoticeAdmins(t.Context(), "n", "text", models.UrgencyPersonal, []int64{player.TelegramID, 5}, modelstest.Noon.Add(second)))
		modelstest.NoError(t, store.Outbox.NoticeAdmins(t.Context(), "n", "again", models.UrgencyPersonal, []int64{player.TelegramID}, modelstest.Noon.Add(second)))
		at := modelstest.Noon
		modelstest.Equal(t, takeKey(t, store, at), "", "took")
		var went []string
		for range 4 {
			at = at.Add(2 * second)
			key, m := takeMessage(t, store, at)
			if key != "" {
				finishMessage(t, store, m, at)
				went = append(went, key)
			}
		}
		me := fmt.Sprint("admin:n:", player.TelegramID)
		modelstest.Equal(t, went, []string{"alarm", me, "admin:n:5"}, "went")
		if m := modelstest.StoredMessage(t, store, me); m.Params["text"] != "text" {
			t.Errorf("the notice is %+v", m)
		}
		told.are(t, map[string]int{"sent": 3, "unwanted": 150})
	})
}

func TestInviterIsNotifiedOnceOfAFriend(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		guest := players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "<b>Bob", StartParam: inviter.ReferralCode}
		modelstest.Concurrently(5, func(int) {
			modelstest.Succeeds(store.Players.SignIn(t.Context(), guest, modelstest.Noon))(t)
		})
		friend := modelstest.SignIn(t, store, guest, modelstest.Noon)
		key, m := takeMessage(t, store, modelstest.Noon)
		if key != fmt.Sprint("friend_joined:", friend.ID) || m.ChatID != inviter.TelegramID || m.Params["name"] != "<b>Bob" || m.Urgency != models.UrgencyPersonal {
			t.Errorf("the inviter is told %+v", m)
		}
		modelstest.SignIn(t, store, players.LaunchUser{TelegramID: modelstest.TelegramID()}, modelstest.Noon)
		modelstest.Returns(store.Outbox.QueuedMessages(t.Context()))(t, 1, "messages")
	})
}

// A message and its cause are there together or not at all.
func TestRolledBackCauseLeavesNoMessage(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		broken := errors.New("the rest failed")
		guest := players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Bob", StartParam: inviter.ReferralCode}
		err := modelstest.InTx(t.Context(), store, func(ctx context.Context) error {
			if _, err := store.Players.SignIn(ctx, guest, modelstest.Noon); err != nil {
				return err
			}
			return broken
		})
		if n, counted := store.Outbox.QueuedMessages(t.Context()); !errors.Is(err, broken) || counted != nil || n != 0 {
			t.Errorf("%d messages, %v, %v", n, counted, err)
		}
	})
}

func TestFinishedMessagesAreDeletedAfterSevenDays(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		queueAt(t, store, modelstest.Noon, message("queued", 1), message("sent", 2), message("dead", 3))
		for _, end := range []func(m models.Message) error{
			func(m models.Message) error {
				return modelstest.ErrorOf(store.Outbox.FailMessage(t.Context(), m, "later", modelstest.Noon))
			},
			func(m models.Message) error { return store.Outbox.FinishMessage(t.Context(), m, modelstest.Noon) },
			func(m models.Message) error {
				return store.Outbox.RefuseMessage(t.Context(), m, false, strings.Repeat("я", 400), modelstest.Noon)
			},
		} {
			at := modelstest.Noon
			for {
				if key, m := takeMessage(t, store, at); key != "" {
					modelstest.NoError(t, end(m))
					break
				}
				at = at.Add(slot)
			}
		}
		for _, c := range []struct {
			after     time.Duration
			forgotten int64
		}{{7 * 24 * time.Hour, 0}, {7*24*time.Hour + second, 2}, {70 * 24 * time.Hour, 0}} {
			modelstest.Returns(store.Outbox.ForgetMessages(t.Context(), modelstest.Noon.Add(c.after)))(t, c.forgotten, "after", c.after, "were forgotten")
		}
		modelstest.StoredMessage(t, store, "queued")
		modelstest.Fails(store.Outbox.Message(t.Context(), "sent"))(t, db.ErrNotFound, "the forgotten one")
	})
}

func TestTwoProcessesNeverClaimOneMessage(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	processes := []*store.Store{modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)}
	const all = 60
	for i := range int64(all) {
		queueAt(t, processes[0], modelstest.Noon, message(fmt.Sprint(i), i%20+1))
	}
	var (
		mu    sync.Mutex
		taken = map[string]int{}
		clock atomic.Int64 // steps of a slot
	)
	modelstest.Concurrently(6, func(i int) {
		store := processes[i%len(processes)]
		for clock.Load() < 4*all {
			at := modelstest.Noon.Add(time.Duration(clock.Add(1)) * slot)
			m, _, err := store.Outbox.TakeMessage(t.Context(), at)
			if err != nil {
				t.Error(err)
				return
			}
			if m == nil {
				continue
			}
			mu.Lock()
			taken[m.Key]++
			mu.Unlock()
			modelstest.Succeeds(store.Outbox.FinishMessage(t.Context(), *m, at))(t)
		}
	})
	for key, times := range taken {
		modelstest.Equal(t, times, 1, key, "is taken")
	}
	modelstest.Equal(t, len(taken), all, "were taken")
}

func TestCardIsQueuedOnceAMinute(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player, other := modelstest.Player(t, store), modelstest.Player(t, store)
		queue := func(p models.Player, of string, at time.Time) {
			t.Helper()
			modelstest.NoError(t, store.Outbox.QueueCard(t.Context(), p, of, 3, at))
		}
		queue(player, models.CardOfTournament, modelstest.Noon)
		queue(player, models.CardOfTournament, modelstest.Noon.Add(59*time.Second))
		modelstest.Equal(t, modelstest.CountMessages(t, store, "card:"), 1, "queued in a minute")
		queue(player, models.CardOfSeason, modelstest.Noon)
		queue(other, models.CardOfTournament, modelstest.Noon)
		queue(player, models.CardOfTournament, modelstest.Noon.Add(time.Minute))
		modelstest.Equal(t, modelstest.CountMessages(t, store, "card:"), 4, "are queued")
		m := modelstest.StoredMessage(t, store, fmt.Sprintf("card:tournament:%d:%d", player.ID, modelstest.Noon.Unix()/60))
		if m.ChatID != player.TelegramID || m.Kind != models.ShareCard || !maps.Equal(m.Params, map[string]string{"of": "tournament", "tournament": "3"}) {
			t.Errorf("it is %+v", m)
		}
	})
}

func TestCardIsSentToWhoSwitchedMessagesOff(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		_, err := store.Players.SetPreference(t.Context(), player.ID, players.Preference{Notifications: new(false)}, modelstest.Noon)
		modelstest.NoError(t, err)
		modelstest.NoError(t, store.Outbox.QueueCard(t.Context(), player, models.CardOfSeason, 0, modelstest.Noon))
		if key, _ := takeMessage(t, store, modelstest.Noon); !strings.HasPrefix(key, "card:season:") {
			t.Errorf("taken is %q", key)
		}
	})
}

// Most of what waits of this broadcast has failed.
func TestUntriedMessagesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	modelstest.NewPlans(t, "broadcasts", "outbox").WantIndex(t, "outbox_untried", outbox.UntriedMessages, 1, 10_000)
}
