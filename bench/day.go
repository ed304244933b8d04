package main

import "mcbk/game"

// The model of a day: the largest game of this kind reportedly had six million players a day; the peak is four times the mean.
const (
	dayPlayers  = 6_000_000
	peakFactor  = 4
	secondsADay = 86_400
)

// A player's day.
const (
	visitsADay = 2.5
	tapsADay   = 700 // of the thousand that the first level's energy is
	tapsASync  = 90  // the app sends after 30 s or 100 taps, whichever comes first, and when the screen is left
)

// action is a player's action with all its calls.
type action struct {
	name  string
	times float64 // by one player on one day
	why   string
	calls float64 // that one action makes, on average
	do    func(*actor) error
}

// pendingShare is the part of the prizes that the app claims by a call: all but plain coins.
const pendingShare = 0.67

// actions are one player's day. Calls and order are those of the web app's stores.
var actions = []action{
	{"first visit", 1, "page, player, settings; then energy, ads' settings, the check-in (which writes), loyalty, tasks; prices for the offer", 9, (*actor).firstVisit},
	{"another visit", visitsADay - 1, "the same, and the check-in answers that it was", 9, (*actor).visit},
	{"look at the bag", visitsADay, "the tap screen asks for the energy when it opens", 1, (*actor).energy},
	{"sync of taps", float64(tapsADay) / tapsASync, "every 30 s or 100 taps, and on leaving; then tasks, and the loyalty bonus, since coins changed", 3, (*actor).sync},
	{"look at the wheel", 1, "the wheel's screen asks how many spins there are", 1, (*actor).wheel},
	{"spin", game.FreeSpinsADay, "all free spins; then the loyalty bonus, since coins changed; all but plain coins are claimed by a call", 2 + pendingShare, (*actor).spin},
	{"back home", 2, "tasks, when the wheel was turned since they were asked for", 1, (*actor).tasks},
	{"advice", 0.7, "asked for and claimed", 2, (*actor).advice},
	{"claim of a task", 2, "the panel asks for the tasks when it opens; advice, spins and taps complete most of what is claimed", 2, (*actor).claim},
	{"board", 1, "the first page of the best by coins", 1, (*actor).board},
	{"look into the mines", 0.4, "most look and do not buy", 1, (*actor).mines},
	{"miners' board", 0.2, "", 1, (*actor).miners},
	{"friends", 0.3, "the referral screen's list", 1, (*actor).friends},
	{"history", 0.2, "the wallet's list of what came in", 1, (*actor).history},
}

func callsADay() (calls float64) {
	for _, d := range actions {
		calls += d.times * d.calls
	}
	return calls
}

func actionsADay() (times float64) {
	for _, d := range actions {
		times += d.times
	}
	return times
}

// playersASecond returns how many players' days fall into a second at the peak, for a share of all players.
func playersASecond(share float64) float64 {
	return share * dayPlayers * peakFactor / secondsADay
}

// chosen returns the action at a point of 0 to 1, weighted by frequency.
func chosen(at float64) int {
	at *= actionsADay()
	for i, d := range actions {
		if at < d.times {
			return i
		}
		at -= d.times
	}
	return len(actions) - 1
}
