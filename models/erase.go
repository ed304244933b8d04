package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// ActionErase forgets who a player is, for good. args: the player's id
const ActionErase Action = "erase"

// What stands where somebody was forgotten.
const (
	erasedName   = "Deleted account"
	erasedReason = "this account was deleted"
)

// alreadyErased refuses what an account that was erased can have no more.
const alreadyErased = "already_erased"

// Erased tells whether nobody knows any more who the player is.
func (p Player) Erased() bool { return p.ErasedAt != nil }

// erase takes name, picture, wallet and origin off an account and closes it. What it owns and what it paid
// stays, without which the books would not add up. It refuses with already_erased, and with money_waits while a payment
// of theirs is held or TON is owed to them.
func erase(s *Store, tx *gorm.DB, q Question, now time.Time) (outcome string, err error) {
	if len(q.Args) != 1 {
		return "", fmt.Errorf("erase with %d arguments", len(q.Args))
	}
	p, err := s.lockNamed(tx, q.Args[0])
	if err != nil {
		return "", err
	}
	if p.Erased() {
		return "", game.Refuse(alreadyErased)
	}
	var waits bool
	err = tx.Raw(`SELECT EXISTS (SELECT 1 FROM payables WHERE player_id = ? AND state IN ('due', 'approved', 'sent'))
		OR EXISTS (SELECT 1 FROM payments WHERE player_id = ? AND state = 'held')`, p.ID, p.ID).Scan(&waits).Error
	if err != nil {
		return "", fmt.Errorf("look for money of player %d: %w", p.ID, err)
	}
	if waits {
		return "", game.Refuse("money_waits")
	}
	if p.BannedAt == nil {
		p.BannedAt, p.BanReason = &now, erasedReason
	}
	err = tx.Exec(`UPDATE players SET first_name = ?, username = '', photo_url = '', is_premium = ?, notifications = ?, wallet = NULL, wallet_proven = ?,
		banned_at = ?, ban_reason = ?, erased_at = ? WHERE id = ?`, erasedName, false, false, false, p.BannedAt.UTC(), p.BanReason, now.UTC(), p.ID).Error
	if err != nil {
		return "", fmt.Errorf("erase player %d: %w", p.ID, err)
	}
	for _, rest := range []string{
		"DELETE FROM origins WHERE player_id = ?",
		"DELETE FROM chats WHERE telegram_id = (SELECT telegram_id FROM players WHERE id = ?)",
	} {
		if err := tx.Exec(rest, p.ID).Error; err != nil {
			return "", fmt.Errorf("erase what else is known of player %d: %w", p.ID, err)
		}
	}
	movedOnBoards(tx, p.ID)
	return fmt.Sprintf("player %d is erased", p.ID), nil
}

// originsKept is how long it is known from where a player came. (decision 0039: what is forgotten)
const originsKept = 30 * 24 * time.Hour

// ForgetOrigins deletes from where players came who came long ago, and returns how many.
func (s *Store) ForgetOrigins(ctx context.Context, now time.Time) (deleted int64, err error) {
	return s.sweep(ctx, `DELETE FROM origins WHERE player_id IN (
		SELECT o.player_id FROM origins o JOIN players p ON p.id = o.player_id WHERE p.created_at < ? ORDER BY o.player_id LIMIT `+fmt.Sprint(sweepRows)+`)`, now.UTC().Add(-originsKept))
}
