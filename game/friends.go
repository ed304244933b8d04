package game

// What an invited friend brings their inviter. (decision 0006: referral)
const (
	// FriendDays is the number of different UTC days on which a friend must check in.
	FriendDays = 14
	// FriendsADay is the number of friends an inviter is rewarded for in a UTC day; the rest wait.
	FriendsADay = 20
)

// FriendReward is paid to the inviter, once for each friend.
var FriendReward = Reward{50 * MCBK, 10}

// MakesFriend reports whether the last check-in was the one that completes a friend.
func (v Visits) MakesFriend() bool { return v.Total == FriendDays }
