package api

import (
	"context"

	"mcbk/models"
)

// rankBy is what each type of board ranks by.
var rankBy = map[LeaderboardType]models.RankBy{
	LeaderboardTypeCoins: models.ByCoins, LeaderboardTypePoints: models.ByPoints, LeaderboardTypePurchasedCoins: models.ByPurchased,
}

// leadersAPage is how many players a board shows when the player does not say.
const leadersAPage = 100

// GetLeaderboard lists a page of the best players and the player's own row. While the ranks are built after a start
// the page is empty and the own rank null.
func (s *Server) GetLeaderboard(ctx context.Context, request GetLeaderboardRequestObject) (GetLeaderboardResponseObject, error) {
	by := models.ByCoins
	if request.Params.Type != nil {
		by = rankBy[*request.Params.Type]
	}
	page := pageOf(request.Params.Limit, request.Params.Offset)
	if request.Params.Limit == nil {
		page.Limit = leadersAPage
	}
	leaders, more, err := s.store.Leaders(ctx, by, page)
	if err != nil {
		return nil, err
	}
	me := player(ctx)
	board := GetLeaderboard200JSONResponse{
		Leaderboard: make([]LeaderboardItem, len(leaders)), HasMore: more,
		Me: leaderRow(models.LeaderOf(me), s.place(by, me)),
	}
	for i, leader := range leaders {
		place := page.Offset + i + 1
		board.Leaderboard[i] = leaderRow(leader, &place)
	}
	return board, nil
}

// place is where a player stands; nil while the ranks are built.
func (s *Server) place(by models.RankBy, p models.Player) *int {
	if place, known := s.store.Place(by, p); known {
		return &place
	}
	return nil
}

func leaderRow(l models.Leader, place *int) LeaderboardItem {
	return LeaderboardItem{
		Rank: place, TelegramID: l.TelegramID, FirstName: l.FirstName, Username: l.Username, PhotoURL: l.PhotoURL,
		GameMCBK: Coins(l.Game), GamePoints: l.GamePoints, PurchasedMCBK: Coins(l.Purchased), TotalDaysInGame: l.Days,
	}
}
