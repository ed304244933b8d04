package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
)

// lockPlayers reads and locks players in ascending order of their ids, so that no two transactions deadlock.
func (s *Ledger) lockPlayers(tx *gorm.DB, ids []models.PlayerID) (locked []models.Player, err error) {
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		p, err := s.LockPlayer(tx, id)
		if err != nil {
			return nil, err
		}
		locked = append(locked, p)
	}
	return locked, nil
}

// LockPlayer reads and locks a player; nobody else changes them until the transaction ends.
func (s *Ledger) LockPlayer(tx *gorm.DB, id models.PlayerID) (models.Player, error) {
	player, err := OnePlayer(tx, "id = ?"+s.db.Dialect.ForUpdate("players"), id)
	return player, db.Wrap(err, "lock player %d", id)
}

// WithPlayer runs fn in a transaction with a locked player whom may does not refuse, and returns the player as fn left them. Like InTx
// it may run fn more than once.
func (s *Ledger) WithPlayer(
	ctx context.Context, id models.PlayerID, may func(models.Player) error, fn func(tx *gorm.DB, p *models.Player) error,
) (player models.Player, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
		if player, err = s.LockPlayer(tx, id); err != nil {
			return err
		}
		if err := may(player); err != nil {
			return err
		}
		return fn(tx, &player)
	})
	return player, err
}

// OnePlayer reads the player for whom a condition is true; ErrNotFound if there is none.
func OnePlayer(tx *gorm.DB, where string, values ...any) (models.Player, error) {
	var p models.Player
	err := tx.Raw("SELECT "+models.PlayerColumns("players")+" FROM players WHERE "+where, values...).Row().Scan(p.ScanFields()...)
	if errors.Is(err, sql.ErrNoRows) {
		return models.Player{}, db.ErrNotFound
	}
	return p, db.Wrap(err, "read player")
}

// EachPosting goes through the rows of a query for PostingColumns without keeping them.
func EachPosting(query *gorm.DB, fn func(id int64, p models.Posting)) error {
	err := db.Each(query, func(row db.Row) error {
		var (
			id int64
			p  models.Posting
		)
		err := row.Scan(&id, &p.PlayerID, &p.Reference, &p.Line, &p.Source, &p.Destination, &p.Asset, &p.Amount, &p.Memo, &p.PostedAt, &p.Mark)
		if err == nil {
			fn(id, p)
		}
		return err
	})
	return db.Wrap(err, "read postings")
}

// ReferenceNumber reads the number after the kind in a reference, like the day in checkin:20516.
func ReferenceNumber(p models.Posting, kind string) (number int64, ok bool) {
	_, err := fmt.Sscanf(p.Reference, kind+":%d", &number)
	return number, err == nil && p.Reference == fmt.Sprint(kind, ":", number)
}
