package ads

import (
	"fmt"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
)

// PaidOn counts a player's ads whose tickets were opened on a UTC day and paid.
func PaidOn(tx *gorm.DB, id models.PlayerID, day game.Day) (map[models.AdPurpose]int, error) {
	var rows []struct {
		Purpose models.AdPurpose
		Paid    int
	}
	// The index is by opening; the day of a ticket is that of its opening.
	err := tx.Raw(`SELECT purpose, COUNT(*) AS paid FROM ad_tickets
		WHERE player_id = ? AND opened_at >= ? AND opened_at < ? AND paid GROUP BY purpose`, id, day.Start(), (day + 1).Start()).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("count the ads of player %d: %w", id, err)
	}
	paid := map[models.AdPurpose]int{}
	for _, row := range rows {
		paid[row.Purpose] = row.Paid
	}
	return paid, nil
}

// earnLoyalty notes in the locked row of a player that the ads of a day have earned its loyalty bonus. (decision 0029: the wheel)
func earnLoyalty(tx *gorm.DB, p *models.Player, day game.Day) error {
	if day <= p.Loyalty.Day {
		return nil
	}
	paid, err := PaidOn(tx, p.ID, day)
	if err != nil || paid[models.AdSpin] < game.AdSpinsADay || paid[models.AdDaily] == 0 || paid[models.AdPrediction] == 0 {
		return err
	}
	p.Loyalty = game.Loyalty{Day: day}
	return nil
}
