package alarms_test

import (
	"database/sql"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

var onCall = []int64{11, 12}

func report(t *testing.T, store *store.Store, reading alarms.AlarmReading, now time.Time) (changed bool) {
	t.Helper()
	return modelstest.Must(store.Alarms.ReportAlarm(t.Context(), reading, onCall, now))(t)
}

// alarmKeys are the keys of all messages, in the order they were queued.
func alarmKeys(t *testing.T, raw *sql.DB) (keys []string) {
	t.Helper()
	rows := modelstest.Must(raw.QueryContext(t.Context(), "SELECT key FROM outbox WHERE kind = 'alarm' AND urgency = 0 ORDER BY id"))(t)
	defer rows.Close() //nolint:errcheck // read only
	for rows.Next() {
		var key string
		modelstest.NoError(t, rows.Scan(&key))
		keys = append(keys, key)
	}
	modelstest.NoError(t, rows.Err())
	return keys
}

func TestAlarmNotifiesOncePerOccurrence(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		late := alarms.AlarmReading{Name: models.AlarmJobMissed, Subject: "verify", On: true, Level: 61, Limit: 60, Detail: "<b>&"}
		well := alarms.AlarmReading{Name: models.AlarmJobMissed, Subject: "verify", Limit: 60}
		other := alarms.AlarmReading{Name: models.AlarmJobMissed, Subject: "seal_ledger", On: true}
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
			if changed := report(t, store, step.reading, modelstest.Noon.Add(time.Duration(i%7)*time.Minute)); changed != step.changed {
				t.Errorf("step %d: told %t", i, changed)
			}
			modelstest.Equal(t, alarmKeys(t, raw)[len(before):], step.keys, "step", i, "messages")
		}
		raised, err := store.Alarms.RaisedAlarms(t.Context())
		if err != nil || len(raised) != 2 || raised[0].Subject != "seal_ledger" || raised[1].Subject != "verify" || !raised[1].On || raised[1].Detail != "<b>&" {
			t.Errorf("raised are %+v, %v", raised, err)
		}
		var params string
		modelstest.NoError(t, raw.QueryRowContext(t.Context(), "SELECT params FROM outbox WHERE key = 'alarm:job_missed:1:11'").Scan(&params))
		modelstest.Equal(t, params, `{"alarm":"job_missed","detail":"\u003cb\u003e\u0026","event":"raised","level":"61","limit":"60","subject":"verify"}`, "params are")
	})
}

// Whoever leaves dust unsettled must still hear of the large payment that comes after it.
func TestGrowingAlarmNotifiesAgainAfterAnHour(t *testing.T) {
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
			reading := alarms.AlarmReading{Name: models.AlarmPaymentsHeld, On: true, Level: 1, Grew: modelstest.Noon.Add(step.grew)}
			modelstest.Equal(t, report(t, store, reading, modelstest.Noon.Add(step.after)), step.keys != nil, "step", i, "told")
			modelstest.Equal(t, alarmKeys(t, raw)[len(before):], step.keys, "step", i, "messages")
		}
		modelstest.Equal(t, len(modelstest.Must(store.Alarms.RaisedAlarms(t.Context()))(t)), 1, "raised are")
	})
}

func TestConcurrentProcessesRaiseOneAlarm(t *testing.T) {
	modelstest.EachDatabaseProcesses(t, func(t *testing.T, stores []*store.Store, raw *sql.DB) {
		for round := range 3 {
			for _, on := range []bool{true, false} {
				var told atomic.Int32
				modelstest.Concurrently(8, func(i int) {
					changed, err := stores[i%len(stores)].Alarms.ReportAlarm(t.Context(), alarms.AlarmReading{Name: models.AlarmDiskLow, On: on}, onCall, modelstest.Noon)
					if err != nil {
						t.Error(err)
					}
					if changed {
						told.Add(1)
					}
				})
				modelstest.Equal(t, told.Load(), 1, "round", round, on, "told")
			}
		}
		modelstest.Equal(t, len(alarmKeys(t, raw)), 12, "messages")
	})
}

func TestAlarmWithoutAdminsIsStored(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Returns(store.Alarms.ReportAlarm(t.Context(), alarms.AlarmReading{Name: models.AlarmDiskLow, On: true}, nil, modelstest.Noon))(t, true)
		modelstest.Equal(t, len(modelstest.Must(store.Alarms.RaisedAlarms(t.Context()))(t)), 1)
	})
}

// A process whose clock is wrong may write nothing but this.
func TestClockSkewAlarmIsEndedByLeader(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	wrong, right, raw := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	off := 24 * time.Hour
	ahead := modelstest.ComparedClocks(t, wrong, func() time.Time { return time.Now().Add(off) })
	now := time.Now()
	for round, told := range []bool{true, false, false} {
		modelstest.Returns(wrong.Alarms.ReportSkew(t.Context(), ahead, onCall, now.Add(off)))(t, told, "round", round, "told")
	}
	modelstest.Fails(wrong.Alarms.ReportAlarm(t.Context(), alarms.AlarmReading{Name: models.AlarmDiskLow, On: true}, onCall, now))(t, db.ErrUnavailable, "anything else")
	for _, step := range []struct {
		later time.Duration
		ended bool
	}{{0, false}, {55 * time.Second, false}, {65 * time.Second, true}, {2 * time.Minute, false}} {
		modelstest.Returns(right.Alarms.EndSkew(t.Context(), onCall, now.Add(step.later)))(t, step.ended, "after", step.later, "ended")
	}
	if keys := alarmKeys(t, raw); !reflect.DeepEqual(keys, []string{
		"alarm:clock_skew:1:11", "alarm:clock_skew:1:12", "alarm:clock_skew:1.ended:11", "alarm:clock_skew:1.ended:12",
	}) {
		t.Errorf("messages %v", keys)
	}
	for _, ahead := range []time.Duration{30 * time.Second, -30 * time.Second, 0} {
		modelstest.Returns(right.Alarms.ReportSkew(t.Context(), ahead, onCall, now))(t, false, ahead, "off: told")
	}
	modelstest.Returns(right.Alarms.ReportSkew(t.Context(), -31*time.Second, onCall, now.Add(-31*time.Second)))(t, true, "31 s behind: told")
}

func TestEndedAlarmsAreDeleted(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, on := range []bool{true, false, true} {
			report(t, store, alarms.AlarmReading{Name: models.AlarmDiskLow, On: on}, modelstest.Noon)
		}
		for _, step := range []struct{ days, deleted int64 }{{100, 0}, {101, 1}, {102, 0}} {
			deleted := modelstest.Must(store.Alarms.ForgetRuns(t.Context(), modelstest.Noon.Add(time.Duration(step.days)*24*time.Hour)))(t)
			modelstest.Equal(t, deleted, step.deleted, "after", step.days, "days")
		}
	})
}
