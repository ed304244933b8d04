package audit

import (
	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
)

// moveOf returns what a line of an entry moves.
func moveOf(p models.Posting) ledger.Move {
	return ledger.Move{From: p.Source, To: p.Destination, Asset: p.Asset, Amount: p.Amount}
}

// matchesMove reports whether a line of an entry is the one that these moves have there.
func matchesMove(p models.Posting, moves []ledger.Move) bool {
	return p.Line >= 0 && p.Line < len(moves) && moveOf(p) == moves[p.Line]
}

// paysReward reports whether a line of an entry is the one that a reward from that account has there.
func paysReward(p models.Posting, from models.Account, r game.Reward) bool {
	return matchesMove(p, ledger.RewardMoves(from, r))
}

// findUnpaired is the check for players with a row that has no entry of its reference, or with an entry of such a reference that has no
// row.
func findUnpaired(rows string, like ...string) playerCheck {
	where, values := likeAny("reference", like)
	return findPlayers(`WITH due AS (SELECT * FROM (`+rows+`) AS d WHERE player_id > @After AND player_id <= @UpTo),
			paid AS (SELECT player_id, reference FROM postings
				WHERE player_id > @After AND player_id <= @UpTo AND line = 0 AND `+where+`)
		SELECT player_id FROM (SELECT * FROM due EXCEPT SELECT * FROM paid) AS unpaid
		UNION SELECT player_id FROM (SELECT * FROM paid EXCEPT SELECT * FROM due) AS undue
		ORDER BY player_id LIMIT ?`, values...)
}
