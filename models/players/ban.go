package players

import (
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Actions of admins on players: ban, and lift the ban.
const (
	ActionBan   models.Action = "ban"   // args: the player's id, the reason they are shown
	ActionUnban models.Action = "unban" // args: the player's id
)

// Ban bans a player; what they own stays theirs. A player who is banned already stays so, for the first reason.
func (s *Store) Ban(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) != 2 || q.Args[1] == "" {
		return "", fmt.Errorf("ban with %d arguments", len(q.Args))
	}
	p, err := s.LockNamed(tx, q.Args[0])
	if err != nil {
		return "", err
	}
	if p.Banned() {
		return "", game.Refuse(models.AlreadyBanned)
	}
	err = tx.Exec("UPDATE players SET banned_at = ?, ban_reason = ?, revision = revision + 1 WHERE id = ?", now.UTC(), q.Args[1], p.ID).Error
	if err != nil {
		return "", fmt.Errorf("ban player %d: %w", p.ID, err)
	}
	s.leaderboard.MarkChangedOnCommit(tx, p.ID)
	return fmt.Sprintf("player %d is banned: %s", p.ID, q.Args[1]), nil
}

// Unban lifts a player's ban.
func (s *Store) Unban(tx *gorm.DB, q models.PendingAction, _ time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("unban with %d arguments", len(q.Args))
	}
	p, err := s.LockNamed(tx, q.Args[0])
	if err != nil {
		return "", err
	}
	if p.Erased() {
		return "", game.Refuse(models.AlreadyErased)
	}
	if !p.Banned() {
		return "", game.Refuse(models.NotBanned)
	}
	if err := tx.Exec("UPDATE players SET banned_at = NULL, ban_reason = '', revision = revision + 1 WHERE id = ?", p.ID).Error; err != nil {
		return "", fmt.Errorf("unban player %d: %w", p.ID, err)
	}
	s.leaderboard.MarkChangedOnCommit(tx, p.ID)
	return fmt.Sprintf("player %d may play again", p.ID), nil
}

// LockNamed locks the player with this id, given as text.
func (s *Store) LockNamed(tx *gorm.DB, id string) (models.Player, error) {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return models.Player{}, fmt.Errorf("player %q: %w", id, db.ErrNotFound)
	}
	return s.ledger.LockPlayer(tx, models.PlayerID(number))
}
