package control

import (
	"net/http"

	"mcbk-sandbox/feed"
	"mcbk-sandbox/rates"
)

func (a *API) readRates(*http.Request) (any, error) { return a.Rates.State(), nil }

// setRates sets the price of TON, or breaks its service.
func (a *API) setRates(r *http.Request) (any, error) {
	var to rates.State
	if err := body(r, &to); err != nil {
		return nil, err
	}
	if err := a.Rates.Set(to); err != nil {
		return nil, wrong("%v", err)
	}
	a.Feed.Send(feed.Event{Kind: "rates"})
	return a.Rates.State(), nil
}
