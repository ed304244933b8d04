package audit

import (
	"mcbk/game"
	"mcbk/models"
	"mcbk/models/friends"
	"mcbk/models/ledger"
)

// friendMatches reports whether an entry of a friend is their reward; unpaidFriends checks whether it was due.
func friendMatches(l *ledgerReplay, p models.Posting) bool {
	friend, ok := ledger.ReferenceNumber(p, "friend")
	return ok && models.PlayerID(friend) > l.player.ID && p.Memo == "" && matchesMove(p, friends.FriendMoves())
}

// friendsWithinDay counts the friends whom a player was rewarded for on a UTC day, and reports whether they are within the limit.
func friendsWithinDay(l *ledgerReplay, p models.Posting) bool {
	if _, ok := ledger.ReferenceNumber(p, "friend"); !ok || p.Line != 0 {
		return true
	}
	day := game.DayOf(p.PostedAt)
	l.friends[day]++
	return l.friends[day] <= game.FriendsADay
}

// findInvalidFriends lists invited players whose row as a friend is missing, belongs to another inviter, or has a state that does not match
// their days.
var findInvalidFriends = findPlayers(`SELECT p.id FROM players p LEFT JOIN friends f ON f.player_id = p.id
	WHERE p.id > @After AND p.id <= @UpTo AND ((p.referrer_id IS NULL) <> (f.player_id IS NULL) OR f.inviter_id <> p.referrer_id
		OR (f.state = 'bound' AND p.visits_total >= ?) OR (f.state IN ('qualified', 'rewarded') AND p.visits_total < ?))
	ORDER BY p.id LIMIT ?`, game.FriendDays, game.FriendDays)

// unpaidFriends lists inviters whose friends and payments for them differ.
var unpaidFriends = findUnpaired("SELECT inviter_id AS player_id, 'friend:' || player_id AS reference FROM friends WHERE state = 'rewarded'", "friend:%")
