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

// RememberStart stores the code of a start link until the player is created. Once the player exists a code changes nothing.
func (s *Store) RememberStart(ctx context.Context, telegramID int64, code string, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		return saveChat(tx, models.Chat{TelegramID: telegramID, StartCode: code, CreatedAt: now}, "start_code")
	})
}

// ChooseLanguage sets the language, en or ru, of the bot's answers and, for a player, of the game.
func (s *Store) ChooseLanguage(ctx context.Context, telegramID int64, language string, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		// The player first, as in erase: two transactions that lock the same rows in different order would wait for each other.
		err := tx.Model(&models.Player{}).Where("telegram_id = ?", telegramID).Updates(map[string]any{"language": language, "revision": gorm.Expr("revision + 1")}).Error
		if err != nil {
			return fmt.Errorf("set language of Telegram %d: %w", telegramID, err)
		}
		return saveChat(tx, models.Chat{TelegramID: telegramID, Language: language, CreatedAt: now}, "language")
	})
}

// LanguageOf returns the language a person reads: the player's, else the one chosen in the bot,
// else what Telegram's code suggests.
func (s *Store) LanguageOf(ctx context.Context, telegramID int64, telegrams string) (string, error) {
	view := s.db.Read(ctx)
	var players []string
	if err := view.Model(&models.Player{}).Where("telegram_id = ?", telegramID).Pluck("language", &players).Error; err != nil {
		return "", db.WrapUnavailable(fmt.Errorf("read language: %w", err))
	}
	if len(players) > 0 {
		return players[0], nil
	}
	chat, err := ChatOf(view, telegramID)
	if err != nil {
		return "", db.WrapUnavailable(err)
	}
	return models.LanguageOf(chat.Language, telegrams), nil
}

// SetReach stores whether the bot may write to a person: they blocked it, or wrote to it again.
func (s *Store) SetReach(ctx context.Context, telegramID int64, reachable bool, now time.Time) error {
	if reachable {
		return s.Unblock(ctx, telegramID, now)
	}
	return s.db.InTx(ctx, func(tx *gorm.DB) error { return block(tx, telegramID, now) })
}

// block marks a person to whom the bot may not write, even if they never wrote to it.
func block(tx *gorm.DB, telegramID int64, now time.Time) error {
	now = db.Time(now)
	return saveChat(tx, models.Chat{TelegramID: telegramID, CreatedAt: now, BlockedAt: &now}, "blocked_at")
}

// Unblock removes the mark of block if it was set before a moment. Mostly there is none: then it only reads.
func (s *Store) Unblock(ctx context.Context, telegramID int64, before time.Time) error {
	before = db.Time(before)
	const marked = "telegram_id = ? AND blocked_at <= ?"
	blocked, err := db.Count(s.db.Read(ctx).Model(&models.Chat{}).Where(marked, telegramID, before))
	if err != nil || blocked == 0 {
		return db.WrapUnavailable(err)
	}
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		err := tx.Model(&models.Chat{}).Where(marked, telegramID, before).Update("blocked_at", nil).Error
		return db.Wrap(err, "unmark chat %d", telegramID)
	})
}

// saveChat inserts a chat, or replaces one column of a known one.
func saveChat(tx *gorm.DB, chat models.Chat, column string) error {
	err := tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "telegram_id"}},
		DoUpdates: clause.AssignmentColumns([]string{column}),
	}).Create(&chat).Error
	return db.Wrap(err, "save chat %d", chat.TelegramID)
}

// ChatOf reads a chat; an unknown one is empty.
func ChatOf(tx *gorm.DB, telegramID int64) (models.Chat, error) {
	chat, err := db.One[models.Chat](tx.Where("telegram_id = ?", telegramID))
	if errors.Is(err, db.ErrNotFound) {
		return models.Chat{TelegramID: telegramID}, nil
	}
	return chat, db.Wrap(err, "read chat %d", telegramID)
}
