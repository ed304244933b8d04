package models

import "time"

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

// FriendSteps are the states that follow each state of a friend.
var FriendSteps = Steps[FriendState]{
	FriendBound:     {FriendQualified, FriendRejected},
	FriendQualified: {FriendRewarded, FriendRejected},
}

// Friend is a player whom another invited.
type Friend struct {
	PlayerID    PlayerID `gorm:"primaryKey;autoIncrement:false"`
	InviterID   PlayerID
	State       FriendState
	QualifiedAt *time.Time // UTC; nil until then
	RewardedAt  *time.Time // UTC; nil until then
}
