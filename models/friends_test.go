package models_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

// comesBack checks a player in on so many days in a row, from a day on.
func comesBack(t *testing.T, store *models.Store, player models.Player, from time.Time, days int) {
	t.Helper()
	for i := range days {
		checkIn(t, store, player, from.Add(time.Duration(i)*day))
	}
}

func rewardFriends(t *testing.T, store *models.Store, at time.Time) int64 {
	t.Helper()
	paid, err := store.RewardFriends(t.Context(), at)
	if err != nil {
		t.Fatalf("reward friends at %s: %v", at, err)
	}
	return paid
}

func friendsOf(t *testing.T, store *models.Store, inviter models.Player, states ...models.FriendState) (friends []models.Friend, total int64) {
	t.Helper()
	friends, total, more, err := store.Friends(t.Context(), inviter.ID, models.Page{Limit: 100}, states...)
	if err != nil || more {
		t.Fatalf("friends of player %d: more %t, %v", inviter.ID, more, err)
	}
	return friends, total
}

func balancesOf(t *testing.T, store *models.Store, player models.Player) models.Balances {
	t.Helper()
	p, err := store.Player(t.Context(), player.ID)
	if err != nil {
		t.Fatalf("player %d: %v", player.ID, err)
	}
	return p.Balances
}

func TestAFriendBringsTheirRewardAfterFourteenDays(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		inviter := given.Player(t, store)
		friend := given.Player(t, store, given.InvitedBy(inviter))
		for i := range game.FriendDays - 1 { // with a day missed after each
			checkIn(t, store, friend, given.Noon.Add(time.Duration(i)*2*day))
			checkIn(t, store, friend, given.Noon.Add(time.Duration(i)*2*day+time.Hour))
		}
		if paid := rewardFriends(t, store, given.Noon.Add(30*day)); paid != 0 || balancesOf(t, store, inviter).Referral != 0 {
			t.Errorf("paid %d before the last day: %+v", paid, balancesOf(t, store, inviter))
		}
		if all, _ := friendsOf(t, store, inviter); len(all) != 1 || all[0].State != models.FriendBound || all[0].Days != game.FriendDays-1 {
			t.Errorf("before the last day: %+v", all)
		}
		last := given.Noon.Add(31 * day)
		checkIn(t, store, friend, last)
		if all, _ := friendsOf(t, store, inviter, models.FriendQualified); len(all) != 1 {
			t.Errorf("after the last day: %+v", all)
		}
		if paid := rewardFriends(t, store, last); paid != 1 {
			t.Errorf("paid %d", paid)
		}
		if held := balancesOf(t, store, inviter); held.Referral != 50*game.MCBK || held.ReferralPoints != 10 || held.Game != 0 {
			t.Errorf("the inviter has %+v", held)
		}
		if m := storedMessage(t, store, fmt.Sprint("friend_rewarded:", friend.ID)); m.ChatID != inviter.TelegramID || m.Params["name"] != friend.FirstName {
			t.Errorf("told: %+v", m)
		}
		checkIn(t, store, friend, last.Add(day))
		if paid := rewardFriends(t, store, last.Add(day)); paid != 0 || balancesOf(t, store, inviter).Referral != 50*game.MCBK {
			t.Errorf("paid again: %d", paid)
		}
		given.Sound(t, store)
	})
}

func TestAFriendIsRewardedOnceByFiftyAtOnce(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		inviter := given.Player(t, store)
		comesBack(t, store, given.Player(t, store, given.InvitedBy(inviter)), given.Noon, game.FriendDays)
		var (
			calls sync.WaitGroup
			mu    sync.Mutex
			paid  int64
		)
		for range 50 {
			calls.Go(func() {
				n, err := store.RewardFriends(t.Context(), given.Noon.Add(20*day))
				mu.Lock()
				defer mu.Unlock()
				if paid += n; err != nil {
					t.Errorf("reward: %v", err)
				}
			})
		}
		calls.Wait()
		if held := balancesOf(t, store, inviter); paid != 1 || held.Referral != 50*game.MCBK || held.ReferralPoints != 10 {
			t.Errorf("paid %d: %+v", paid, held)
		}
		given.Sound(t, store)
	})
}

// "Deleted account" is not how the bot calls somebody, least of all in Russian.
func TestTheNewsOfAnErasedFriendNamesNobody(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		inviter := given.Player(t, store)
		friend := given.Player(t, store, given.InvitedBy(inviter))
		comesBack(t, store, friend, given.Noon, game.FriendDays)
		given.Done(t, store, models.ActionErase, fmt.Sprint(friend.ID))
		if paid := rewardFriends(t, store, given.Noon.Add(20*day)); paid != 1 {
			t.Fatalf("paid %d", paid)
		}
		if m := storedMessage(t, store, fmt.Sprint("friend_rewarded:", friend.ID)); m.Params["name"] != "" {
			t.Errorf("told: %+v", m)
		}
	})
}

// The inviter's account can hold no more, which no play could bring about.
func TestAnInviterWhoCannotBePaidKeepsNobodyWaiting(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		inviters := []models.Player{given.Player(t, store), given.Player(t, store), given.Player(t, store)}
		for _, inviter := range inviters {
			comesBack(t, store, given.Player(t, store, given.InvitedBy(inviter)), given.Noon, game.FriendDays)
		}
		do(t, raw, fmt.Sprintf("UPDATE players SET balance_referral = %d WHERE id = %d", int64(math.MaxInt64), inviters[1].ID))
		paid, err := store.RewardFriends(t.Context(), given.Noon.Add(20*day))
		if paid != 2 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("player %d: ", inviters[1].ID)) || errors.Is(err, models.ErrTryAgain) {
			t.Errorf("paid %d, %v", paid, err)
		}
		if all, _ := friendsOf(t, store, inviters[1]); all[0].State != models.FriendQualified {
			t.Errorf("the friend of whoever was not paid is %s", all[0].State)
		}
		do(t, raw, fmt.Sprintf("UPDATE players SET balance_referral = 0 WHERE id = %d", inviters[1].ID))
		if paid := rewardFriends(t, store, given.Noon.Add(20*day)); paid != 1 {
			t.Errorf("paid %d once it could", paid)
		}
		given.Sound(t, store)
	})
}

func TestTheTwentyFirstFriendOfADayWaits(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		inviter := given.Player(t, store)
		invited := make([]models.Player, game.FriendsADay+2)
		for i := range invited {
			invited[i] = given.Player(t, store, given.InvitedBy(inviter))
			// The first to come qualifies last.
			comesBack(t, store, invited[i], given.Noon.Add(-time.Duration(i)*time.Minute), game.FriendDays)
		}
		today := given.Noon.Add(14 * day)
		if paid := rewardFriends(t, store, today); paid != game.FriendsADay {
			t.Errorf("paid %d on the first day", paid)
		}
		waiting, total := friendsOf(t, store, inviter, models.FriendQualified)
		if total != 2 || waiting[0].PlayerID != invited[1].ID || waiting[1].PlayerID != invited[0].ID {
			t.Errorf("there wait %+v", waiting)
		}
		if paid := rewardFriends(t, store, game.DayOf(today).Start().Add(day-time.Second)); paid != 0 {
			t.Errorf("paid %d more on the first day", paid)
		}
		if paid := rewardFriends(t, store, game.DayOf(today).Start().Add(day)); paid != 2 {
			t.Errorf("paid %d on the second day", paid)
		}
		if held := balancesOf(t, store, inviter); held.Referral != 22*50*game.MCBK || held.ReferralPoints != 220 {
			t.Errorf("the inviter has %+v", held)
		}
		given.Sound(t, store)
	})
}

func TestWhoMayNotEarnIsRewardedLaterAndTheEndOfTheSeasonTakesNothing(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		banned, silent := given.Player(t, store), given.Player(t, store, given.Unconsented())
		for _, inviter := range []models.Player{banned, silent} {
			comesBack(t, store, given.Player(t, store, given.InvitedBy(inviter)), given.Noon, game.FriendDays)
		}
		given.Done(t, store, models.ActionBan, fmt.Sprint(banned.ID), "bots")
		after := given.Season.Start.Add(100 * day)
		if paid := rewardFriends(t, store, after); paid != 0 {
			t.Errorf("paid %d to those who may not earn", paid)
		}
		given.Done(t, store, models.ActionUnban, fmt.Sprint(banned.ID))
		if _, err := store.SetPreference(t.Context(), silent.ID, models.Preference{Consent: true}, after); err != nil {
			t.Fatal(err)
		}
		if paid := rewardFriends(t, store, after); paid != 2 {
			t.Errorf("paid %d after the season", paid)
		}
		given.Sound(t, store)
	})
}

func TestARejectedFriendBringsNothing(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		inviter := given.Player(t, store)
		early, late, paid := given.Player(t, store, given.InvitedBy(inviter)), given.Player(t, store, given.InvitedBy(inviter)), given.Player(t, store, given.InvitedBy(inviter))
		comesBack(t, store, paid, given.Noon, game.FriendDays)
		rewardFriends(t, store, given.Noon.Add(14*day))
		comesBack(t, store, late, given.Noon, game.FriendDays)
		for _, friend := range []models.Player{early, late} {
			given.Done(t, store, models.ActionRejectFriend, fmt.Sprint(friend.ID))
			given.Refused(t, store, "already_rejected", models.ActionRejectFriend, fmt.Sprint(friend.ID))
		}
		comesBack(t, store, early, given.Noon, game.FriendDays)
		if n := rewardFriends(t, store, given.Noon.Add(15*day)); n != 0 {
			t.Errorf("%d rejected friends were paid for", n)
		}
		given.Refused(t, store, game.AlreadyClaimed, models.ActionRejectFriend, fmt.Sprint(paid.ID))
		given.Refused(t, store, "not_found", models.ActionRejectFriend, fmt.Sprint(inviter.ID))
		if held := balancesOf(t, store, inviter); held.Referral != 50*game.MCBK {
			t.Errorf("the inviter has %+v", held)
		}
		given.Sound(t, store)
	})
}
