package outbox

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
)

// Limits of the outbox. (decision 0014)
const (
	messagePace      = 40 * time.Millisecond // 25 a second, all processes together
	chatPace         = time.Second           // one a second to a chat
	othersFirst      = 2 * time.Second       // how much longer a chat waits after Telegram's retry_after for it is over
	messageHold      = time.Minute           // how long a process may take to send one message
	messageIdle      = time.Second           // between two polls if nothing is due
	messageTries     = 8                     // within 11 hours
	messageRetention = 7 * 24 * time.Hour    // how long a finished message is stored
	messagesPassed   = 100                   // most unwanted messages that one poll skips
)

// LongestSilence is the longest retry_after of Telegram that is believed.
const LongestSilence = 24 * time.Hour

// plausibleSilence is how far in the future the end of a pause may lie and still be believed: the longest pause, stored by a
// process whose clock is ahead, read by one whose clock is behind, each by as much as is allowed.
const plausibleSilence = LongestSilence + 2*db.MaxSkew

// plausibleQuiet is the longest pause of a chat that is believed when nothing else forbids sending; a longer one was noted by a
// wrong clock.
const plausibleQuiet = messageHold + 2*db.MaxSkew

// TakeMessage hands out the message to be sent next and counts a try: the most urgent one that is due, for a chat to which none is
// being sent and none was sent within a second. Nobody is given it again for a minute, nor any other message for 40 ms. If there is
// none to send now, taken is nil and wait is how long to wait before the next call. Messages that nobody wants any more are ended
// as dead on the way, and reminders of what is closed put off. If there were any, wait is 0, since others may be behind them.
func (s *Store) TakeMessage(ctx context.Context, now time.Time) (taken *models.Message, wait time.Duration, err error) {
	now = db.Time(now)
	var passed passedOver
	err = s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
		taken, passed = nil, passedOver{}
		pace, err := lockPace(tx)
		if err != nil {
			return err
		}
		if err := deleteStalePause(tx, pace, now); err != nil {
			return err
		}
		if wait = sendDelay(pace, now); wait > 0 {
			return nil
		}
		if taken, passed, err = s.wantedMessage(tx, now); err != nil {
			return err
		}
		if taken != nil {
			return hold(tx, taken, now)
		}
		if len(passed.buried) == 0 && !passed.postponed {
			wait = messageIdle
		}
		return nil
	})
	if err != nil {
		return nil, messageIdle, err
	}
	for _, end := range passed.buried {
		s.db.Meter.Messages(end, 1)
	}
	return taken, wait, nil
}

// plausibleSlot is how far in the future the next slot may lie and still be believed: taken by a process whose clock is ahead, read
// by one whose clock is behind.
const plausibleSlot = messagePace + 2*db.MaxSkew

// sendDelay returns how long to send nothing. A slot that no allowed clock can have taken, or a pause of more than a day, is ignored.
// One that only a clock ahead can have taken is looked at again after the pace, since its owner may be gone.
func sendDelay(p models.OutboxPace, now time.Time) time.Duration {
	slot, silence := p.NextSlotAt.Sub(now), p.SilentUntil.Sub(now)
	if slot > plausibleSlot {
		slot = 0
	}
	if silence > LongestSilence {
		silence = 0
	}
	return max(min(slot, messagePace), silence, 0)
}

// deleteStalePause deletes a pause that is ignored, or it would be believed a day later.
func deleteStalePause(tx *gorm.DB, found models.OutboxPace, now time.Time) error {
	if found.SilentUntil.Sub(now) <= plausibleSilence {
		return nil
	}
	return db.Wrap(tx.Model(&models.OutboxPace{}).Where("TRUE").Update("silent_until", now).Error, "clear the pause")
}

// lockPace lets one process at a time choose what is sent next.
func lockPace(tx *gorm.DB) (models.OutboxPace, error) {
	found, err := db.One[models.OutboxPace](tx.Scopes(db.ForUpdate))
	return found, db.Wrap(err, "lock the outbox's pace")
}

// passedOver is what a poll for the next message skipped.
type passedOver struct {
	buried    []string // how those ended that nobody wants
	postponed bool     // whether reminders of what is closed were put off
}

// wantedMessage locks the next due message that is still wanted. On the way it ends the unwanted ones as dead. With a reminder of
// what is closed it puts off those behind it, and takes nothing: so many rows are enough for one transaction.
func (s *Store) wantedMessage(tx *gorm.DB, now time.Time) (m *models.Message, passed passedOver, err error) {
	for range messagesPassed {
		m, err := s.dueMessage(tx, now)
		if err != nil || m == nil {
			return nil, passed, err
		}
		end, cause, err := skipReason(tx, *m, now)
		if err != nil {
			return nil, passedOver{}, err
		}
		if end == "" {
			if passed.postponed, err = s.postponeClosed(tx, *m, now); err != nil || passed.postponed {
				return nil, passed, err
			}
			return m, passed, nil
		}
		if _, err := markDead(tx, *m, cause, now); err != nil {
			return nil, passedOver{}, err
		}
		passed.buried = append(passed.buried, end)
	}
	return nil, passed, nil
}

// dueMessage locks the most urgent due message of a chat that is not quiet; nil if there is none.
func (s *Store) dueMessage(tx *gorm.DB, now time.Time) (*models.Message, error) {
	for urgency := models.UrgencyAlarm; urgency <= models.UrgencyBulk; urgency++ { // a separate index scan for each
		var due []models.Message
		err := tx.Raw(`SELECT `+db.Columns[models.Message]("m")+` FROM outbox m WHERE state = 'queued' AND urgency = ? AND next_try_at <= ?
			AND NOT EXISTS (SELECT 1 FROM outbox other WHERE other.chat_id = m.chat_id AND other.quiet_until > ? AND other.quiet_until <= ?)
			ORDER BY next_try_at, id LIMIT 1`+s.db.Dialect.ForUpdateSkipLocked("m"), urgency, now, now, now.Add(plausibleQuiet)).Scan(&due).Error
		if err != nil {
			return nil, fmt.Errorf("find a due message: %w", err)
		}
		if len(due) > 0 {
			return &due[0], nil
		}
	}
	return nil, nil
}

// TooLate is why a reminder is not sent any more: its day is over, or its player was there.
const TooLate = "too late to remind"

// skipReason returns why a message is not to be sent, as an end and in words; both are empty if it is to be sent. It is called at the
// last moment: a player may have switched messages off since.
func skipReason(tx *gorm.DB, m models.Message, now time.Time) (end, cause string, err error) {
	if m.Tries >= messageTries {
		return db.EndGivenUp, "the process ended during the last try", nil
	}
	if m.BypassesOptOut() {
		return "", "", nil
	}
	var ends []string
	err = tx.Raw(`SELECT ? FROM broadcasts WHERE id = ? AND state = 'cancelled'
		UNION ALL SELECT ? FROM players WHERE telegram_id = ? AND (NOT notifications OR banned_at IS NOT NULL)
		UNION ALL SELECT ? FROM chats WHERE telegram_id = ? AND blocked_at IS NOT NULL`,
		db.EndCancelled, m.BroadcastID, db.EndUnwanted, m.ChatID, db.EndBlocked, m.ChatID).Scan(&ends).Error
	if err != nil {
		return "", "", fmt.Errorf("check whether message %d is wanted: %w", m.ID, err)
	}
	if len(ends) == 0 {
		late, err := isObsolete(tx, m, now)
		if late {
			end, cause = db.EndUnwanted, TooLate
		}
		return end, cause, err
	}
	return ends[0], ends[0], nil
}

// hold gives a message to one process and takes the slot.
func hold(tx *gorm.DB, m *models.Message, now time.Time) error {
	until := now.Add(messageHold)
	m.Tries, m.NextTryAt, m.QuietUntil = m.Tries+1, until, &until
	err := tx.Model(&models.Message{}).Where("id = ?", m.ID).Updates(map[string]any{"tries": m.Tries, "next_try_at": until, "quiet_until": until}).Error
	if err != nil {
		return fmt.Errorf("take message %d: %w", m.ID, err)
	}
	return db.Wrap(tx.Model(&models.OutboxPace{}).Where("TRUE").Update("next_slot_at", now.Add(messagePace)).Error, "take a slot")
}

// FinishMessage ends a message that Telegram has accepted, even if the hold on it has ended: it was sent, whatever was recorded
// meanwhile.
func (s *Store) FinishMessage(ctx context.Context, m models.Message, now time.Time) error {
	now = db.Time(now)
	return s.endMessage(ctx, db.EndSent, func(tx *gorm.DB) (changed bool, err error) {
		result := tx.Model(&models.Message{}).Where("id = ? AND state <> ?", m.ID, models.MessageSent).
			Updates(map[string]any{"state": models.MessageSent, "finished_at": now, "quiet_until": now.Add(chatPace), "last_error": ""})
		return result.RowsAffected > 0, db.Wrap(result.Error, "finish message %d", m.ID)
	})
}

// FailMessage postpones a taken message, longer each time; after its eighth try it is dead. It changes nothing if the hold has
// ended and another process has taken the message.
func (s *Store) FailMessage(ctx context.Context, m models.Message, cause string, now time.Time) (dead bool, err error) {
	if m.Tries >= messageTries {
		return true, s.endMessage(ctx, db.EndGivenUp, func(tx *gorm.DB) (bool, error) { return markDead(tx, m, cause, now) })
	}
	return false, s.db.InTx(ctx, func(tx *gorm.DB) error {
		return postpone(tx, m, m.Tries, now.Add(backoff(m.Tries)), now.Add(chatPace), cause)
	})
}

// backoff returns how long to wait after a failed try of a message or an update: 2 s after the first, then five times longer each time.
func backoff(tries int) time.Duration {
	wait := 2 * time.Second
	for range tries - 1 {
		wait *= 5
	}
	return wait
}

// RefuseMessage ends a taken message that Telegram will never accept. blocked means that it accepts none for this person: they get
// no more until they let the bot write again.
func (s *Store) RefuseMessage(ctx context.Context, m models.Message, blocked bool, cause string, now time.Time) error {
	end := db.EndRefused
	if blocked {
		end, cause = db.EndBlocked, db.EndBlocked // a person who unblocks the bot later was out of reach all the same
	}
	return s.endMessage(ctx, end, func(tx *gorm.DB) (bool, error) {
		if blocked {
			if err := block(tx, m.ChatID, now); err != nil {
				return false, err
			}
		}
		return markDead(tx, m, cause, now)
	})
}

// MissMessage ends a taken message like one to a person who blocked the bot, but does not mark their chat: they may be in reach.
func (s *Store) MissMessage(ctx context.Context, m models.Message, now time.Time) error {
	return s.endMessage(ctx, db.EndBlocked, func(tx *gorm.DB) (bool, error) { return markDead(tx, m, db.EndBlocked, now) })
}

// PostponeMessage pauses all sending until a moment, as Telegram asks, and gives a taken message back without counting the try. Its
// chat may be what was too much: afterwards others come first.
func (s *Store) PostponeMessage(ctx context.Context, m models.Message, until time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		if err := pauseSending(tx, until); err != nil {
			return err
		}
		return postpone(tx, m, m.Tries-1, until, until.Add(othersFirst), "Telegram asked for silence")
	})
}

// PauseSending keeps all processes from sending anything until a moment.
func (s *Store) PauseSending(ctx context.Context, until time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error { return pauseSending(tx, until) })
}

// PausedUntil returns when anything may be sent again; a moment long past if it may be now.
func (s *Store) PausedUntil(ctx context.Context) (time.Time, error) {
	found, err := db.One[models.OutboxPace](s.db.Read(ctx))
	return found.SilentUntil, db.WrapUnavailable(db.Wrap(err, "read the outbox's pace"))
}

func pauseSending(tx *gorm.DB, until time.Time) error {
	until = db.Time(until)
	wrong := until.Add(plausibleSilence)
	err := tx.Model(&models.OutboxPace{}).Where("silent_until < ? OR silent_until > ?", until, wrong).Update("silent_until", until).Error
	return db.Wrap(err, "pause sending")
}

// held selects a message while the process that took it still holds it.
func held(tx *gorm.DB, m models.Message) *gorm.DB {
	return tx.Model(&models.Message{}).Where("id = ? AND state = ? AND next_try_at = ?", m.ID, models.MessageQueued, m.NextTryAt)
}

// postpone queues a message that is still held for another try; nothing is sent to its chat until quiet.
func postpone(tx *gorm.DB, m models.Message, tries int, until, quiet time.Time, cause string) error {
	err := held(tx, m).Updates(map[string]any{
		"tries": tries, "next_try_at": db.Time(until), "quiet_until": db.Time(quiet), "last_error": db.TruncateError(cause),
	}).Error
	return db.Wrap(err, "postpone message %d", m.ID)
}

// markDead ends a message as dead, unless another process has taken it meanwhile.
func markDead(tx *gorm.DB, m models.Message, cause string, now time.Time) (buried bool, err error) {
	now = db.Time(now)
	var quiet *time.Time // a message that was never tried does not pause its chat
	if m.QuietUntil != nil {
		until := now.Add(chatPace)
		quiet = &until
	}
	result := held(tx, m).Updates(map[string]any{
		"state": models.MessageDead, "finished_at": now, "quiet_until": quiet, "last_error": db.TruncateError(cause),
	})
	return result.RowsAffected > 0, db.Wrap(result.Error, "mark message %d as dead", m.ID)
}

// endMessage runs fn, which ends a message, and counts the end once it is committed, if the message had not ended before.
func (s *Store) endMessage(ctx context.Context, end string, fn func(tx *gorm.DB) (ended bool, err error)) error {
	ended, err := db.Within(ctx, s.db, fn)
	if ended {
		s.db.Meter.Messages(end, 1)
	}
	return err
}

// QueuedMessages returns how many messages are not sent yet.
func (s *Store) QueuedMessages(ctx context.Context) (int64, error) {
	n, err := queuedMessages(s.db.Read(ctx))
	return n, db.WrapUnavailable(err)
}

func queuedMessages(tx *gorm.DB) (n int64, err error) {
	n, err = db.Count(tx.Model(&models.Message{}).Where("state = 'queued'"))
	return n, db.Wrap(err, "count the queued messages")
}

// ForgetMessages deletes messages, sent or dead, that ended more than seven days ago and returns how many: they hold people's
// names.
func (s *Store) ForgetMessages(ctx context.Context, now time.Time) (int64, error) {
	return s.db.Sweep(ctx, `DELETE FROM outbox WHERE id IN
		(SELECT id FROM outbox WHERE state <> 'queued' AND finished_at < ? LIMIT ?)`, now.UTC().Add(-messageRetention), db.SweepRows)
}

// Message finds a message by its key; ErrNotFound if it was never queued or was deleted.
func (s *Store) Message(ctx context.Context, key string) (models.Message, error) {
	message, err := db.One[models.Message](s.db.Read(ctx).Where("key = ?", key))
	return message, db.WrapUnavailable(err)
}
