package friends_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/friends"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/store"
)

func friendsOf(t *testing.T, store *store.Store, inviter models.Player, states ...models.FriendState) (friends []friends.InvitedFriend, total int64) {
	t.Helper()
	friends, total, more, err := store.Friends.Friends(t.Context(), inviter.ID, models.Page{Limit: 100}, states...)
	if err != nil || more {
		t.Fatalf("friends of player %d: more %t, %v", inviter.ID, more, err)
	}
	return friends, total
}

func balancesOf(t *testing.T, store *store.Store, player models.Player) models.Balances {
	t.Helper()
	p := modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
	return p.Balances
}

func TestFriendIsRewardedAfterFourteenDays(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		friend := modelstest.Player(t, store, modelstest.InvitedBy(inviter))
		for i := range game.FriendDays - 1 { // with a day missed after each
			modelstest.CheckIn(t, store, friend, modelstest.Noon.Add(time.Duration(i)*2*24*time.Hour))
			modelstest.CheckIn(t, store, friend, modelstest.Noon.Add(time.Duration(i)*2*24*time.Hour+time.Hour))
		}
		if paid := modelstest.RewardFriends(t, store, modelstest.Noon.Add(30*24*time.Hour)); paid != 0 || balancesOf(t, store, inviter).Referral != 0 {
			t.Errorf("paid %d before the last day: %+v", paid, balancesOf(t, store, inviter))
		}
		if all, _ := friendsOf(t, store, inviter); len(all) != 1 || all[0].State != models.FriendBound || all[0].Days != game.FriendDays-1 {
			t.Errorf("before the last day: %+v", all)
		}
		last := modelstest.Noon.Add(31 * 24 * time.Hour)
		modelstest.CheckIn(t, store, friend, last)
		if all, _ := friendsOf(t, store, inviter, models.FriendQualified); len(all) != 1 {
			t.Errorf("after the last day: %+v", all)
		}
		modelstest.Equal(t, modelstest.RewardFriends(t, store, last), 1, "paid")
		if held := balancesOf(t, store, inviter); held.Referral != 50*game.MCBK || held.ReferralPoints != 10 || held.Game != 0 {
			t.Errorf("the inviter has %+v", held)
		}
		if m := modelstest.StoredMessage(t, store, fmt.Sprint("friend_rewarded:", friend.ID)); m.ChatID != inviter.TelegramID || m.Params["name"] != friend.FirstName {
			t.Errorf("told: %+v", m)
		}
		modelstest.CheckIn(t, store, friend, last.Add(24*time.Hour))
		if paid := modelstest.RewardFriends(t, store, last.Add(24*time.Hour)); paid != 0 || balancesOf(t, store, inviter).Referral != 50*game.MCBK {
			t.Errorf("paid again: %d", paid)
		}
	})
}

func TestFiftyConcurrentRewardsPayOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		modelstest.CheckInDays(t, store, modelstest.Player(t, store, modelstest.InvitedBy(inviter)), modelstest.Noon, game.FriendDays)
		var paid atomic.Int64
		modelstest.FiftyAtOnce(t, "", func() error {
			n, err := store.Friends.RewardFriends(t.Context(), modelstest.Noon.Add(20*24*time.Hour))
			paid.Add(n)
			return err
		})
		if held := balancesOf(t, store, inviter); paid.Load() != 1 || held.Referral != 50*game.MCBK || held.ReferralPoints != 10 {
			t.Errorf("paid %d: %+v", paid.Load(), held)
		}
	})
}

// "Deleted account" is not how the bot calls somebody, least of all in Russian.
func TestNoticeOfErasedFriendNamesNobody(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		friend := modelstest.Player(t, store, modelstest.InvitedBy(inviter))
		modelstest.CheckInDays(t, store, friend, modelstest.Noon, game.FriendDays)
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(friend.ID))
		modelstest.Equal(t, modelstest.RewardFriends(t, store, modelstest.Noon.Add(20*24*time.Hour)), 1, "paid")
		if m := modelstest.StoredMessage(t, store, fmt.Sprint("friend_rewarded:", friend.ID)); m.Params["name"] != "" {
			t.Errorf("told: %+v", m)
		}
	})
}

// The inviter's account can hold no more, which no play could bring about.
func TestUnpayableInviterBlocksNobody(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		inviters := []models.Player{modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)}
		for _, inviter := range inviters {
			modelstest.CheckInDays(t, store, modelstest.Player(t, store, modelstest.InvitedBy(inviter)), modelstest.Noon, game.FriendDays)
		}
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET balance_referral = %d WHERE id = %d", int64(math.MaxInt64), inviters[1].ID))
		paid, err := store.Friends.RewardFriends(t.Context(), modelstest.Noon.Add(20*24*time.Hour))
		if paid != 2 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("player %d: ", inviters[1].ID)) || errors.Is(err, db.ErrUnavailable) {
			t.Errorf("paid %d, %v", paid, err)
		}
		if all, _ := friendsOf(t, store, inviters[1]); all[0].State != models.FriendQualified {
			t.Errorf("the friend of whoever was not paid is %s", all[0].State)
		}
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET balance_referral = 0 WHERE id = %d", inviters[1].ID))
		modelstest.Equal(t, modelstest.RewardFriends(t, store, modelstest.Noon.Add(20*24*time.Hour)), 1, "paid once it could")
		modelstest.Sound(t, store)
	})
}

func TestTwentyFirstFriendOfADayWaits(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		invited := make([]models.Player, game.FriendsADay+2)
		for i := range invited {
			invited[i] = modelstest.Player(t, store, modelstest.InvitedBy(inviter))
			// The first to come qualifies last.
			modelstest.CheckInDays(t, store, invited[i], modelstest.Noon.Add(-time.Duration(i)*time.Minute), game.FriendDays)
		}
		today := modelstest.Noon.Add(14 * 24 * time.Hour)
		modelstest.Equal(t, modelstest.RewardFriends(t, store, today), game.FriendsADay, "paid on the first day")
		waiting, total := friendsOf(t, store, inviter, models.FriendQualified)
		if total != 2 || waiting[0].PlayerID != invited[1].ID || waiting[1].PlayerID != invited[0].ID {
			t.Errorf("there wait %+v", waiting)
		}
		modelstest.Equal(t, modelstest.RewardFriends(t, store, game.DayOf(today).Start().Add(24*time.Hour-time.Second)), 0, "paid more on the first day")
		modelstest.Equal(t, modelstest.RewardFriends(t, store, game.DayOf(today).Start().Add(24*time.Hour)), 2, "paid on the second day")
		if held := balancesOf(t, store, inviter); held.Referral != 22*50*game.MCBK || held.ReferralPoints != 220 {
			t.Errorf("the inviter has %+v", held)
		}
	})
}

func TestBlockedInviterIsRewardedLaterEvenAfterSeason(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		banned, silent := modelstest.Player(t, store), modelstest.Player(t, store, modelstest.Unconsented())
		for _, inviter := range []models.Player{banned, silent} {
			modelstest.CheckInDays(t, store, modelstest.Player(t, store, modelstest.InvitedBy(inviter)), modelstest.Noon, game.FriendDays)
		}
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(banned.ID), "bots")
		after := modelstest.Season.Start.Add(100 * 24 * time.Hour)
		modelstest.Equal(t, modelstest.RewardFriends(t, store, after), 0, "paid to those who may not earn")
		modelstest.Done(t, store, players.ActionUnban, fmt.Sprint(banned.ID))
		modelstest.Must(store.Players.SetPreference(t.Context(), silent.ID, players.Preference{Consent: true}, after))(t)
		modelstest.Equal(t, modelstest.RewardFriends(t, store, after), 2, "paid after the season")
	})
}

func TestRejectedFriendIsNotRewarded(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		inviter := modelstest.Player(t, store)
		early, late, paid := modelstest.Player(t, store, modelstest.InvitedBy(inviter)), modelstest.Player(t, store, modelstest.InvitedBy(inviter)), modelstest.Player(t, store, modelstest.InvitedBy(inviter))
		modelstest.CheckInDays(t, store, paid, modelstest.Noon, game.FriendDays)
		modelstest.RewardFriends(t, store, modelstest.Noon.Add(14*24*time.Hour))
		modelstest.CheckInDays(t, store, late, modelstest.Noon, game.FriendDays)
		for _, friend := range []models.Player{early, late} {
			modelstest.Done(t, store, friends.ActionRejectFriend, fmt.Sprint(friend.ID))
			modelstest.Refused(t, store, "already_rejected", friends.ActionRejectFriend, fmt.Sprint(friend.ID))
		}
		modelstest.CheckInDays(t, store, early, modelstest.Noon, game.FriendDays)
		modelstest.Equal(t, modelstest.RewardFriends(t, store, modelstest.Noon.Add(15*24*time.Hour)), 0, "rejected friends were paid for")
		modelstest.Refused(t, store, game.AlreadyClaimed, friends.ActionRejectFriend, fmt.Sprint(paid.ID))
		modelstest.Refused(t, store, "not_found", friends.ActionRejectFriend, fmt.Sprint(inviter.ID))
		modelstest.Equal(t, balancesOf(t, store, inviter).Referral, 50*game.MCBK, "the inviter has")
	})
}
