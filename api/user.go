package api

import (
	"context"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/leaderboard"
	"mcbk/models/players"
)

// GetMe is the first call of a visit; it creates an unknown player.
func (s *Server) GetMe(ctx context.Context, request GetMeRequestObject) (GetMeResponseObject, error) {
	launch, _ := launchOf(ctx)
	user := launch.user
	if code := request.Params.ReferralCode; code != nil {
		user.QueryCode = referralCode(*code)
	}
	user.Origin = s.origin(ctx)
	now := s.now()
	player, err := s.store.Players.SignIn(ctx, user, now)
	if err == nil {
		err = player.CanPlay()
	}
	if err == nil {
		player, err = s.store.Wheel.GrantDailySpins(ctx, player, s.options.Season, now)
	}
	if err != nil {
		return nil, err
	}
	return GetMe200JSONResponse(s.user(player, now)), nil
}

// UpdateUser stores one setting of the player: consent, language or notifications.
func (s *Server) UpdateUser(ctx context.Context, request UpdateUserRequestObject) (UpdateUserResponseObject, error) {
	wish := players.Preference{
		Consent:       request.Body.AgeConsentAccepted != nil,
		Language:      (*string)(request.Body.Language),
		Notifications: request.Body.Notifications,
	}
	now := s.now()
	changed, err := s.store.Players.SetPreference(ctx, player(ctx).ID, wish, now)
	if err != nil {
		return nil, err
	}
	return UpdateUser200JSONResponse(s.user(changed, now)), nil
}

// user renders a player, valued at the current price.
func (s *Server) user(p models.Player, now time.Time) User {
	price := game.Price(s.options.Season.Day(now))
	spins, adSpins := s.store.Wheel.SpinsAt(p, s.options.Season, now)
	return User{
		AsOf: p.Revision, ID: int64(p.ID), TelegramID: p.TelegramID, FirstName: p.FirstName, Username: p.Username, PhotoURL: p.PhotoURL,
		IsPremium: p.IsPremium, ReferralCode: p.ReferralCode, AgeConsentAccepted: p.Consented(),
		Language: Language(p.Language), Notifications: p.Notifications,
		CanGetPrediction: p.CanTakeAdvice(s.options.Season, now), DailyReward: toBeDoubled(p, now),
		WalletAddress: s.wallet(p), WalletProven: p.WalletProven,
		Stats: UserStats{LeaderboardRank: s.place(leaderboard.ByCoins, p), TotalDaysInGame: p.Visits.Total, WonMCBK: Coins(p.Wheel.Won)},
		Balance: Balance{
			GameMCBK: Coins(p.Balances.Game), ReferralGameMCBK: Coins(p.Balances.Referral),
			PurchasedMCBK: Coins(p.Balances.Purchased),
			GamePoints:    p.Balances.GamePoints, ReferralGamePoints: p.Balances.ReferralPoints,
			USDTBalance: USD(game.Worth(p.Balances.Coins(), price)),
			DailySpins:  int(spins), AdSpins: int(adSpins), IsGoldenSpinAvailable: p.Wheel.Golden(),
		},
	}
}
