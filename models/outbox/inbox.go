package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"mcbk/models"
	"mcbk/models/db"
)

// ErrInboxFull means that so many updates are waiting that no more are accepted; Telegram keeps them.
var ErrInboxFull = errors.New("the inbox is full")

// Limits of the inbox. (decision 0004: limits)
const (
	inboxBacklog   = 50_000             // waiting updates
	inboxOfChat    = 200                // of one person's chat: it is answered one a second, and the rest would keep others out
	inboxHold      = time.Minute        // how long a process may work on an update
	inboxRetention = 7 * 24 * time.Hour // how long a finished update is stored
	inboxTries     = 5
	inboxBurst     = 5  // from this many waiting updates of a chat on, they are answered a second apart
	inboxRows      = 50 // rows of one INSERT; SQLite's driver searches all values for each
)

// ReceiveUpdates stores updates until they are finished and returns how many are new; known ones change nothing. What a person sends
// while 200 of theirs wait is never answered. If more than 50,000 would wait it stores none: ErrInboxFull.
func (s *Store) ReceiveUpdates(ctx context.Context, updates []models.BotUpdate, now time.Time) (fresh int, err error) {
	if len(updates) == 0 {
		return 0, nil
	}
	now = db.Time(now)
	rows := db.MapSlice(updates, func(u models.BotUpdate) models.BotUpdate {
		return models.BotUpdate{UpdateID: u.UpdateID, ChatID: u.ChatID, Body: u.Body, State: models.UpdateWaiting, NextTryAt: now, ReceivedAt: now}
	})
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		fresh = 0
		created := tx.Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&rows, inboxRows)
		if created.Error != nil {
			return fmt.Errorf("store %d updates from %d: %w", len(rows), rows[0].UpdateID, created.Error)
		}
		if created.RowsAffected == 0 {
			return nil
		}
		if err := markUnanswered(tx, rows, now); err != nil {
			return err
		}
		waiting, err := db.Count(tx.Model(&models.BotUpdate{}).Where("state = 'waiting'"))
		if err != nil {
			return fmt.Errorf("count waiting updates: %w", err)
		}
		if waiting > s.inboxBacklog {
			return ErrInboxFull
		}
		fresh = int(created.RowsAffected)
		return nil
	})
	return fresh, err
}

// markUnanswered ends those of some updates that too many of the same person's wait before.
func markUnanswered(tx *gorm.DB, updates []models.BotUpdate, now time.Time) error {
	ids := db.MapSlice(updates, func(u models.BotUpdate) int64 { return u.UpdateID })
	err := tx.Exec(`UPDATE bot_updates SET state = 'done', finished_at = ?, body = ? WHERE update_id IN ? AND state = 'waiting' AND chat_id > 0
		AND (SELECT COUNT(*) FROM (SELECT 1 FROM bot_updates earlier WHERE earlier.state = 'waiting' AND earlier.chat_id = bot_updates.chat_id
			AND earlier.update_id < bot_updates.update_id LIMIT ?) AS many) = ?`, now, []byte{}, ids, inboxOfChat, inboxOfChat).Error
	return db.Wrap(err, "drop updates from %d", ids[0])
}

// TakeUpdate hands out the next due update, the lowest number first, and counts a try; nil if none is due. Nobody else is given it
// for a minute. An update never overtakes a waiting one of its own chat; other chats do not wait for it.
func (s *Store) TakeUpdate(ctx context.Context, now time.Time) (*models.BotUpdate, error) {
	now = db.Time(now)
	var taken *models.BotUpdate
	err := s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
		if taken, err = s.dueUpdate(tx, now); err != nil || taken == nil {
			return err
		}
		taken.Tries, taken.NextTryAt = taken.Tries+1, now.Add(inboxHold)
		err = tx.Model(&models.BotUpdate{}).Where("update_id = ?", taken.UpdateID).
			Updates(map[string]any{"tries": taken.Tries, "next_try_at": taken.NextTryAt}).Error
		return db.Wrap(err, "take update %d", taken.UpdateID)
	})
	return taken, err
}

// dueUpdate locks the next due update. On the way it ends as dead those whose last try was never finished, because the process
// died.
func (s *Store) dueUpdate(tx *gorm.DB, now time.Time) (*models.BotUpdate, error) {
	for {
		var due []models.BotUpdate
		err := tx.Raw(`SELECT `+db.Columns[models.BotUpdate]("u")+` FROM bot_updates u WHERE state = 'waiting' AND next_try_at <= ?
			AND (chat_id = 0 OR NOT EXISTS (SELECT 1 FROM bot_updates earlier
				WHERE earlier.state = 'waiting' AND earlier.chat_id = u.chat_id AND earlier.update_id < u.update_id))
			ORDER BY update_id LIMIT 1`+s.db.Dialect.ForUpdateSkipLocked("u"), now).Scan(&due).Error
		if err != nil {
			return nil, fmt.Errorf("find a due update: %w", err)
		}
		if len(due) == 0 {
			return nil, nil
		}
		if due[0].Tries < inboxTries {
			return &due[0], nil
		}
		if err := markUpdateDead(tx, due[0], "the process ended during the last try", now); err != nil {
			return nil, err
		}
	}
}

// FinishUpdate ends an update that was answered, or needs no answer. If it has ended already nothing changes. If many wait in a
// person's chat, the next is answered a second later: Telegram takes no more for long, and would ask for silence towards everybody.
func (s *Store) FinishUpdate(ctx context.Context, u models.BotUpdate, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		err := tx.Model(&models.BotUpdate{}).Where("update_id = ? AND state = ?", u.UpdateID, models.UpdateWaiting).
			Updates(map[string]any{"state": models.UpdateDone, "finished_at": now.UTC(), "body": []byte{}}).Error
		if err != nil {
			return fmt.Errorf("finish update %d: %w", u.UpdateID, err)
		}
		later := db.Time(now).Add(chatPace)
		err = tx.Exec(`UPDATE bot_updates SET next_try_at = ? WHERE next_try_at < ?
			AND update_id = (SELECT MIN(update_id) FROM bot_updates WHERE state = 'waiting' AND chat_id = ? AND chat_id > 0)
			AND (SELECT COUNT(*) FROM (SELECT 1 FROM bot_updates WHERE state = 'waiting' AND chat_id = ? LIMIT ?) AS many) = ?`,
			later, later, u.ChatID, u.ChatID, inboxBurst, inboxBurst).Error
		return db.Wrap(err, "pace chat %d", u.ChatID)
	})
}

// FailUpdate postpones a taken update, longer each time; after its fifth try it is dead and the queue moves on. It changes nothing
// if the hold has ended and another process has taken the update.
func (s *Store) FailUpdate(ctx context.Context, u models.BotUpdate, cause string, now time.Time) (dead bool, err error) {
	now = db.Time(now)
	dead = u.Tries >= inboxTries
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		if dead {
			return markUpdateDead(tx, u, cause, now)
		}
		err := taken(tx, u).Updates(map[string]any{"next_try_at": now.Add(backoff(u.Tries)), "last_error": db.TruncateError(cause)}).Error
		return db.Wrap(err, "postpone update %d", u.UpdateID)
	})
	return dead, err
}

// taken selects an update while the process that took it still holds it.
func taken(tx *gorm.DB, u models.BotUpdate) *gorm.DB {
	return tx.Model(&models.BotUpdate{}).Where("update_id = ? AND state = ? AND next_try_at = ?", u.UpdateID, models.UpdateWaiting, u.NextTryAt)
}

func markUpdateDead(tx *gorm.DB, u models.BotUpdate, cause string, now time.Time) error {
	err := taken(tx, u).Updates(map[string]any{"state": models.UpdateDead, "finished_at": now, "last_error": db.TruncateError(cause)}).Error
	return db.Wrap(err, "mark update %d as dead", u.UpdateID)
}

// PostponeUpdate gives a taken update back until a moment and does not count the try: Telegram's rate limit stopped it.
func (s *Store) PostponeUpdate(ctx context.Context, u models.BotUpdate, until time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		err := taken(tx, u).Updates(map[string]any{"next_try_at": db.Time(until), "tries": gorm.Expr("tries - 1")}).Error
		return db.Wrap(err, "postpone update %d", u.UpdateID)
	})
}

// ForgetUpdates deletes updates, done or dead, that ended more than seven days ago and returns how many: the dead hold what people
// wrote.
func (s *Store) ForgetUpdates(ctx context.Context, now time.Time) (int64, error) {
	return s.db.Sweep(ctx, `DELETE FROM bot_updates WHERE update_id IN
		(SELECT update_id FROM bot_updates WHERE state <> 'waiting' AND finished_at < ? LIMIT ?)`, now.UTC().Add(-inboxRetention), db.SweepRows)
}

// BotUpdate finds an update; ErrNotFound if it never came or was deleted.
func (s *Store) BotUpdate(ctx context.Context, updateID int64) (models.BotUpdate, error) {
	update, err := db.One[models.BotUpdate](s.db.Read(ctx).Where("update_id = ?", updateID))
	return update, db.WrapUnavailable(err)
}
