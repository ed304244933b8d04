package bot

import (
	"context"
	"fmt"
	"strings"

	"mcbk/models"
	"mcbk/models/friends"
)

const fraudShown = 15

func (h *adminHandler) showFriends(ctx context.Context, values []string) (reply, error) {
	inviter, err := h.store.Players.FindPlayer(ctx, values[0])
	if err != nil {
		return reply{}, err
	}
	report, err := h.store.Friends.InviteReport(ctx, inviter.ID, fraudShown)
	if err != nil {
		return reply{}, err
	}
	lines := []string{
		fmt.Sprintf("<b>Friends of %s</b>", describePlayer(inviter)),
		fmt.Sprintf("%d on the way, %d waiting for the reward, %d rewarded, %d rejected", report.Count[models.FriendBound],
			report.Count[models.FriendQualified], report.Count[models.FriendRewarded], report.Count[models.FriendRejected]),
		fmt.Sprintf("%d share an address or a wallet with each other or the inviter. So do families, and phones in one network.", report.Shared),
	}
	for _, s := range report.Suspected {
		lines = append(lines, fmt.Sprintf("%d: %s%s, %s, day %d, %s", s.PlayerID, quoteName(s.FirstName), escapeAfter(", @", s.Username),
			friendStates[s.State], s.Days, shares(s)))
	}
	if len(report.Suspected) > 0 {
		lines = append(lines, "", "/friends reject ID denies the reward for one")
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

func shares(s friends.Suspect) string {
	switch {
	case s.SharesAddress && s.SharesWallet:
		return "same address and wallet"
	case s.SharesWallet:
		return "same wallet"
	}
	return "same address"
}

// rejectFriend requests confirmation to deny an inviter the reward for a friend.
func (h *adminHandler) rejectFriend(ctx context.Context, values []string) (reply, error) {
	friend, err := h.store.Players.FindPlayer(ctx, values[0])
	if err != nil {
		return reply{}, err
	}
	return reply{
		text:   fmt.Sprintf("Deny the inviter of %s the reward for them, for good?", describePlayer(friend)),
		action: friends.ActionRejectFriend, args: []string{fmt.Sprint(friend.ID)},
	}, nil
}
