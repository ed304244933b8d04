package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/models/alarms"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/store"
)

var onCall = []int64{11, 12}

func reported(t *testing.T, store *store.Store, reading alarms.AlarmReading, now time.Time) (changed bool) {
	t.Helper()
	changed, err := store.Alarms.ReportAlarm(t.Context(), reading, onCall, now)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// alarmKeys are the keys of all messages, in the order they were queued.
func alarmKeys(t *testing.T, raw *sql.DB) (keys []string) {
	t.Helper()
	rows, err := raw.QueryContext(t.Context(), "SELECT key FROM outbox WHERE kind = 'alarm' AND urgency = 0 ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // read only
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestAnAlarmIsToldOncePerOccurrence(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		late := alarms.AlarmReading{Name: alarms.AlarmJobMissed, Subject: "verify", On: true, Level: 61, Limit: 60, Detail: "<b>&"}
		well := alarms.AlarmReading{Name: alarms.AlarmJobMissed, Subject: "verify", Limit: 60}
		other := alarms.AlarmReading{Name: alarms.AlarmJobMissed, Subject: "seal_ledger", On: true}
		for i, step := range []struct {
			reading alarms.AlarmReading
			changed bool
			keys    []string
		}{
			{well, false, nil}, // nothing to end
			{late, true, []string{"alarm:job_missed:1:11", "alarm:job_missed:1:12"}},
			{late, false, nil},
			{other, true, []string{"alarm:job_missed:2:11", "alarm:job_missed:2:12"}},
			{well, true, []string{"alarm:job_missed:1.ended:11", "alarm:job_missed:1.ended:12"}},
			{well, false, nil},
			{late, true, []string{"alarm:job_missed:3:11", "alarm:job_missed:3:12"}},
			{well, true, []string{"alarm:job_missed:3.ended:11", "alarm:job_missed:3.ended:12"}}, // by a clock that was set back
			{late, true, []string{"alarm:job_missed:4:11", "alarm:job_missed:4:12"}},
		} {
			before := alarmKeys(t, raw)
			if changed := reported(t, store, step.reading, modelstest.Noon.Add(time.Duration(i%7)*time.Minute)); changed != step.changed {
				t.Errorf("step %d: told %t", i, changed)
			}
			if got := alarmKeys(t, raw)[len(before):]; !slices.Equal(got, step.keys) {
				t.Errorf("step %d: messages %v, want %v", i, got, step.keys)
			}
		}
		raised, err := store.Alarms.RaisedAlarms(t.Context())
		if err != nil || len(raised) != 2 || raised[0].Subject != "seal_ledger" || raised[1].Subject != "verify" || !raised[1].On || raised[1].Detail != "<b>&" {
			t.Errorf("raised are %+v, %v", raised, err)
		}
		var params string
		if err := raw.QueryRowContext(t.Context(), "SELECT params FROM outbox WHERE key = 'alarm:job_missed:1:11'").Scan(&params); err != nil {
			t.Fatal(err)
		}
		if want := `{"alarm":"job_missed","detail":"\u003cb\u003e\u0026","event":"raised","level":"61","limit":"60","subject":"verify"}`; params != want {
			t.Errorf("params are %s", params)
		}
	})
}

// Whoever leaves dust unsettled must still hear of the large payment that comes after it.
func TestAnAlarmThatGrewIsToldAgainAfterAnHour(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		for i, step := range []struct {
			after, grew time.Duration
			keys        []string
		}{
			{0, 0, []string{"alarm:payments_held:1:11", "alarm:payments_held:1:12"}},
			{2 * time.Hour, 0, nil},
			{3 * time.Hour, 150 * time.Minute, []string{"alarm:payments_held:2:11", "alarm:payments_held:2:12"}},
			{3*time.Hour + 59*time.Minute, 190 * time.Minute, nil},
			{4 * time.Hour, 190 * time.Minute, []string{"alarm:payments_held:3:11", "alarm:payments_held:3:12"}},
			{9 * time.Hour, 190 * time.Minute, nil},
		} {
			before := alarmKeys(t, raw)
			reading := alarms.AlarmReading{Name: alarms.AlarmPaymentsHeld, On: true, Level: 1, Grew: modelstest.Noon.Add(step.grew)}
			if changed := reported(t, store, reading, modelstest.Noon.Add(step.after)); changed != (step.keys != nil) {
				t.Errorf("step %d: told %t", i, changed)
			}
			if got := alarmKeys(t, raw)[len(before):]; !slices.Equal(got, step.keys) {
				t.Errorf("step %d: messages %v, want %v", i, got, step.keys)
			}
		}
		if raised, err := store.Alarms.RaisedAlarms(t.Context()); err != nil || len(raised) != 1 {
			t.Errorf("raised are %+v, %v", raised, err)
		}
	})
}

// The last word on an alarm is true, whatever became of those before it.
func TestAWordOnAnAlarmThatWasPutOffIsNotToldAfterTheNext(t *testing.T) {
	for how, putOff := range map[string]func(t *testing.T, store *store.Store, m outbox.Message, at time.Time){
		"failed": func(t *testing.T, store *store.Store, m outbox.Message, at time.Time) { failMessage(t, store, m, at) },
		"told to be silent": func(t *testing.T, store *store.Store, m outbox.Message, at time.Time) {
			if err := store.Outbox.PostponeMessage(t.Context(), m, at.Add(30*second)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(how, func(t *testing.T) {
			modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
				report := func(on bool, at time.Time) {
					if _, err := store.Alarms.ReportAlarm(t.Context(), alarms.AlarmReading{Name: alarms.AlarmDiskLow, On: on}, []int64{11}, at); err != nil {
						t.Fatal(err)
					}
				}
				tells := func(what, key string, at time.Time) (m outbox.Message) {
					told, m := takeMessage(t, store, at)
					if told != key {
						t.Fatalf("%s: told %q, not %q", what, told, key)
					}
					return m
				}
				at := modelstest.Noon
				report(true, at)
				putOff(t, store, tells("raised", "alarm:disk_low:1:11", at), at)
				report(false, at.Add(second))
				at = at.Add(time.Minute)
				finishMessage(t, store, tells("ended", "alarm:disk_low:1.ended:11", at), at)
				at = at.Add(12 * time.Hour)
				tells("long after its end", "", at)

				report(true, at)
				finishMessage(t, store, tells("raised again", "alarm:disk_low:2:11", at), at)
				at = at.Add(time.Minute)
				report(false, at)
				putOff(t, store, tells("ended again", "alarm:disk_low:2.ended:11", at), at)
				report(true, at.Add(second))
				at = at.Add(time.Minute)
				finishMessage(t, store, tells("raised once more", "alarm:disk_low:3:11", at), at)
				tells("while it stands", "", at.Add(12*time.Hour))
			})
		})
	}
}

func TestProcessesThatRaiseAnAlarmTogetherRaiseOne(t *testing.T) {
	for _, name := range modelstest.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := modelstest.Address(t, name)
			stores := []*store.Store{modelstest.OpenStore(t, address)}
			if modelstest.IsPostgres(t) {
				stores = append(stores, modelstest.OpenStore(t, address))
			}
			raw := modelstest.Raw(t, address)
			for round := range 3 {
				for _, on := range []bool{true, false} {
					var told atomic.Int32
					modelstest.Concurrently(8, func(i int) {
						changed, err := stores[i%len(stores)].Alarms.ReportAlarm(t.Context(), alarms.AlarmReading{Name: alarms.AlarmDiskLow, On: on}, onCall, modelstest.Noon)
						if err != nil {
							t.Error(err)
						}
						if changed {
							told.Add(1)
						}
					})
					if told.Load() != 1 {
						t.Errorf("round %d, %t: told %d times", round, on, told.Load())
					}
				}
			}
			if n := len(alarmKeys(t, raw)); n != 12 {
				t.Errorf("%d messages", n)
			}
		})
	}
}

func TestAnAlarmWithoutAdminsIsStillKept(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		changed, err := store.Alarms.ReportAlarm(t.Context(), alarms.AlarmReading{Name: alarms.AlarmDiskLow, On: true}, nil, modelstest.Noon)
		if err != nil || !changed {
			t.Errorf("%t, %v", changed, err)
		}
		if raised, err := store.Alarms.RaisedAlarms(t.Context()); err != nil || len(raised) != 1 {
			t.Errorf("%+v, %v", raised, err)
		}
	})
}

// A process whose clock is wrong may write nothing but this.
func TestAWrongClockIsToldByItsProcessAndEndedByTheLeader(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	wrong, right, raw := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	off := 24 * time.Hour
	ahead := modelstest.ComparedClocks(t, wrong, func() time.Time { return time.Now().Add(off) })
	now := time.Now()
	for round, told := range []bool{true, false, false} {
		if changed, err := wrong.Alarms.ReportSkew(t.Context(), ahead, onCall, now.Add(off)); err != nil || changed != told {
			t.Errorf("round %d: told %t, %v", round, changed, err)
		}
	}
	if _, err := wrong.Alarms.ReportAlarm(t.Context(), alarms.AlarmReading{Name: alarms.AlarmDiskLow, On: true}, onCall, now); !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("anything else: %v", err)
	}
	for _, step := range []struct {
		later time.Duration
		ended bool
	}{{0, false}, {55 * time.Second, false}, {65 * time.Second, true}, {2 * time.Minute, false}} {
		if changed, err := right.Alarms.EndSkew(t.Context(), onCall, now.Add(step.later)); err != nil || changed != step.ended {
			t.Errorf("after %s: ended %t, %v", step.later, changed, err)
		}
	}
	if keys := alarmKeys(t, raw); !reflect.DeepEqual(keys, []string{
		"alarm:clock_skew:1:11", "alarm:clock_skew:1:12", "alarm:clock_skew:1.ended:11", "alarm:clock_skew:1.ended:12",
	}) {
		t.Errorf("messages %v", keys)
	}
	for _, ahead := range []time.Duration{30 * time.Second, -30 * time.Second, 0} {
		if changed, err := right.Alarms.ReportSkew(t.Context(), ahead, onCall, now); err != nil || changed {
			t.Errorf("%s off: told %t, %v", ahead, changed, err)
		}
	}
	if changed, err := right.Alarms.ReportSkew(t.Context(), -31*time.Second, onCall, now.Add(-31*time.Second)); err != nil || !changed {
		t.Errorf("31 s behind: told %t, %v", changed, err)
	}
}

func TestDeadMessagesAreThoseThatSomebodyWanted(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		queueAt(t, store, modelstest.Noon, message("to one who blocks the bot", 2))
		_, refused := takeMessage(t, store, modelstest.Noon)
		must(t, store.Outbox.RefuseMessage(t.Context(), refused, true, "Forbidden: bot was blocked by the user", modelstest.Noon))
		must(t, store.Outbox.RememberStart(t.Context(), 2, "", modelstest.Noon)) // and is back
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
		if dead, err := store.Alarms.DeadMessages(t.Context(), modelstest.Noon.Add(-time.Hour)); err != nil || dead != 2 {
			t.Errorf("%d are dead, %v", dead, err)
		}
	})
}

func TestTheDiskOfAFileIsWatched(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		free, known, err := store.DB.DiskFree()
		if err != nil || known == modelstest.IsPostgres(t) || (known && free <= 0) {
			t.Errorf("%d bytes free, %t, %v", free, known, err)
		}
	})
}

func TestVerifyRestsBetweenItsSnapshots(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Player(t, store)
		rests := 0
		report, err := store.Audit.Verify(db.Throttled(t.Context(), func(context.Context) error { rests++; return nil }), modelstest.Season, modelstest.Noon)
		if err != nil || rests == 0 || len(report.Broken()) > 0 {
			t.Errorf("%d rests, %+v, %v", rests, report, err)
		}
		enough := errors.New("enough")
		if _, err := store.Audit.Verify(db.Throttled(t.Context(), func(context.Context) error { return enough }), modelstest.Season, modelstest.Noon); !errors.Is(err, enough) {
			t.Errorf("it ends with %v", err)
		}
	})
}

func TestEndedAlarmsAreForgotten(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, on := range []bool{true, false, true} {
			reported(t, store, alarms.AlarmReading{Name: alarms.AlarmDiskLow, On: on}, modelstest.Noon)
		}
		for _, step := range []struct{ days, deleted int64 }{{100, 0}, {101, 1}, {102, 0}} {
			deleted, err := store.Alarms.ForgetRuns(t.Context(), modelstest.Noon.Add(time.Duration(step.days)*24*time.Hour))
			if err != nil || deleted != step.deleted {
				t.Errorf("after %d days: %d, %v", step.days, deleted, err)
			}
		}
	})
}
