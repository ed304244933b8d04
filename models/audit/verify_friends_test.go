package audit_test

import (
	"database/sql"
	"fmt"
	"maps"
	"reflect"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

const (
	friendsAreTold  = "every invited player is a friend of their inviter, as far as their days say"
	friendsPaidOnce = "every friend whose days were rewarded was paid for once, and no other"
	friendsADay     = "no inviter was rewarded for more than twenty friends in a day"
)

func TestVerifyFindsInvalidFriends(t *testing.T) {
	cases := map[string]struct {
		change                     string // of the friend %[1]d, their inviter %[2]d and %[3]d, a friend of one day
		ofFriend, ofInviter, ofNew []string
	}{
		"nobody's friend":           {change: "UPDATE players SET referrer_id = NULL WHERE id = %[1]d", ofFriend: []string{friendsAreTold}},
		"no row":                    {change: "DELETE FROM friends WHERE player_id = %[3]d", ofNew: []string{friendsAreTold}},
		"a row too many":            {change: "INSERT INTO friends (player_id, inviter_id, state) SELECT %[2]d, MIN(id), 'bound' FROM players", ofInviter: []string{friendsAreTold}},
		"another's friend":          {change: "UPDATE friends SET inviter_id = (SELECT MIN(id) FROM players) WHERE player_id = %[3]d", ofNew: []string{friendsAreTold}},
		"qualified without days":    {change: "UPDATE friends SET state = 'qualified', qualified_at = '2026-03-05 12:00:00+00:00' WHERE player_id = %[3]d", ofNew: []string{friendsAreTold}},
		"bound after all days":      {change: "UPDATE friends SET state = 'bound', qualified_at = NULL, rewarded_at = NULL WHERE player_id = %[1]d", ofFriend: []string{friendsAreTold}, ofInviter: []string{friendsPaidOnce}},
		"paid, and in line again":   {change: "UPDATE friends SET state = 'qualified', rewarded_at = NULL WHERE player_id = %[1]d", ofInviter: []string{friendsPaidOnce}},
		"paid for another":          {change: "UPDATE postings SET reference = 'friend:%[3]d' WHERE player_id = %[2]d AND reference = 'friend:%[1]d'", ofInviter: []string{friendsPaidOnce}},
		"paid for somebody older":   {change: "UPDATE postings SET reference = 'friend:1' WHERE player_id = %[2]d AND reference = 'friend:%[1]d'", ofInviter: []string{receiptsMatch, friendsPaidOnce}},
		"paid more":                 {change: "UPDATE postings SET amount = amount + 1 WHERE player_id = %[2]d AND reference = 'friend:%[1]d' AND line = 1", ofInviter: []string{receiptsMatch, balancesAreSums}},
		"paid with a memo":          {change: "UPDATE postings SET memo = 'x' WHERE player_id = %[2]d AND reference = 'friend:%[1]d'", ofInviter: []string{receiptsMatch}},
		"rewarded, and not paid":    {change: "DELETE FROM postings WHERE player_id = %[2]d AND reference = 'friend:%[1]d'", ofInviter: []string{balancesAreSums, friendsPaidOnce}},
		"more friends than allowed": {change: "UPDATE postings SET posted_at = (SELECT MIN(posted_at) FROM postings WHERE reference = 'friend:%[1]d') WHERE player_id = %[2]d", ofInviter: []string{friendsADay}},
	}
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
		restore := snapshots(t, raw)
		for name, c := range cases {
			modelstest.MustExec(t, raw, fmt.Sprintf(c.change+"%[4]s", friend.ID, inviter.ID, fresh.ID, ""))
			want := brokenFor(friend.ID, c.ofFriend)
			maps.Copy(want, brokenFor(inviter.ID, c.ofInviter))
			maps.Copy(want, brokenFor(fresh.ID, c.ofNew))
			if got := findBrokenRows(t, store); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: found %v,\nwant  %v", name, got, want)
			}
			restore()
		}
	})
}
