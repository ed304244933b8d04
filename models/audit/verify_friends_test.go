package audit_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

const (
	friendsAreTold  = "every invited player is a friend of their inviter, as far as their days say"
	friendsPaidOnce = "every friend whose days were rewarded was paid for once, and no other"
	friendsADay     = "no inviter was rewarded for more than twenty friends in a day"
)

func TestVerifyFindsInvalidFriends(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.Player(t, store)
		inviter := modelstest.Player(t, store)
		friend := modelstest.Player(t, store, modelstest.InvitedBy(inviter))
		modelstest.CheckInDays(t, store, friend, modelstest.Noon, game.FriendDays)
		for range game.FriendsADay {
			modelstest.CheckInDays(t, store, modelstest.Player(t, store, modelstest.InvitedBy(inviter)), modelstest.Noon, game.FriendDays)
		}
		fresh := modelstest.Player(t, store, modelstest.InvitedBy(inviter))
		modelstest.CheckIn(t, store, fresh, modelstest.Noon)
		for i := range 2 {
			modelstest.RewardFriends(t, store, modelstest.Noon.Add(time.Duration(14+i)*24*time.Hour))
		}
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		told := func(p models.Player) string { return of(friendsAreTold, fmt.Sprint("player ", p.ID)) }
		cases := map[string]finding{ // of the inviter {player}, a friend FRIEND and FRESH, a friend of one day
			"nobody's friend":           {"UPDATE players SET referrer_id = NULL WHERE id = FRIEND", []string{told(friend)}},
			"no row":                    {"DELETE FROM friends WHERE player_id = FRESH", []string{told(fresh)}},
			"a row too many":            {"INSERT INTO friends (player_id, inviter_id, state) SELECT {player}, MIN(id), 'bound' FROM players", []string{friendsAreTold}},
			"another's friend":          {"UPDATE friends SET inviter_id = (SELECT MIN(id) FROM players) WHERE player_id = FRESH", []string{told(fresh)}},
			"qualified without days":    {"UPDATE friends SET state = 'qualified', qualified_at = '2026-03-05 12:00:00+00:00' WHERE player_id = FRESH", []string{told(fresh)}},
			"bound after all days":      {"UPDATE friends SET state = 'bound', qualified_at = NULL, rewarded_at = NULL WHERE player_id = FRIEND", []string{friendsPaidOnce, told(friend)}},
			"paid, and in line again":   {"UPDATE friends SET state = 'qualified', rewarded_at = NULL WHERE player_id = FRIEND", []string{friendsPaidOnce}},
			"paid for another":          {"UPDATE postings SET reference = 'friend:FRESH' WHERE player_id = {player} AND reference = 'friend:FRIEND'", []string{friendsPaidOnce}},
			"paid for somebody older":   {"UPDATE postings SET reference = 'friend:1' WHERE player_id = {player} AND reference = 'friend:FRIEND'", []string{receiptsMatch, friendsPaidOnce}},
			"paid more":                 {"UPDATE postings SET amount = amount + 1 WHERE player_id = {player} AND reference = 'friend:FRIEND' AND line = 1", []string{receiptsMatch, balancesAreSums}},
			"paid with a memo":          {"UPDATE postings SET memo = 'x' WHERE player_id = {player} AND reference = 'friend:FRIEND'", []string{receiptsMatch}},
			"rewarded, and not paid":    {"DELETE FROM postings WHERE player_id = {player} AND reference = 'friend:FRIEND'", []string{balancesAreSums, friendsPaidOnce}},
			"more friends than allowed": {"UPDATE postings SET posted_at = (SELECT MIN(posted_at) FROM postings WHERE reference = 'friend:FRIEND') WHERE player_id = {player}", []string{friendsADay}},
		}
		ids := strings.NewReplacer("FRIEND", fmt.Sprint(friend.ID), "FRESH", fmt.Sprint(fresh.ID))
		for name, c := range cases {
			c.change = ids.Replace(c.change)
			cases[name] = c
		}
		wantFound(t, store, raw, inviter.ID, cases)
	})
}
