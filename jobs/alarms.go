package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcbk/game"
	"mcbk/models"
)

// Alarms tell the admins what is wrong, once, and when it is over.
type Alarms interface {
	// ReportAlarm raises or ends an alarm and reports whether it changed, of which the admins are told.
	ReportAlarm(ctx context.Context, reading models.AlarmReading, admins []int64, now time.Time) (changed bool, err error)
	// EndSkew ends the alarm about clocks once they are right again.
	EndSkew(ctx context.Context, admins []int64, now time.Time) (changed bool, err error)
	// RaisedAlarms are the alarms that have not ended.
	RaisedAlarms(ctx context.Context) ([]models.AlarmReading, error)
	// DeadMessages counts messages given up since a time.
	DeadMessages(ctx context.Context, since time.Time) (int64, error)
	// Rate is the known price of TON.
	Rate(ctx context.Context, now time.Time) (game.Rate, error)
	// HeldPayments are the largest payments that are held for an admin, and how many there are in all.
	HeldPayments(ctx context.Context, most int) (largest []models.HeldPayment, all int64, err error)
	// NewestHeld is when the last of them was seen that is no dust.
	NewestHeld(ctx context.Context) (time.Time, error)
	// ReturnedPayouts is how many payouts came back and are due again, and when the last of them did.
	ReturnedPayouts(ctx context.Context) (due int64, newest time.Time, err error)
	// StrayPayouts are the payouts for which TON left without settling them, as was seen after a given time.
	StrayPayouts(ctx context.Context, after time.Time) ([]models.StrayPayout, error)
	// DiskFree is how many bytes are free on the database's disk, where that is known.
	DiskFree() (bytes int64, known bool, err error)
}

// Limits of the alarms, see models.AlarmName for the units. (decision 0023: leader)
const (
	deadWithin  = time.Hour
	deadAllowed = 0
	diskLow     = 1024 // MiB
	diskWell    = 1280 // MiB, from which on the alarm ends
	mebibyte    = 1 << 20
)

// alarmed identifies an alarm by its subject.
type alarmed struct {
	name    models.AlarmName
	subject string
}

// watch checks everything that may be wrong, and reports what has changed.
func (t *term) watch(ctx context.Context) {
	if ctx.Err() != nil || t.held() != nil {
		return
	}
	if err := t.look(ctx); err != nil && ctx.Err() == nil {
		t.o.Log.WarnContext(ctx, "the alarms were not looked at", "error", err)
	}
}

func (t *term) look(ctx context.Context) error {
	raised, err := t.raised(ctx)
	if err != nil {
		return err
	}
	readings, trouble := t.readings(ctx, raised)
	for _, reading := range readings {
		at := alarmed{reading.Name, reading.Subject}
		t.o.Meter.Alarm(string(at.name), at.subject, reading.On, reading.Level, reading.Limit)
		if reading.On || raised[at] {
			if err := report(ctx, t.store, t.o, reading); err != nil {
				return err
			}
		}
		delete(raised, at)
	}
	if trouble != nil { // the alarm of what could not be read neither begins nor ends
		return trouble
	}
	return t.others(ctx, raised)
}

func (t *term) raised(ctx context.Context) (map[alarmed]bool, error) {
	readings, err := t.store.RaisedAlarms(ctx)
	raised := map[alarmed]bool{}
	for _, reading := range readings {
		raised[alarmed{reading.Name, reading.Subject}] = true
	}
	return raised, err
}

// others handles raised alarms that readings does not cover. Verify runs once a day, and wrong clocks are reported by their
// processes. What is no longer looked at ends: a job that was removed, a stray payout of more than a day ago, a disk that is not
// ours to see, and what selling coins needs where none are sold. An alarm of a newer version, not known here, is left to it.
func (t *term) others(ctx context.Context, raised map[alarmed]bool) error {
	for _, subject := range []string{eachNight, inRounds} {
		t.o.Meter.Alarm(string(models.AlarmVerifyFailed), subject, raised[alarmed{models.AlarmVerifyFailed, subject}], 0, 0)
	}
	t.o.Meter.Alarm(string(models.AlarmClockSkew), "", raised[alarmed{models.AlarmClockSkew, ""}], 0, 0)
	for at := range raised {
		switch at.name {
		case models.AlarmJobMissed, models.AlarmPayoutStray, models.AlarmDiskLow, models.AlarmChainBehind, models.AlarmPriceStale:
		default:
			continue
		}
		t.o.Meter.Alarm(string(at.name), at.subject, false, 0, 0)
		if err := report(ctx, t.store, t.o, models.AlarmReading{Name: at.name, Subject: at.subject}); err != nil {
			return err
		}
	}
	if !raised[alarmed{models.AlarmClockSkew, ""}] {
		return nil
	}
	_, err := t.store.EndSkew(ctx, t.o.Admins, t.o.Now())
	return err
}

// readings returns what can be found out now; what cannot is returned as trouble beside it.
func (t *term) readings(ctx context.Context, raised map[alarmed]bool) (readings []models.AlarmReading, trouble error) {
	now := t.o.Now()
	if dead, err := t.store.DeadMessages(ctx, now.Add(-deadWithin)); err != nil {
		trouble = errors.Join(trouble, err)
	} else {
		readings = append(readings, models.AlarmReading{Name: models.AlarmOutboxDead, On: dead > deadAllowed, Level: dead, Limit: deadAllowed})
	}
	if free, known, err := t.store.DiskFree(); err != nil {
		trouble = errors.Join(trouble, fmt.Errorf("look at the disk: %w", err))
	} else if known {
		readings = append(readings, lowDisk(free/mebibyte, raised[alarmed{models.AlarmDiskLow, ""}]))
	}
	selling, err := t.selling(ctx, now, raised)
	readings, trouble = append(readings, selling...), errors.Join(trouble, err)
	unsettled, err := t.unsettled(ctx, now)
	readings, trouble = append(readings, unsettled...), errors.Join(trouble, err)
	for _, s := range t.jobs {
		last, err := t.store.LastRun(ctx, s.name, s.newest(now))
		if err != nil {
			trouble = errors.Join(trouble, err)
			continue
		}
		if last.Job != "" {
			t.o.Meter.LastSuccess(s.name, last.DoneAt)
		}
		readings = append(readings, s.missed(last, t.since, now, raised[alarmed{models.AlarmJobMissed, s.name}]))
	}
	return readings, trouble
}

// lowDisk has hysteresis: raised below 1024 MiB, ended from 1280 MiB on.
func lowDisk(free int64, raised bool) models.AlarmReading {
	return models.AlarmReading{Name: models.AlarmDiskLow, On: free < diskLow || (raised && free < diskWell), Level: free, Limit: diskLow}
}

// missed begins only when a job is found late twice in a row: after a jump of the clock or a suspend of the machine every job is
// late until it has checked whether it is due. An alarm of the last leader ends when the job is done.
func (s *scheduledJob) missed(last models.JobRun, since, now time.Time, raised bool) models.AlarmReading {
	again := s.late || raised
	late := s.lateness(last, since, now)
	s.late = late > s.allowance() || (raised && last.Job == "")
	return models.AlarmReading{
		Name: models.AlarmJobMissed, Subject: s.name, On: s.late && again,
		Level: max(0, int64(late/time.Minute)), Limit: int64(s.allowance() / time.Minute),
	}
}

func report(ctx context.Context, store Alarms, o Options, reading models.AlarmReading) error {
	changed, err := store.ReportAlarm(ctx, reading, o.Admins, o.Now())
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

// How far the known history of the treasury may lag behind. The alarm would come and go with lite servers that are late now and
// then, if it ended before all is well.
const (
	chainAllowed = 2 * time.Minute
	chainWell    = chainAllowed / 2 // below which the alarm ends
)

// strayTold is how long admins are alerted that TON left for a payout and did not settle it.
const strayTold = 24 * time.Hour

// selling returns the readings of what selling coins needs; raised are the alarms that are on. Where the address of the treasury
// was removed, its history falls behind: payments and the ranks of tournaments wait for it, also where it was never read.
func (t *term) selling(ctx context.Context, now time.Time, raised map[alarmed]bool) (readings []models.AlarmReading, err error) {
	pinned, read, err := t.store.Treasury(ctx)
	if err != nil {
		return nil, err
	}
	sells := t.o.Sales.Treasury != ""
	awaited := sells || read
	if !awaited && pinned.Address != "" { // named, and the lite servers never answered: an order may be paid all the same
		if _, awaited, err = t.store.FirstOrder(ctx); err != nil {
			return nil, err
		}
	}
	older := func(name models.AlarmName, at time.Time, allowed time.Duration) models.AlarmReading {
		return t.older(name, at, allowed, now, raised[alarmed{name, ""}])
	}
	if awaited {
		behind := older(models.AlarmChainBehind, pinned.KnownUntil, chainAllowed)
		behind.On = behind.On || (raised[alarmed{models.AlarmChainBehind, ""}] && behind.Level >= int64(chainWell/time.Second))
		if !sells {
			behind.Detail = models.TreasuryUnset
		}
		readings = append(readings, behind)
	}
	if !sells {
		return readings, nil
	}
	rate, err := t.store.Rate(ctx, now)
	if err != nil {
		return readings, err
	}
	return append(readings, older(models.AlarmPriceStale, rate.At, game.PriceFresh)), nil
}

// unsettled returns the readings of money that waits for an admin, whether or not coins are sold now.
func (t *term) unsettled(ctx context.Context, now time.Time) (readings []models.AlarmReading, err error) {
	_, held, err := t.store.HeldPayments(ctx, 0)
	if err != nil {
		return nil, err
	}
	newest, err := t.store.NewestHeld(ctx)
	if err != nil {
		return nil, err
	}
	readings = append(readings, models.AlarmReading{Name: models.AlarmPaymentsHeld, On: held > 0, Level: held, Grew: newest})
	returned, newest, err := t.store.ReturnedPayouts(ctx)
	if err != nil {
		return readings, err
	}
	readings = append(readings, models.AlarmReading{Name: models.AlarmPayoutReturned, On: returned > 0, Level: returned, Grew: newest})
	strays, err := t.store.StrayPayouts(ctx, now.Add(-strayTold))
	for _, stray := range strays {
		readings = append(readings, models.AlarmReading{Name: models.AlarmPayoutStray, Subject: stray.Comment, On: true, Level: 1, Grew: stray.SeenAt})
	}
	return readings, err
}

// Of what a new leader finds old: it has not looked yet.
const (
	takeover  = time.Minute      // how long nobody may have looked between two leaders
	firstLook = 30 * time.Second // how long a leader has, before it raises what the last one had not raised
)

// older is the reading of an alarm on the age of something; the zero time means that it never happened. What was too old long
// before the leader's term counts from the term's start: nobody looked meanwhile. An alarm that the last leader raised ends only
// when something newer is seen.
func (t *term) older(name models.AlarmName, at time.Time, allowed time.Duration, now time.Time, raised bool) models.AlarmReading {
	unseen := raised && at.IsZero()
	if at.IsZero() || (!raised && t.since.Sub(at) > allowed+takeover) {
		at = t.since
	}
	age := now.Sub(at)
	on := age > allowed && (raised || now.Sub(t.since) > firstLook)
	return models.AlarmReading{Name: name, On: on || unseen, Level: max(0, int64(age/time.Second)), Limit: int64(allowed / time.Second)}
}
