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

// FanBroadcast queues the messages of a broadcast under way for its next 500 players, and stores its progress with them: it can be
// stopped at any moment and goes on from there. more is false if there is none that no other process is at, or if 10,000 of its
// messages wait for their first try: so few wait, however many players there are.
func (s *Store) FanBroadcast(ctx context.Context, now time.Time) (more bool, err error) {
	now = db.Time(now)
	return db.Within(ctx, s.db, func(tx *gorm.DB) (more bool, err error) {
		b, err := db.One[models.Broadcast](tx.Scopes(db.ForUpdateSkipLocked).Where("state = 'fanning'").Order("id"))
		if errors.Is(err, db.ErrNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		waiting, err := countUntried(tx, b.ID, s.broadcastAhead)
		if err != nil || waiting >= s.broadcastAhead {
			return false, err
		}
		return true, fanOut(tx, b, now)
	})
}

// countUntried counts a broadcast's messages that were never tried, up to most: those that are tried again are due later, perhaps in
// hours, and hold nobody else up.
func countUntried(tx *gorm.DB, id, most int64) (n int64, err error) {
	err = tx.Raw(untriedMessages, id, most).Scan(&n).Error
	return n, db.Wrap(err, "count what waits of broadcast %d", id)
}

// untriedMessages counts the queued messages of a broadcast that were not tried yet.
const untriedMessages = `SELECT COUNT(*) FROM (SELECT 1 FROM outbox
	WHERE state = 'queued' AND tries = 0 AND broadcast_id = ? LIMIT ?) waiting`

// fanOut queues the messages of one batch of players, without those who came after the broadcast began. They are due now, after what
// became due while the earlier ones were sent: a long broadcast lets the evening's reminders through.
func fanOut(tx *gorm.DB, b models.Broadcast, now time.Time) error {
	var batch []models.PlayerID
	err := tx.Model(&models.Player{}).Where("id > ?", b.Cursor).Order("id").Limit(broadcastBatch).Pluck("id", &batch).Error
	if err != nil {
		return fmt.Errorf("find the next players of broadcast %d: %w", b.ID, err)
	}
	if len(batch) == 0 {
		err := tx.Model(&models.Broadcast{}).Where("id = ?", b.ID).Updates(map[string]any{"state": models.BroadcastDone, "ended_at": now}).Error
		return db.Wrap(err, "end broadcast %d", b.ID)
	}
	last := batch[len(batch)-1]
	queued := tx.Exec(`INSERT INTO outbox
			(key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, last_error, broadcast_id)
		SELECT 'broadcast:' || b.id || ':' || p.id, p.telegram_id, ?, '{}', ?, 'queued', 0, ?, b.started_at, '', b.id
		FROM broadcasts b, (SELECT p.id, p.telegram_id FROM players p LEFT JOIN chats c ON c.telegram_id = p.telegram_id
			WHERE `+inAudience+` AND p.id > ? AND p.id <= ? AND p.created_at <= ?) p WHERE b.id = ?
		ORDER BY p.id ON CONFLICT (key) DO NOTHING`, models.BroadcastCopy, models.UrgencyBulk, now, b.Cursor, last, b.StartedAt, b.ID)
	if queued.Error != nil {
		return fmt.Errorf("queue broadcast %d up to player %d: %w", b.ID, last, queued.Error)
	}
	err = tx.Exec("UPDATE broadcasts SET cursor = ?, queued = queued + ? WHERE id = ?", last, queued.RowsAffected, b.ID).Error
	return db.Wrap(err, "move broadcast %d on to player %d", b.ID, last)
}
