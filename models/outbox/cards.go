package outbox

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// QueueCard queues a picture that a player has asked for, at most one a minute. It refuses with bot_blocked if the bot may not write
// to the player. tournament is the id of the one that is shown, of CardOfTournament.
func (s *Store) QueueCard(ctx context.Context, p models.Player, of string, tournament int64, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		chat, err := ChatOf(tx, p.TelegramID)
		if err != nil {
			return err
		}
		if chat.BlockedAt != nil {
			return game.Refuse(models.BotBlocked)
		}
		return Enqueue(tx, s.db.Dialect, now, models.Message{
			Key: fmt.Sprintf("card:%s:%d:%d", of, p.ID, db.Time(now).Unix()/60), ChatID: p.TelegramID, Kind: models.ShareCard, Urgency: models.UrgencyPersonal,
			Params: map[string]string{"of": of, "tournament": fmt.Sprint(tournament)},
		})
	})
}
