package audit

import (
	"time"

	"gorm.io/gorm"

	"mcbk/models"
)

// oddAnswers lists players with an answer that was committed before it was known.
func oddAnswers(tx *gorm.DB, s span, _ time.Time) ([]models.PlayerID, error) {
	var odd []models.PlayerID
	err := tx.Raw(`SELECT DISTINCT player_id FROM idempotency_keys
		WHERE player_id > ? AND player_id <= ? AND status = 0 ORDER BY player_id LIMIT ?`, s.after, s.upTo, mostListed).Scan(&odd).Error
	return odd, err
}
