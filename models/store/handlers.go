package store

import (
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/ads"
	"mcbk/models/daily"
	"mcbk/models/friends"
	"mcbk/models/mines"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/settings"
	"mcbk/models/stars"
	"mcbk/models/tasks"
	"mcbk/models/treasury"
	"mcbk/models/wheel"
)

// actionHandlers returns everything that an admin can have done. None of it mints coins.
func (s *Store) actionHandlers() map[models.Action]admin.ActionHandler {
	return map[models.Action]admin.ActionHandler{
		players.ActionBan:            s.Players.Ban,
		players.ActionUnban:          s.Players.Unban,
		privacy.ActionErase:          s.Privacy.Erase,
		settings.ActionChangeSetting: settings.ChangeSetting,
		settings.ActionMaintenance:   settings.SwitchMaintenance,

		outbox.ActionBroadcast:     s.Outbox.SendBroadcast,
		outbox.ActionStopBroadcast: s.Outbox.StopBroadcast,

		tasks.ActionAddTask:    s.Tasks.AddTask,
		tasks.ActionRetireTask: tasks.RetireTask,

		treasury.ActionMatch: s.Treasury.MatchPayment,
		stars.ActionRefund:   s.Stars.RefundCharge,

		friends.ActionRejectFriend: friends.RejectFriend,
		mines.ActionAward:          s.Mines.Award,
		mines.ActionTournament:     s.Mines.NewTournament,

		treasury.ActionApprove:      s.Treasury.ApprovePayout,
		treasury.ActionSent:         s.Treasury.ReportSent,
		treasury.ActionCancelPayout: s.Treasury.CancelPayout,
	}
}

// adHandlers returns what ads are watched for.
func adHandlers() map[models.AdPurpose]ads.Handler {
	return map[models.AdPurpose]ads.Handler{models.AdDaily: daily.DailyAd, models.AdPrediction: daily.AdviceAd, models.AdSpin: wheel.SpinAd, models.AdRoulette: wheel.PrizeAd}
}
