package models

import (
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"mcbk/game"
)

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

// isMove reports whether a line of an entry is that move.
func isMove(p Posting, m move) bool {
	return p.Source == m.from && p.Destination == m.to && p.Asset == m.asset && p.Amount == m.amount
}

// isLineOf reports whether a line of an entry is the one that these moves have there.
func isLineOf(p Posting, moves []move) bool {
	return p.Line >= 0 && p.Line < len(moves) && isMove(p, moves[p.Line])
}

// receiptOf reads the number after the kind in a reference, like the day in checkin:20516.
func receiptOf(p Posting, kind string) (number int64, ok bool) {
	_, err := fmt.Sscanf(p.Reference, kind+":%d", &number)
	return number, err == nil && p.Reference == fmt.Sprint(kind, ":", number)
}

// paysReward reports whether a line of an entry is the one that a reward from that account has there.
func paysReward(p Posting, from Account, r game.Reward) bool {
	return isLineOf(p, pays(from, r))
}

// toldUnless returns the receipt of a number: empty if it is the usual one.
func toldUnless(number, usual int64) string {
	if number == usual {
		return ""
	}
	return fmt.Sprint(number)
}

// toldOr reads a receipt of toldUnless.
func toldOr(receipt string, usual int64) (number int64, ok bool) {
	if receipt == "" {
		return usual, true
	}
	number, err := strconv.ParseInt(receipt, 10, 64)
	return number, err == nil && receipt == toldUnless(number, usual)
}

// unequal lists players of a span with a row that has no entry of its reference, or with an entry of such a reference that has no
// row.
func unequal(tx *gorm.DB, s span, rows string, like ...string) ([]PlayerID, error) {
	var odd []PlayerID
	where, values := likeAny("reference", like)
	err := tx.Raw(`WITH due AS (SELECT * FROM (`+rows+`) AS d WHERE player_id > ? AND player_id <= ?),
			paid AS (SELECT player_id, reference FROM postings
				WHERE player_id > ? AND player_id <= ? AND line = 0 AND `+where+`)
		SELECT player_id FROM (SELECT * FROM due EXCEPT SELECT * FROM paid) AS unpaid
		UNION SELECT player_id FROM (SELECT * FROM paid EXCEPT SELECT * FROM due) AS undue
		ORDER BY player_id LIMIT ?`,
		append(append([]any{s.after, s.upTo, s.after, s.upTo}, values...), mostListed)...).Scan(&odd).Error
	return odd, err
}
