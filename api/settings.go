package api

import (
	"context"

	"mcbk/game"
)

// GetSettings tells where the season stands.
func (s *Server) GetSettings(context.Context, GetSettingsRequestObject) (GetSettingsResponseObject, error) {
	now := s.now()
	return GetSettings200JSONResponse{
		CurrentDay: s.options.Season.Day(now),
		TotalDays:  game.SeasonDays,
		StartDate:  s.options.Season.Start,
		ServerTime: now,
	}, nil
}

// GetConfig tells what the web app needs before login.
func (s *Server) GetConfig(context.Context, GetConfigRequestObject) (GetConfigResponseObject, error) {
	config := s.options.Config
	if name := s.options.BotUsername(); name != "" {
		config.BotUsername = &name
	}
	return GetConfig200JSONResponse(config), nil
}
