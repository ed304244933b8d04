package game

// What an invited friend brings their inviter. (decision 0006: referral)
const (
	// FriendDays is on how many different UTC days a friend must check in.
	FriendDays = 14
	// FriendsADay is how many friends are rewarded to one inviter in a UTC day; the rest wait.
	FriendsADay = 20
)

// FriendReward is paid to the inviter, once a friend.
var FriendReward = Reward{50 * MCBK, 10}

// MakesFriend tells that a check-in was the one that completes a friend.
func (v Visits) MakesFriend() bool { return v.Total == FriendDays }
