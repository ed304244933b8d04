package players

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// lastPostings is how many of a player's postings an admin is shown.
const lastPostings = 5

// newestPostings finds them by the player: by id alone PostgreSQL would read all postings of everybody from the newest on, until it
// meets enough of the player's.
var newestPostings = "SELECT " + db.Columns[models.Posting]("postings") + " FROM postings WHERE player_id = ? ORDER BY id + 0 DESC LIMIT ?"

// PlayerDetails is what admins may see of a player.
type PlayerDetails struct {
	Player   models.Player
	Blocked  *time.Time       // since when the bot may not write to them; nil while it may
	Postings []models.Posting // the newest, the newest first
}

// namesakes is the most players of one name that an admin is shown.
const namesakes = 10

// NamesakesError lists several players last seen under one username. It belongs to at most one of them now: a player who gave it up
// and has not come back since is still stored under it.
type NamesakesError struct {
	Players []models.Player // those who arrived last come first
	More    bool            // there are others
}

func (e *NamesakesError) Error() string {
	return fmt.Sprintf("%d players or more have one name", len(e.Players))
}

// FindPlayer finds a player by their number here, by Telegram's id, or by @username in any letter case. A number is searched here
// first. It returns ErrNotFound if there is no such player, *NamesakesError if there are several.
func (s *Store) FindPlayer(ctx context.Context, who string) (models.Player, error) {
	view := s.db.Read(ctx)
	if name, ok := strings.CutPrefix(who, "@"); ok {
		p, err := playerByName(view, name)
		return p, db.WrapUnavailable(err)
	}
	id, err := strconv.ParseInt(who, 10, 64)
	if err != nil {
		return models.Player{}, db.ErrNotFound
	}
	p, err := ledger.OnePlayer(view, "id = ? OR telegram_id = ? ORDER BY id <> ? LIMIT 1", id, id, id)
	return p, db.WrapUnavailable(err)
}

func playerByName(tx *gorm.DB, name string) (models.Player, error) {
	var called []models.Player
	page := models.Page{Limit: namesakes}
	err := tx.Scopes(db.OnPage(page)).Where("username <> '' AND LOWER(username) = LOWER(?)", name).Order("id DESC").Find(&called).Error
	if err != nil {
		return models.Player{}, fmt.Errorf("find who is called so: %w", err)
	}
	switch len(called) {
	case 0:
		return models.Player{}, db.ErrNotFound
	case 1:
		return called[0], nil
	}
	called, more := models.CutTo(called, page)
	return models.Player{}, &NamesakesError{Players: called, More: more}
}

// PlayerDetails reads what admins may see of a player. It returns the errors of FindPlayer.
func (s *Store) PlayerDetails(ctx context.Context, who string) (PlayerDetails, error) {
	player, err := s.FindPlayer(ctx, who)
	if err != nil {
		return PlayerDetails{}, err
	}
	d := PlayerDetails{Player: player}
	var chats []struct{ BlockedAt *time.Time }
	view := s.db.Read(ctx)
	if err := view.Raw("SELECT blocked_at FROM chats WHERE telegram_id = ?", player.TelegramID).Scan(&chats).Error; err != nil {
		return PlayerDetails{}, db.WrapUnavailable(fmt.Errorf("read chat of player %d: %w", player.ID, err))
	}
	if len(chats) > 0 {
		d.Blocked = chats[0].BlockedAt
	}
	err = view.Raw(newestPostings, player.ID, lastPostings).Scan(&d.Postings).Error
	return d, db.WrapUnavailable(db.Wrap(err, "read postings of player %d", player.ID))
}
