package alarms

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
)

// LastRun returns a job's newest run for a period that is not after upTo; the zero JobRun if there is none.
func (s *Store) LastRun(ctx context.Context, job string, upTo time.Time) (models.JobRun, error) {
	run, err := db.One[models.JobRun](s.db.Committed(ctx).Where("job = ? AND period <= ?", job, upTo.UTC()).Order("period DESC"))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return models.JobRun{}, db.WrapUnavailable(fmt.Errorf("read the last run of %s: %w", job, err))
	}
	return run, nil
}

// SaveRun notes that a job is done whose work took more than one transaction: another process that does it again finds nothing left
// to do. The first note of a period stays.
func (s *Store) SaveRun(ctx context.Context, run models.JobRun) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		_, err := claimRun(tx, run)
		return err
	})
}

// RunOnce does a job's work and notes it in one transaction, unless it was done for this period before: then ours is false. Store
// methods that work calls with its ctx join the transaction.
func (s *Store) RunOnce(ctx context.Context, job string, period, now time.Time, work func(ctx context.Context) (rows int64, err error)) (rows int64, ours bool, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		var err error
		rows = 0
		if ours, err = claimRun(tx, models.JobRun{Job: job, Period: period, DoneAt: now}); err != nil || !ours {
			return err
		}
		if rows, err = work(db.WithTx(ctx, tx)); err != nil {
			return err
		}
		err = tx.Model(&models.JobRun{}).Where("job = ? AND period = ?", job, period.UTC()).Update("rows", rows).Error
		return db.Wrap(err, "count the work of %s", job)
	})
	if err != nil {
		return 0, false, err
	}
	return rows, ours, nil
}

func claimRun(tx *gorm.DB, run models.JobRun) (ours bool, err error) {
	run.Period, run.DoneAt = run.Period.UTC(), db.Time(run.DoneAt)
	claimed := tx.Scopes(db.OrIgnore).Create(&run)
	return claimed.RowsAffected > 0, db.Wrap(claimed.Error, "store the run of %s for %s", run.Job, run.Period.UTC().Format(time.RFC3339))
}

// runRetention is how long runs and ended alarms are stored.
const runRetention = 100 * 24 * time.Hour

// ForgetRuns deletes runs and ended alarms older than a hundred days, a few hundred a day, and returns how many. A job's newest run
// stays, which shows what the job has missed.
func (s *Store) ForgetRuns(ctx context.Context, now time.Time) (deleted int64, err error) {
	before := now.UTC().Add(-runRetention)
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		runs := tx.Exec(`DELETE FROM job_runs WHERE period < ? AND period < (
			SELECT MAX(newest.period) FROM job_runs newest WHERE newest.job = job_runs.job)`, before)
		if runs.Error != nil {
			return fmt.Errorf("forget runs: %w", runs.Error)
		}
		alarms := tx.Where("cleared_at < ?", before).Delete(&models.Alarm{})
		if alarms.Error != nil {
			return fmt.Errorf("forget alarms: %w", alarms.Error)
		}
		deleted = runs.RowsAffected + alarms.RowsAffected
		return nil
	})
	return deleted, err
}
