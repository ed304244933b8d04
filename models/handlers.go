package models

// actionHandlers returns everything that an admin can have done. None of it mints coins.
func (s *Store) actionHandlers() map[Action]actionHandler {
	return map[Action]actionHandler{
		ActionBan:           s.ban,
		ActionUnban:         s.unban,
		ActionErase:         s.erase,
		ActionChangeSetting: changeSetting,
		ActionMaintenance:   switchMaintenance,

		ActionBroadcast:     s.sendBroadcast,
		ActionStopBroadcast: s.stopBroadcast,

		ActionAddTask:    s.addTask,
		ActionRetireTask: retireTask,

		ActionMatch: s.matchPayment,

		ActionRejectFriend: rejectFriend,
		ActionAward:        s.award,
		ActionTournament:   s.newTournament,

		ActionApprove:      s.approvePayable,
		ActionSent:         s.reportSent,
		ActionCancelPayout: s.cancelPayable,
	}
}

// adHandlers returns what ads are watched for.
func adHandlers() map[AdPurpose]adPurpose {
	return map[AdPurpose]adPurpose{AdDaily: dailyAd, AdPrediction: adviceAd, AdSpin: spinAd, AdRoulette: prizeAd}
}

// settlersOf returns what is sold besides coins.
func (s *Store) settlersOf() map[OrderKind]settler {
	return map[OrderKind]settler{OrderMine: {s.settleMine, s.matchMine}}
}
