package models

// FriendState is how close a friend has come to the inviter's reward.
type FriendState string

// A friend is bound when their account is created, qualified by their days of check-in, and rewarded by the job; an admin may
// reject a friend before that.
const (
	FriendBound     FriendState = "bound"
	FriendQualified FriendState = "qualified"
	FriendRewarded  FriendState = "rewarded"
	FriendRejected  FriendState = "rejected"
)
