package alarms

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/outbox"
)

// VerifyEachNight is the subject of AlarmVerifyFailed for invariants that are checked in full every night. Without a subject the
// alarm is about those that one round over all players checks, which may take several nights.
const VerifyEachNight = "each night"

// TreasuryUnset is the detail of AlarmChainBehind where the treasury's address was removed and payments may wait. The log has it in
// these words, an admin reads others.
const TreasuryUnset = "TREASURY_ADDRESS is empty: until it is set again no payment is read, and no tournament that has ended is paid."

// MessageAlarm tells an admin that an alarm was raised or has ended. Its params are alarm (the
// name), event ("raised" or "ended"), subject, level, limit and detail; all but the first two
// may be empty.
const MessageAlarm models.MessageKind = "alarm"

// AlarmReading is the state of an alarm as found at a moment.
type AlarmReading struct {
	Name    models.AlarmName
	Subject string    // which one, where there are several
	On      bool      // the level is beyond the limit
	Level   int64     // in the alarm's unit
	Limit   int64     // the level from which the alarm is on
	Detail  string    // what else is known
	Grew    time.Time // UTC: when more of it was found; zero if unknown
}

// alarmAgain is how long after an alarm another is raised because more of it was found.
const alarmAgain = time.Hour

// ReportAlarm raises the alarm if the reading is on and it is not raised, and ends it if the reading is off and it is. Either is
// queued for every admin (Telegram ids) in the same transaction. An alarm that grew since it was raised is raised again, at most once
// an hour. It reports whether the admins get a message.
func (s *Store) ReportAlarm(ctx context.Context, reading AlarmReading, admins []int64, now time.Time) (changed bool, err error) {
	return db.Within(ctx, s.db, func(tx *gorm.DB) (bool, error) { return s.reportAlarm(tx, reading, admins, now) })
}

func (s *Store) reportAlarm(tx *gorm.DB, reading AlarmReading, admins []int64, now time.Time) (changed bool, err error) {
	now = db.Time(now)
	if !reading.On {
		return s.endAlarm(tx, reading, time.Time{}, admins, now)
	}
	open, err := openAlarm(tx, reading)
	if err != nil {
		return false, err
	}
	if open.ID != 0 {
		again := reading.Grew.After(open.RaisedAt) && !now.Before(open.RaisedAt.Add(alarmAgain))
		change := "seen_at"
		if again {
			change = "cleared_at"
		}
		if err := tx.Model(&models.Alarm{}).Where("id = ?", open.ID).Update(change, now).Error; err != nil {
			return false, fmt.Errorf("update alarm %s %s: %w", reading.Name, reading.Subject, err)
		}
		if !again {
			return false, nil
		}
	}
	raised := tx.Scopes(db.OrIgnore).Create(&models.Alarm{Name: reading.Name, Subject: reading.Subject, Detail: reading.Detail, RaisedAt: now, SeenAt: now})
	if raised.Error != nil {
		return false, fmt.Errorf("raise %s %s: %w", reading.Name, reading.Subject, raised.Error)
	}
	if raised.RowsAffected == 0 { // somebody else just did
		return false, nil
	}
	if open, err = openAlarm(tx, reading); err != nil {
		return false, err
	}
	if err := takeBack(tx, reading, now); err != nil {
		return false, err
	}
	return true, outbox.Enqueue(tx, s.db.Dialect, now, alarmMessages(reading, fmt.Sprint(open.ID), "raised", admins)...)
}

// endAlarm ends an open alarm unless it was seen after seenBy; a zero seenBy ends it in any case.
func (s *Store) endAlarm(tx *gorm.DB, reading AlarmReading, seenBy time.Time, admins []int64, now time.Time) (ended bool, err error) {
	open, err := openAlarm(tx, reading)
	if err != nil || open.ID == 0 || (!seenBy.IsZero() && open.SeenAt.After(seenBy)) {
		return false, err
	}
	cleared := tx.Model(&models.Alarm{}).Where("id = ? AND cleared_at IS NULL", open.ID).Update("cleared_at", now)
	if cleared.Error != nil {
		return false, fmt.Errorf("end %s %s: %w", reading.Name, reading.Subject, cleared.Error)
	}
	if cleared.RowsAffected == 0 { // somebody else did
		return false, nil
	}
	if err := takeBack(tx, reading, now); err != nil {
		return false, err
	}
	return true, outbox.Enqueue(tx, s.db.Dialect, now, alarmMessages(reading, fmt.Sprint(open.ID, ".ended"), "ended", admins)...)
}

// takeBack ends the messages about an alarm that wait for a retry, or they might arrive after the next message about it.
func takeBack(tx *gorm.DB, reading AlarmReading, now time.Time) error {
	err := tx.Exec(`UPDATE outbox SET state = 'dead', finished_at = ?, last_error = ? WHERE state = 'queued' AND urgency = ? AND (tries > 0 OR last_error <> '')
		AND EXISTS (SELECT 1 FROM alarms a WHERE a.name = ? AND a.subject = ? AND (outbox.key LIKE 'alarm:' || a.name || ':' || CAST(a.id AS TEXT) || ':%'
			OR outbox.key LIKE 'alarm:' || a.name || ':' || CAST(a.id AS TEXT) || '.ended:%'))`,
		now, db.EndCancelled, models.UrgencyAlarm, reading.Name, reading.Subject).Error
	return db.Wrap(err, "cancel messages of %s", reading.Name)
}

// openAlarm locks an alarm that is raised; its ID is 0 if it is not.
func openAlarm(tx *gorm.DB, reading AlarmReading) (models.Alarm, error) {
	open, err := db.One[models.Alarm](tx.Scopes(db.ForUpdate).Where("name = ? AND subject = ? AND cleared_at IS NULL", reading.Name, reading.Subject))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return models.Alarm{}, fmt.Errorf("read alarm %s %s: %w", reading.Name, reading.Subject, err)
	}
	return open, nil
}

func alarmMessages(reading AlarmReading, which, event string, admins []int64) []models.Message {
	return db.MapSlice(admins, func(admin int64) models.Message {
		return models.Message{
			Key: fmt.Sprintf("alarm:%s:%s:%d", reading.Name, which, admin), ChatID: admin, Kind: MessageAlarm, Urgency: models.UrgencyAlarm,
			Params: map[string]string{
				"alarm": string(reading.Name), "event": event, "subject": reading.Subject, "detail": reading.Detail,
				"level": strconv.FormatInt(reading.Level, 10), "limit": strconv.FormatInt(reading.Limit, 10),
			},
		}
	})
}

// skewEnds is how long no process must have reported a wrong clock for the alarm to end; each process compares its clock more often
// than that.
const skewEnds = time.Minute

// ReportSkew raises clock_skew if the clock of this process is off by more than 30 s. Such a process may write nothing else; ahead
// corrects its now. EndSkew ends the alarm.
func (s *Store) ReportSkew(ctx context.Context, ahead time.Duration, admins []int64, now time.Time) (changed bool, err error) {
	if ahead.Abs() <= db.MaxSkew {
		return false, nil
	}
	reading := skewReading(ahead)
	reading.On = true
	err = s.db.InTxAnyClock(ctx, func(tx *gorm.DB) error {
		var err error
		changed, err = s.reportAlarm(tx, reading, admins, now.Add(-ahead))
		return err
	})
	return changed, err
}

// EndSkew ends clock_skew if no process has reported it for a minute.
func (s *Store) EndSkew(ctx context.Context, admins []int64, now time.Time) (changed bool, err error) {
	now = db.Time(now)
	return db.Within(ctx, s.db, func(tx *gorm.DB) (bool, error) {
		return s.endAlarm(tx, skewReading(0), now.Add(-skewEnds), admins, now)
	})
}

func skewReading(ahead time.Duration) AlarmReading {
	return AlarmReading{Name: models.AlarmClockSkew, Level: int64(ahead.Abs() / time.Second), Limit: int64(db.MaxSkew / time.Second)}
}

// RaisedAlarms returns the alarms that have not ended, by name and subject.
func (s *Store) RaisedAlarms(ctx context.Context) ([]AlarmReading, error) {
	var raised []models.Alarm
	if err := s.db.Committed(ctx).Where("cleared_at IS NULL").Order("name, subject").Find(&raised).Error; err != nil {
		return nil, db.WrapUnavailable(fmt.Errorf("read the raised alarms: %w", err))
	}
	return db.MapSlice(raised, func(a models.Alarm) AlarmReading {
		return AlarmReading{Name: a.Name, Subject: a.Subject, Detail: a.Detail, On: true}
	}), nil
}

// DeadMessages counts messages that were given up since a time, except those to people who do not let the bot write, or want none,
// and reminders of what is over. Messages about alarms do not count, or one alarm would cause the next.
func (s *Store) DeadMessages(ctx context.Context, since time.Time) (dead int64, err error) {
	// "<> 'queued'" is written as in the index, which is used only so.
	err = s.db.Committed(ctx).Raw(`SELECT COUNT(*) FROM outbox WHERE state <> 'queued' AND state = 'dead' AND finished_at > ?
		AND kind <> ? AND last_error NOT IN ?`,
		since.UTC(), MessageAlarm, []string{db.EndBlocked, db.EndUnwanted, db.EndCancelled, outbox.TooLate}).Scan(&dead).Error
	return dead, db.WrapUnavailable(db.Wrap(err, "count dead messages"))
}
