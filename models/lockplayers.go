package models

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"
)

// lockPlayers reads and locks players in ascending order of their ids, so that no two transactions deadlock.
func (s *Store) lockPlayers(tx *gorm.DB, ids []PlayerID) (map[PlayerID]*Player, error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	locked := make(map[PlayerID]*Player, len(ids))
	for _, id := range slices.Compact(ids) {
		p, err := s.lockPlayer(tx, id)
		if err != nil {
			return nil, err
		}
		locked[id] = &p
	}
	return locked, nil
}

// lockPlayer reads and locks a player; nobody else changes them until the transaction ends.
func (s *Store) lockPlayer(tx *gorm.DB, id PlayerID) (Player, error) {
	player, err := onePlayer(tx, "id = ?"+s.DB.dialect.forUpdate("players"), id)
	if err != nil {
		return Player{}, fmt.Errorf("lock player %d: %w", id, err)
	}
	return player, nil
}

func onePlayer(tx *gorm.DB, where string, values ...any) (Player, error) {
	var p Player
	err := tx.Raw("SELECT "+playerColumns("players")+" FROM players WHERE "+where, values...).Row().Scan(p.fields()...)
	if errors.Is(err, sql.ErrNoRows) {
		return Player{}, ErrNotFound
	}
	if err != nil {
		return Player{}, fmt.Errorf("read player: %w", err)
	}
	return p, nil
}

// eachPosting goes through the rows of a query for postingColumns without keeping them.
func eachPosting(query *gorm.DB, fn func(id int64, p Posting)) error {
	rows, err := query.Rows()
	if err != nil {
		return fmt.Errorf("read postings: %w", err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	for rows.Next() {
		var (
			id int64
			p  Posting
		)
		err := rows.Scan(&id, &p.PlayerID, &p.Reference, &p.Line, &p.Source, &p.Destination, &p.Asset, &p.Amount, &p.Memo, &p.PostedAt, &p.Mark)
		if err != nil {
			return fmt.Errorf("read a posting: %w", err)
		}
		fn(id, p)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read postings: %w", err)
	}
	return nil
}

// receiptOf reads the number after the kind in a reference, like the day in checkin:20516.
func receiptOf(p Posting, kind string) (number int64, ok bool) {
	_, err := fmt.Sscanf(p.Reference, kind+":%d", &number)
	return number, err == nil && p.Reference == fmt.Sprint(kind, ":", number)
}
