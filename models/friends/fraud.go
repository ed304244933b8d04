package friends

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
)

// SaveOrigin stores a new player's origin, for comparison. (threat 32: friends who are one person)
func SaveOrigin(tx *gorm.DB, id models.PlayerID, origin string) error {
	if origin == "" {
		return nil
	}
	return db.Wrap(tx.Create(&models.Origin{PlayerID: id, Hash: origin}).Error, "store the origin of player %d", id)
}

// InviteReport is what admins see of the friends a player invited.
type InviteReport struct {
	Count     map[models.FriendState]int64
	Suspected []Suspect // some of the friends who share something, newest first
	Shared    int64     // how many friends share something
}

// Suspect is a friend who shares something with the inviter or another friend of theirs. Families and mobile networks share
// addresses too: people must judge.
type Suspect struct {
	InvitedFriend `gorm:"embedded"`
	SharesAddress bool // first came from the same network address
	SharesWallet  bool // is connected to the same wallet now
}

// InviteReport counts a player's friends by state and lists, up to a limit, those who may be the same person.
func (s *Store) InviteReport(ctx context.Context, inviter models.PlayerID, most int) (InviteReport, error) {
	view := s.db.Read(ctx)
	var counts []struct {
		State models.FriendState
		Count int64
	}
	if err := view.Model(&models.Friend{}).Select("state, COUNT(*) AS count").Where("inviter_id = ?", inviter).Group("state").Scan(&counts).Error; err != nil {
		return InviteReport{}, db.WrapUnavailable(fmt.Errorf("count the friends of player %d: %w", inviter, err))
	}
	report := InviteReport{Count: map[models.FriendState]int64{}}
	for _, c := range counts {
		report.Count[c.State] = c.Count
	}
	var rows []struct {
		Suspect `gorm:"embedded"`
		Shared  int64
	}
	err := view.Raw(`WITH circle AS (
			SELECT p.id, p.wallet, o.mark FROM players p LEFT JOIN origins o ON o.player_id = p.id
			WHERE p.id = ? OR p.id IN (SELECT player_id FROM friends WHERE inviter_id = ?)),
		marks AS (SELECT mark FROM circle WHERE mark IS NOT NULL GROUP BY mark HAVING COUNT(*) > 1),
		wallets AS (SELECT wallet FROM circle WHERE wallet IS NOT NULL GROUP BY wallet HAVING COUNT(*) > 1)
		SELECT f.player_id, f.inviter_id, f.state, p.first_name, p.username, p.photo_url, p.visits_total AS days,
			m.mark IS NOT NULL AS shares_address, w.wallet IS NOT NULL AS shares_wallet, COUNT(*) OVER () AS shared
		FROM friends f JOIN players p ON p.id = f.player_id JOIN circle c ON c.id = p.id
			LEFT JOIN marks m ON m.mark = c.mark LEFT JOIN wallets w ON w.wallet = c.wallet
		WHERE f.inviter_id = ? AND (m.mark IS NOT NULL OR w.wallet IS NOT NULL)
		ORDER BY f.player_id DESC LIMIT ?`, inviter, inviter, inviter, most).Scan(&rows).Error
	if err != nil {
		return InviteReport{}, db.WrapUnavailable(fmt.Errorf("compare the friends of player %d: %w", inviter, err))
	}
	for _, row := range rows {
		report.Suspected, report.Shared = append(report.Suspected, row.Suspect), row.Shared
	}
	return report, nil
}
