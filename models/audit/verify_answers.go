package audit

import (
	"time"

	"gorm.io/gorm"

	"mcbk/models"
)

// findUnfinishedAnswers lists players with an answer that was committed before it was known.
func findUnfinishedAnswers(tx *gorm.DB, s idRange, _ time.Time) ([]models.PlayerID, error) {
	var invalid []models.PlayerID
	err := tx.Raw(`SELECT DISTINCT player_id FROM idempotency_keys
		WHERE player_id > ? AND player_id <= ? AND status = 0 ORDER BY player_id LIMIT ?`, s.after, s.upTo, mostListed).Scan(&invalid).Error
	return invalid, err
}
