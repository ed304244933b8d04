package alarms_test

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

var hour = modelstest.Noon

func TestJobRunsOncePerPeriod(t *testing.T) {
	modelstest.EachDatabaseProcesses(t, func(t *testing.T, stores []*store.Store, raw *sql.DB) {
		modelstest.MustExec(t, raw, "INSERT INTO settings (key, value, updated_at) VALUES ('effects', '0', '2026-03-04 12:00:00+00:00')")
		for period := range 3 {
			var ours atomic.Int32
			modelstest.Concurrently(8, func(i int) {
				store := stores[i%len(stores)]
				_, did, err := store.Alarms.RunOnce(t.Context(), "count", hour.Add(time.Duration(period)*time.Hour), hour, func(ctx context.Context) (int64, error) {
					return 7, store.DB.InTx(ctx, func(tx *gorm.DB) error {
						return tx.Exec("UPDATE settings SET value = CAST(CAST(value AS integer) + 1 AS text) WHERE key = 'effects'").Error
					})
				})
				if err != nil {
					t.Error(err)
				}
				if did {
					ours.Add(1)
				}
			})
			modelstest.Equal(t, ours.Load(), 1, "did it")
		}
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT CAST(value AS integer) FROM settings WHERE key = 'effects'"), 3, "effects of three periods")
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM job_runs WHERE job = 'count' AND rows = 7"), 3, "runs are noted")
	})
}

func TestFailedJobRunIsRolledBack(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		wrong := errors.New("wrong")
		_, ours, err := store.Alarms.RunOnce(t.Context(), "forget_runs", hour, hour, func(ctx context.Context) (int64, error) {
			return 0, errors.Join(wrong, store.Alarms.SaveRun(ctx, models.JobRun{Job: "inner", Period: hour, DoneAt: hour}))
		})
		if ours || !errors.Is(err, wrong) {
			t.Errorf("%t, %v", ours, err)
		}
		for _, job := range []string{"forget_runs", "inner"} {
			modelstest.Equal(t, modelstest.Must(store.Alarms.LastRun(t.Context(), job, hour))(t).Job, "")
		}
	})
}

func TestLastRunIsNewestBeforeATime(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for i := range 3 {
			run := models.JobRun{Job: "seal", Period: hour.Add(time.Duration(i) * time.Hour), DoneAt: hour.Add(90 * time.Minute), Rows: int64(i)}
			for range 2 {
				modelstest.NoError(t, store.Alarms.SaveRun(t.Context(), run))
				run.Rows = 99 // the first note stays
			}
		}
		for upTo, want := range map[time.Duration]int64{0: 0, time.Hour: 1, 119 * time.Minute: 1, 24 * time.Hour: 2} {
			run, err := store.Alarms.LastRun(t.Context(), "seal", hour.Add(upTo))
			if err != nil || run.Rows != want || !run.Period.Equal(hour.Add(time.Duration(want)*time.Hour)) || !run.DoneAt.Equal(hour.Add(90*time.Minute)) {
				t.Errorf("up to %s: %+v, %v", upTo, run, err)
			}
		}
		modelstest.Equal(t, modelstest.Must(store.Alarms.LastRun(t.Context(), "seal", hour.Add(-time.Second)))(t).Job, "", "before the first")
	})
}

func TestOldRunsAreDeletedExceptNewestPerJob(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		day := 24 * time.Hour
		for job, ages := range map[string][]int{"daily": {0, 99, 101, 102}, "paused": {150, 151, 152}} {
			for _, age := range ages {
				modelstest.NoError(t, store.Alarms.SaveRun(t.Context(), models.JobRun{Job: job, Period: hour.Add(-time.Duration(age) * day), DoneAt: hour}))
			}
		}
		modelstest.Returns(store.Alarms.ForgetRuns(t.Context(), hour))(t, 4, "are forgotten")
		modelstest.Equal(t, modelstest.Must(store.Alarms.LastRun(t.Context(), "paused", hour))(t).Period, hour.Add(-150*day), "a paused job knows")
		modelstest.Returns(store.Alarms.ForgetRuns(t.Context(), hour))(t, 0, "again")
	})
}
