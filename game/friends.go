package game

// Rewards for invited friends (decision 0006: referral).
const (
	// FriendDays is the number of different UTC days on which a friend must check in.
	FriendDays = 14
	// FriendsADay limits an inviter's rewards in a UTC day; further friends wait.
	FriendsADay = 20
)

// FriendReward is paid to the inviter, once for each friend.
var FriendReward = Reward{50 * MCBK, 10}

// MakesFriend reports whether the last check-in completes a friend.
func (v Visits) MakesFriend() bool { return v.Total == FriendDays }
