package mines

import (
	"context"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// winnersChecked is the number of winners that are checked: as many as there are prizes if nobody shares one.
const winnersChecked = 100

// SuspectedBots lists those of a tournament's best winners who, while it ran, tapped or dug in more than game.HoursAwake hours of a
// UTC day. A script may do so; energy limits what it earns, so admins only read of it and nothing is taken away. (threat 19)
func (s *Store) SuspectedBots(ctx context.Context, t models.Tournament) (all []models.PlayerID, err error) {
	view := s.db.Read(ctx)
	best, err := s.Winners(ctx, t.ID, winnersChecked)
	if err != nil {
		return nil, err
	}
	for _, w := range best {
		if always, err := s.playedWithoutRest(view, w.PlayerID, t); err != nil {
			return nil, db.WrapUnavailable(err)
		} else if always {
			all = append(all, w.PlayerID)
		}
	}
	return all, nil
}

func (s *Store) playedWithoutRest(tx *gorm.DB, id models.PlayerID, t models.Tournament) (always bool, err error) {
	hour := s.db.Dialect.Hour("posted_at")
	err = tx.Raw(`SELECT EXISTS (SELECT 1 FROM postings WHERE player_id = ? AND reference LIKE 'tap:%' AND posted_at >= ? AND posted_at < ?
		GROUP BY `+hour+` / 24 HAVING COUNT(DISTINCT `+hour+`) > ?)`, id, t.Start, t.End, game.HoursAwake).Scan(&always).Error
	return always, db.Wrap(err, "look when player %d played", id)
}
