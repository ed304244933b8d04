package api_test

import (
	"fmt"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/models"
	"mcbk/models/friends"
	"mcbk/models/modelstest"
	"mcbk/models/players"
)

func TestReferralsShowProgress(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		inviter := modelstest.Player(t, g.store)
		joins := func(name, username string) models.Player {
			t.Helper()
			p := modelstest.Player(t, g.store, modelstest.InvitedBy(inviter))
			a := players.LaunchUser{TelegramID: p.TelegramID, FirstName: name, Username: username, PhotoURL: "https://t.me/i/" + name}
			return modelstest.SignIn(t, g.store, a, g.clock.Now())
		}
		ann, bob := joins("Ann", "ann"), joins("Bob", "")
		for i := range 14 {
			at := g.clock.Now().Add(time.Duration(i) * 24 * time.Hour)
			for _, p := range []models.Player{ann, bob}[:1+i%2] { // Bob comes every other day
				modelstest.CheckIn(t, g.store, p, at)
			}
		}
		says := func(query, want string) {
			t.Helper()
			a := g.send(request{method: "GET", path: "/api/referral" + query, launch: launch(inviter.TelegramID, g.clock.Now())})
			if a.status != 200 || a.body != want {
				t.Errorf("%s: %d %s\nwant %s", query, a.status, a.body, want)
			}
		}
		row := func(name, username, status, reward string, days int) string {
			return fmt.Sprintf(`{"avatar":"https://t.me/i/%s","days":%d,"days_required":14,"name":"%s","nickname":%q,"reward":%s,"status":%q}`,
				name, days, name, username, reward, status)
		}
		list := func(more bool, total int, rows string) string {
			return fmt.Sprintf("{\"hasMore\":%t,\"referrals\":[%s],\"total_referrals\":%d}\n", more, rows, total)
		}
		second := row("Bob", "", "pending", "0", 7)
		says("", list(false, 2, second+","+row("Ann", "ann", "pending", "0", 14)))
		g.clock.Step(14 * 24 * time.Hour)
		modelstest.RewardFriends(t, g.store, g.clock.Now())
		first := row("Ann", "ann", "completed", "50", 14)
		says("/", list(false, 2, second+","+first))
		says("?limit=1", list(true, 2, second))
		says("?limit=1&offset=1", list(false, 2, first))
		says("?status=completed", list(false, 1, first))
		says("?status=pending", list(false, 1, second))
		modelstest.Done(t, g.store, friends.ActionRejectFriend, fmt.Sprint(bob.ID))
		says("?status=pending", list(false, 1, second))
		g.lists(launch(inviter.TelegramID, g.clock.Now()), "?type=referrals", "false", "referral; From a friend; 50; MCBK; +0.11; referral; false; 2026-03-18T12:00:00Z; ")
	})
}

func TestFriendsOfOneAddressShareItsHash(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), behindProxy, func(o *api.Options) { o.BotToken = token })
	inviter := modelstest.Player(t, g.store)
	for _, address := range []string{"203.0.113.7", "203.0.113.7", "203.0.113.8", "2001:db8:1:2::3", "2001:db8:1:2::4", "2001:db8:1:3::4"} {
		raw := launch(modelstest.TelegramID(), g.clock.Now(), "start_param", inviter.ReferralCode)
		g.answers("arrives", request{method: "GET", path: "/api/user/me", header: from(address), launch: raw}, 200, nil)
	}
	report, err := g.store.Friends.InviteReport(t.Context(), inviter.ID, 10)
	if err != nil || report.Shared != 4 || len(report.Suspected) != 4 || report.Count[models.FriendBound] != 6 {
		t.Errorf("%+v, %v", report, err)
	}
	for i, from := range []models.PlayerID{5, 4, 2, 1} {
		if i < len(report.Suspected) && (report.Suspected[i].PlayerID != inviter.ID+from || !report.Suspected[i].SharesAddress || report.Suspected[i].SharesWallet) {
			t.Errorf("%+v", report.Suspected[i])
		}
	}
}
