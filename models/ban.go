package models

import (
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// Actions of admins on players: ban, and lift the ban.
const (
	ActionBan   Action = "ban"   // args: the player's id, the reason they are shown
	ActionUnban Action = "unban" // args: the player's id
)

// ban bans a player; what they own stays theirs. A player who is banned already stays so, for the first reason.
func (s *Store) ban(tx *gorm.DB, q Question, now time.Time) (outcome string, err error) {
	if len(q.Args) != 2 || q.Args[1] == "" {
		return "", fmt.Errorf("ban with %d arguments", len(q.Args))
	}
	p, err := s.lockNamed(tx, q.Args[0])
	if err != nil {
		return "", err
	}
	if p.Banned() {
		return "", game.Refuse(alreadyBanned)
	}
	err = tx.Exec("UPDATE players SET banned_at = ?, ban_reason = ? WHERE id = ?", now.UTC(), q.Args[1], p.ID).Error
	if err != nil {
		return "", fmt.Errorf("ban player %d: %w", p.ID, err)
	}
	s.changesPlace(tx, p.ID)
	return fmt.Sprintf("player %d is banned: %s", p.ID, q.Args[1]), nil
}

// unban lifts a player's ban.
func (s *Store) unban(tx *gorm.DB, q Question, _ time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("unban with %d arguments", len(q.Args))
	}
	p, err := s.lockNamed(tx, q.Args[0])
	if err != nil {
		return "", err
	}
	if p.Erased() {
		return "", game.Refuse(AlreadyErased)
	}
	if !p.Banned() {
		return "", game.Refuse(notBanned)
	}
	if err := tx.Exec("UPDATE players SET banned_at = NULL, ban_reason = '' WHERE id = ?", p.ID).Error; err != nil {
		return "", fmt.Errorf("unban player %d: %w", p.ID, err)
	}
	s.changesPlace(tx, p.ID)
	return fmt.Sprintf("player %d may play again", p.ID), nil
}

// lockNamed locks the player with this id, given as text.
func (s *Store) lockNamed(tx *gorm.DB, id string) (Player, error) {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return Player{}, fmt.Errorf("player %q: %w", id, ErrNotFound)
	}
	return s.lockPlayer(tx, PlayerID(number))
}
