package models

import "time"

// Chat is a person who wrote to the bot, a player or not yet one.
type Chat struct {
	TelegramID int64  `gorm:"primaryKey"`
	Language   string // chosen in the bot: en, ru, or empty while Telegram's language code counts
	StartCode  string // the last code of a start link; it counts when the player is created
	CreatedAt  time.Time
	BlockedAt  *time.Time // since when Telegram lets the bot write nothing to them; nil while it may
}
