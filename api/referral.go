package api

import (
	"context"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/friends"
)

// friendsOf maps a filter to states; without a filter all are listed. A friend rejected by an admin is shown as pending.
var friendsOf = map[ReferralFilter][]models.FriendState{
	ReferralFilterCompleted: {models.FriendRewarded},
	ReferralFilterPending:   {models.FriendBound, models.FriendQualified, models.FriendRejected},
}

// ListReferrals lists the invited friends, newest first.
func (s *Server) ListReferrals(ctx context.Context, request ListReferralsRequestObject) (ListReferralsResponseObject, error) {
	filter := ReferralFilterAll
	if request.Params.Status != nil {
		filter = *request.Params.Status
	}
	page := pageOf(request.Params.Limit, request.Params.Offset)
	friends, total, more, err := s.store.Friends.Friends(ctx, player(ctx).ID, page, friendsOf[filter]...)
	if err != nil {
		return nil, err
	}
	return ListReferrals200JSONResponse{Referrals: db.MapSlice(friends, referral), TotalReferrals: int(total), HasMore: goesOn(more, page)}, nil
}

// referral renders a friend with their rewards and completed days.
func referral(f friends.InvitedFriend) Referral {
	r := Referral{
		Name: f.FirstName, Nickname: f.Username, Avatar: f.PhotoURL, Status: ReferralStatusPending,
		Days: min(f.Days, game.FriendDays), DaysRequired: game.FriendDays,
	}
	if f.State == models.FriendRewarded {
		r.Status, r.Reward = ReferralStatusCompleted, Coins(game.FriendReward.Coins)
	}
	return r
}
