package audit

import (
	"time"

	"gorm.io/gorm"

	"mcbk/models"
)

// findUnfinishedAnswers lists players with an answer that was committed before it was known.
func findUnfinishedAnswers(tx *gorm.DB, s idRange, _ time.Time) ([]models.PlayerID, error) {
	return playerIDs(tx, `SELECT DISTINCT player_id FROM idempotency_keys
		WHERE player_id > ? AND player_id <= ? AND status = 0 ORDER BY player_id LIMIT ?`, s.after, s.upTo)
}
