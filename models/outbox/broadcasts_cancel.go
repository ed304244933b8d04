package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
)

// DropCancelled marks as dead up to 5,000 messages that cancelled broadcasts have left in the queue. more is false if none may be
// left, or another process is doing it.
func (s *Store) DropCancelled(ctx context.Context, now time.Time) (more bool, err error) {
	var dead int64
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		buried := tx.Exec(`WITH cancelled AS MATERIALIZED (
				SELECT m.id FROM broadcasts b JOIN outbox m ON m.broadcast_id = b.id AND m.state = 'queued'
				WHERE b.state = 'cancelled' LIMIT ?`+s.db.Dialect.ForUpdateSkipLocked("m")+`)
			UPDATE outbox SET state = 'dead', finished_at = ?, last_error = ? WHERE id IN (SELECT id FROM cancelled)`,
			db.SweepRows, db.Time(now), db.EndCancelled)
		dead = buried.RowsAffected
		return db.Wrap(buried.Error, "mark messages of cancelled broadcasts as dead")
	})
	if err != nil {
		return false, err
	}
	s.db.Meter.Messages(db.EndCancelled, int(dead))
	return dead == db.SweepRows, nil
}

// cancelBroadcast cancels a broadcast: nothing more of it is queued, and DropCancelled ends what is queued. It refuses with
// ErrNotFound, and with ErrBroadcastState if there is nothing to stop: it was not started, was cancelled before, or all of its
// messages have ended.
func (s *Store) cancelBroadcast(tx *gorm.DB, id int64, now time.Time) error {
	b, err := s.lockBroadcast(tx, id)
	if err != nil {
		return err
	}
	going, err := isUnderWay(tx, b)
	if err != nil {
		return err
	}
	if !going {
		return ErrBroadcastState
	}
	err = tx.Model(&models.Broadcast{}).Where("id = ?", id).Updates(map[string]any{"state": models.BroadcastCancelled, "ended_at": now}).Error
	return db.Wrap(err, "cancel broadcast %d", id)
}

// AbandonBroadcast stops the broadcast of a taken message because Telegram no longer has what it
// copies, and tells each admin (Telegram ids) once. The message ends as refused.
func (s *Store) AbandonBroadcast(ctx context.Context, m models.Message, cause string, admins []int64, now time.Time) error {
	if m.BroadcastID == nil {
		return fmt.Errorf("message %d is of no broadcast: %w", m.ID, db.ErrNotFound)
	}
	id, now := *m.BroadcastID, db.Time(now)
	return s.endMessage(ctx, db.EndRefused, func(tx *gorm.DB) (bool, error) {
		switch err := s.cancelBroadcast(tx, id, now); {
		case err == nil:
			text := fmt.Sprintf("Broadcast %d is stopped: Telegram no longer finds the message that it copies.", id)
			if err := s.noticeAdmins(tx, fmt.Sprintf("broadcast %d abandoned", id), text, models.UrgencyPersonal, admins, now); err != nil {
				return false, err
			}
		case !errors.Is(err, ErrBroadcastState): // else it was stopped a moment ago
			return false, err
		}
		return markDead(tx, m, cause, now)
	})
}

// isUnderWay reports whether messages of the broadcast are still to be queued or sent.
func isUnderWay(tx *gorm.DB, b models.Broadcast) (going bool, err error) {
	if b.State != models.BroadcastDone {
		return b.State == models.BroadcastFanning, nil
	}
	err = tx.Raw("SELECT EXISTS (SELECT 1 FROM outbox WHERE broadcast_id = ? AND state = 'queued')", b.ID).Scan(&going).Error
	return going, db.Wrap(err, "check for queued messages of broadcast %d", b.ID)
}
