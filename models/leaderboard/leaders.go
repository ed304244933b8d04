package leaderboard

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ranks"
)

// Place returns the player's place on a board, from 1, with what they own by now; known is false while the boards are being built.
func (s *Store) Place(by RankBy, p models.Player) (place int, known bool) {
	built := s.built.Load()
	if built == nil {
		return 0, false
	}
	return built[by].Place(ranks.Entry{Score: by.of(p.Balances), ID: int64(p.ID)}), true
}

// RankBytes returns roughly how much memory the boards take.
func (s *Store) RankBytes() (bytes int64) {
	if built := s.built.Load(); built != nil {
		for _, board := range built {
			bytes += board.Bytes()
		}
	}
	return bytes
}

// Leader is a player on a board, with what others may see.
type Leader struct {
	ID         models.PlayerID
	TelegramID int64
	FirstName  string
	Username   string
	PhotoURL   string
	Game       game.MicroMCBK
	GamePoints int64
	Purchased  game.MicroMCBK
	Days       int // with a check-in
}

// LeaderOf returns what others may see of a player.
func LeaderOf(p models.Player) Leader {
	return Leader{
		ID: p.ID, TelegramID: p.TelegramID, FirstName: p.FirstName, Username: p.Username, PhotoURL: p.PhotoURL,
		Game: p.Balances.Game, GamePoints: p.Balances.GamePoints, Purchased: p.Balances.Purchased, Days: p.Visits.Total,
	}
}

// Leaders lists a page of a board, best first; more reports whether others follow. It is empty while the boards are being built.
// The score that players are ranked by is the board's, so that a page is in order; the rest is as of now.
func (s *Store) Leaders(ctx context.Context, by RankBy, page models.Page) (leaders []Leader, more bool, err error) {
	built := s.built.Load()
	if built == nil {
		return nil, false, nil
	}
	entries := built[by].Page(page.Offset, page.Limit+1)
	entries, more = models.CutTo(entries, page)
	known, err := s.leadersByID(s.db.Read(ctx), entries)
	if err != nil {
		return nil, false, db.WrapUnavailable(err)
	}
	leaders = make([]Leader, 0, len(entries))
	for _, e := range entries {
		leader := known[models.PlayerID(e.ID)]
		*[boardCount]*int64{(*int64)(&leader.Game), &leader.GamePoints, (*int64)(&leader.Purchased)}[by] = e.Score
		leaders = append(leaders, leader)
	}
	return leaders, more, nil
}

func (s *Store) leadersByID(tx *gorm.DB, entries []ranks.Entry) (map[models.PlayerID]Leader, error) {
	ids := db.MapSlice(entries, func(e ranks.Entry) models.PlayerID { return models.PlayerID(e.ID) })
	if len(ids) == 0 {
		return nil, nil
	}
	condition, args := s.db.Dialect.AnyOf("id", ids)
	query := tx.Raw(`SELECT id, telegram_id, first_name, username, photo_url, balance_game, balance_game_points, balance_purchased, visits_total
		FROM players WHERE `+condition, args...)
	known := make(map[models.PlayerID]Leader, len(ids))
	err := db.Each(query, func(row db.Row) error {
		var l Leader
		if err := row.Scan(&l.ID, &l.TelegramID, &l.FirstName, &l.Username, &l.PhotoURL, &l.Game, &l.GamePoints, &l.Purchased, &l.Days); err != nil {
			return fmt.Errorf("read a leader: %w", err)
		}
		known[l.ID] = l
		return nil
	})
	return known, err
}
