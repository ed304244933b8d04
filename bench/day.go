package main

import (
	"encoding/json"
	"fmt"
	"os"

	"mcbk/game"
)

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

// claimedShare is the part of the prizes that are claimed by a call: all but plain coins.
const claimedShare = 0.67

// action is a player's action.
type action struct {
	name  string
	times float64            // by one player on one day
	who   func(*actor) error // chooses the player; nil where the action follows another
}

// actions are one player's day. How often each happens is assumed, its calls are recorded from the web app.
var actions = []action{
	{"first visit", 1, (*actor).newcomer},
	{"another visit", visitsADay - 1, (*actor).regular},
	{"look at the bag", visitsADay, (*actor).anyone},
	{"sync of taps", float64(tapsADay) / tapsASync, (*actor).anyone},
	{"look at the wheel", 1, (*actor).anyone},
	{spin, game.FreeSpinsADay * claimedShare, (*actor).spinner},
	{spinForCoins, game.FreeSpinsADay * (1 - claimedShare), (*actor).spinner},
	{claimOfPrize, game.FreeSpinsADay * claimedShare, nil},
	{"back home", 2, (*actor).anyone},
	{"advice", 0.7, (*actor).unadvised},
	{"claim of a task", 2, (*actor).claimant},
	{"board", 1, (*actor).anyone},
	{"look into the mines", 0.4, (*actor).anyone},
	{"miners' board", 0.2, (*actor).anyone},
	{"friends", 0.3, (*actor).anyone},
	{"history", 0.2, (*actor).anyone},
}

// A spin's prize decides which calls follow.
const (
	spin         = "spin"
	spinForCoins = "spin for coins"
	claimOfPrize = "claim of a prize"
)

// calls are what the web app calls in each action, such as "GET /api/tasks".
type calls map[string][]string

// readCalls reads what webapp/e2e/calls.spec.ts has recorded.
func readCalls(path string) (c calls, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // the operator's own argument
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	for _, a := range actions {
		if len(c[a.name]) == 0 {
			return nil, fmt.Errorf("%s has no calls for %q", path, a.name)
		}
	}
	return c, nil
}

// aDay returns the number of calls of one player's day.
func (c calls) aDay() (sum float64) {
	for _, a := range actions {
		sum += a.times * float64(len(c[a.name]))
	}
	return sum
}

func actionsADay() (times float64) {
	for _, a := range actions {
		if a.who != nil {
			times += a.times
		}
	}
	return times
}

// playersASecond returns how many players' days fall into a second at the peak, for a share of all players.
func playersASecond(share float64) float64 {
	return share * dayPlayers * peakFactor / secondsADay
}

// chosen returns the action at a point of 0 to 1, weighted by frequency.
func chosen(at float64) (last action) {
	at *= actionsADay()
	for _, a := range actions {
		if a.who == nil {
			continue
		}
		if at < a.times {
			return a
		}
		at, last = at-a.times, a
	}
	return last
}
