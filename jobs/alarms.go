package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/store"
)

// Limits of the alarms; models.AlarmName has their units (decision 0023: leader).
const (
	deadWindow        = time.Hour
	maxDead           = 0
	minDiskFree       = 1024 // MiB
	recoveredDiskFree = 1280 // MiB, from which on the alarm ends
	mebibyte          = 1 << 20
)

type alarmKey struct {
	name    models.AlarmName
	subject string
}

func (t *leaderTerm) checkAlarms(ctx context.Context) {
	if ctx.Err() != nil || t.holdsLease() != nil {
		return
	}
	if err := t.evaluateAlarms(ctx); err != nil && ctx.Err() == nil {
		t.o.Log.WarnContext(ctx, "evaluate alarms", "error", err)
	}
}

func (t *leaderTerm) evaluateAlarms(ctx context.Context) error {
	raised, err := t.raised(ctx)
	if err != nil {
		return err
	}
	readings, failed := t.readings(ctx, raised)
	for _, reading := range readings {
		at := alarmKey{reading.Name, reading.Subject}
		t.o.Meter.Alarm(string(at.name), at.subject, reading.On, reading.Level, reading.Limit)
		if reading.On || raised[at] {
			if err := report(ctx, t.store, t.o, reading); err != nil {
				return err
			}
		}
		delete(raised, at)
	}
	if failed != nil { // an unreadable alarm neither begins nor ends
		return failed
	}
	return t.clearStale(ctx, raised)
}

func (t *leaderTerm) raised(ctx context.Context) (map[alarmKey]bool, error) {
	readings, err := t.store.Alarms.RaisedAlarms(ctx)
	raised := map[alarmKey]bool{}
	for _, reading := range readings {
		raised[alarmKey{reading.Name, reading.Subject}] = true
	}
	return raised, err
}

// clearStale handles raised alarms without a reading. Verify runs daily, and each process reports its own clock skew. Other known
// alarms end: of a removed job, an old payout_stray, an unreadable disk, sales that stopped. An unknown alarm belongs to a newer version.
func (t *leaderTerm) clearStale(ctx context.Context, raised map[alarmKey]bool) error {
	for _, subject := range []string{nightlyAlarm, roundAlarm} {
		t.o.Meter.Alarm(string(models.AlarmVerifyFailed), subject, raised[alarmKey{models.AlarmVerifyFailed, subject}], 0, 0)
	}
	t.o.Meter.Alarm(string(models.AlarmClockSkew), "", raised[alarmKey{models.AlarmClockSkew, ""}], 0, 0)
	for at := range raised {
		switch at.name {
		case models.AlarmJobMissed, models.AlarmPayoutUnmatched, models.AlarmDiskLow, models.AlarmChainBehind, models.AlarmPriceStale:
		default:
			continue
		}
		t.o.Meter.Alarm(string(at.name), at.subject, false, 0, 0)
		if err := report(ctx, t.store, t.o, alarms.AlarmReading{Name: at.name, Subject: at.subject}); err != nil {
			return err
		}
	}
	if !raised[alarmKey{models.AlarmClockSkew, ""}] {
		return nil
	}
	_, err := t.store.Alarms.EndSkew(ctx, t.o.Admins, t.o.Now())
	return err
}

// readings returns the readings, and the joined errors of the failed ones.
func (t *leaderTerm) readings(ctx context.Context, raised map[alarmKey]bool) (readings []alarms.AlarmReading, failed error) {
	now := t.o.Now()
	if dead, err := t.store.Alarms.DeadMessages(ctx, now.Add(-deadWindow)); err != nil {
		failed = errors.Join(failed, err)
	} else {
		readings = append(readings, alarms.AlarmReading{Name: models.AlarmOutboxDead, On: dead > maxDead, Level: dead, Limit: maxDead})
	}
	if free, known, err := t.store.DB.DiskFree(); err != nil {
		failed = errors.Join(failed, fmt.Errorf("read free disk space: %w", err))
	} else if known {
		readings = append(readings, lowDisk(free/mebibyte, raised[alarmKey{models.AlarmDiskLow, ""}]))
	}
	sales, err := t.salesReadings(ctx, now, raised)
	readings, failed = append(readings, sales...), errors.Join(failed, err)
	payments, err := t.paymentReadings(ctx, now)
	readings, failed = append(readings, payments...), errors.Join(failed, err)
	for _, s := range t.jobs {
		last, err := t.store.Alarms.LastRun(ctx, s.name, s.newest(now))
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		if last.Job != "" {
			t.o.Meter.LastSuccess(s.name, last.DoneAt)
		}
		readings = append(readings, s.missedReading(last, t.since, now, raised[alarmKey{models.AlarmJobMissed, s.name}]))
	}
	return readings, failed
}

// lowDisk has hysteresis: raised below 1024 MiB, ended from 1280 MiB on.
func lowDisk(free int64, raised bool) alarms.AlarmReading {
	return alarms.AlarmReading{Name: models.AlarmDiskLow, On: free < minDiskFree || (raised && free < recoveredDiskFree), Level: free, Limit: minDiskFree}
}

// missedReading is on only when a job is overdue twice in a row: after a clock jump or a suspend every job is overdue until it has
// checked. An alarm of the last leader ends when the job is done.
func (s *scheduledJob) missedReading(last models.JobRun, since, now time.Time, raised bool) alarms.AlarmReading {
	again := s.wasOverdue || raised
	overdue := s.overdue(last, since, now)
	s.wasOverdue = overdue > s.allowance() || (raised && last.Job == "")
	return alarms.AlarmReading{
		Name: models.AlarmJobMissed, Subject: s.name, On: s.wasOverdue && again,
		Level: max(0, int64(overdue/time.Minute)), Limit: int64(s.allowance() / time.Minute),
	}
}

func report(ctx context.Context, store *store.Store, o Options, reading alarms.AlarmReading) error {
	changed, err := store.Alarms.ReportAlarm(ctx, reading, o.Admins, o.Now())
	if err != nil || !changed {
		return err
	}
	what := "alarm ended"
	if reading.On {
		what = "alarm raised"
	}
	o.Log.WarnContext(ctx, what, "alarm", reading.Name, "subject", reading.Subject, "reading", reading.Level, "limit", reading.Limit, "detail", reading.Detail)
	return nil
}

// Allowed lag of the treasury's known history. The hysteresis keeps occasionally late lite servers from toggling the alarm.
const (
	maxChainLag       = 2 * time.Minute
	recoveredChainLag = maxChainLag / 2 // below which the alarm ends
)

// unmatchedWindow is how long admins are alerted of an unmatched transfer.
const unmatchedWindow = 24 * time.Hour

// salesReadings returns the readings of sales; raised are the active alarms. With the treasury's address removed its history falls
// behind, also if it was never read: payments and tournaments' ranks wait for it.
func (t *leaderTerm) salesReadings(ctx context.Context, now time.Time, raised map[alarmKey]bool) (readings []alarms.AlarmReading, err error) {
	pinned, read, err := t.store.Treasury.Treasury(ctx)
	if err != nil {
		return nil, err
	}
	sells := t.o.Sales.Treasury != ""
	awaited := sells || read
	if !awaited && pinned.Address != "" { // the first read never succeeded, yet an order may be paid
		if _, awaited, err = t.store.Orders.FirstOrder(ctx); err != nil {
			return nil, err
		}
	}
	age := func(name models.AlarmName, at time.Time, allowed time.Duration) alarms.AlarmReading {
		return t.ageReading(name, at, allowed, now, raised[alarmKey{name, ""}])
	}
	if awaited {
		behind := age(models.AlarmChainBehind, pinned.KnownUntil, maxChainLag)
		behind.On = behind.On || (raised[alarmKey{models.AlarmChainBehind, ""}] && behind.Level >= int64(recoveredChainLag/time.Second))
		if !sells {
			behind.Detail = alarms.TreasuryUnset
		}
		readings = append(readings, behind)
	}
	if !sells {
		return readings, nil
	}
	rate, err := t.store.Orders.Rate(ctx, now)
	if err != nil {
		return readings, err
	}
	return append(readings, age(models.AlarmPriceStale, rate.At, game.PriceFresh)), nil
}

// paymentReadings returns the readings of money that waits for an admin, with or without sales.
func (t *leaderTerm) paymentReadings(ctx context.Context, now time.Time) (readings []alarms.AlarmReading, err error) {
	_, held, err := t.store.Treasury.HeldPayments(ctx, 0)
	if err != nil {
		return nil, err
	}
	newest, err := t.store.Treasury.NewestHeld(ctx)
	if err != nil {
		return nil, err
	}
	readings = append(readings, alarms.AlarmReading{Name: models.AlarmPaymentsHeld, On: held > 0, Level: held, Grew: newest})
	returned, newest, err := t.store.Treasury.ReturnedPayouts(ctx)
	if err != nil {
		return readings, err
	}
	readings = append(readings, alarms.AlarmReading{Name: models.AlarmPayoutReturned, On: returned > 0, Level: returned, Grew: newest})
	strays, err := t.store.Treasury.UnmatchedPayouts(ctx, now.Add(-unmatchedWindow))
	for _, unmatched := range strays {
		readings = append(readings, alarms.AlarmReading{Name: models.AlarmPayoutUnmatched, Subject: unmatched.Comment, On: true, Level: 1, Grew: unmatched.SeenAt})
	}
	return readings, err
}

const (
	handoverTime = time.Minute      // without a leader, at most, between two terms
	gracePeriod  = 30 * time.Second // before a new leader raises what the last one had not raised
)

// ageReading alarms on the age of at; the zero time means never. Before the leader's term nothing was read, so an older age counts from
// the term's start. An alarm of the last leader ends only at something newer.
func (t *leaderTerm) ageReading(name models.AlarmName, at time.Time, allowed time.Duration, now time.Time, raised bool) alarms.AlarmReading {
	neverSeen := raised && at.IsZero()
	if at.IsZero() || (!raised && t.since.Sub(at) > allowed+handoverTime) {
		at = t.since
	}
	age := now.Sub(at)
	on := age > allowed && (raised || now.Sub(t.since) > gracePeriod)
	return alarms.AlarmReading{Name: name, On: on || neverSeen, Level: max(0, int64(age/time.Second)), Limit: int64(allowed / time.Second)}
}
