package control

import (
	"net/http"

	"mcbk-sandbox/feed"
	"mcbk-sandbox/wallet"
)

// asked is the content of a link to the wallet.
type asked struct {
	// Question is a connect link's request; a link without one only opens the wallet.
	*wallet.Question
	// Player is the player connected to the link's app, if any.
	Player int64 `json:"player,omitempty"`
}

// readLink returns a link's request and player.
func (a *API) readLink(r *http.Request) (any, error) {
	q := r.URL.Query()
	about := asked{Player: a.Wallets.PlayerOf(q.Get("client"))}
	if q.Get("link") == "" {
		return about, nil
	}
	question, err := a.Wallets.Read(r.Context(), q.Get("link"))
	about.Question = &question
	return about, err
}

func (a *API) readWallet(_ *http.Request, player int64) (any, error) {
	return a.Wallets.Show(player)
}

// connect accepts or declines a connect link.
func (a *API) connect(r *http.Request, player int64) (any, error) {
	var c struct {
		Link    string `json:"link"`
		Decline bool   `json:"decline"`
	}
	if err := body(r, &c); err != nil {
		return nil, err
	}
	if c.Decline {
		return done, a.Wallets.Decline(player, c.Link)
	}
	return a.Wallets.Connect(r.Context(), player, c.Link)
}

// judge approves or declines a pending payment.
func (a *API) judge(r *http.Request, player int64) (any, error) {
	var j struct {
		Request string `json:"request"`
	}
	if err := body(r, &j); err != nil {
		return nil, err
	}
	switch r.PathValue("word") {
	case "approve":
		return a.Wallets.Approve(player, j.Request)
	case "decline":
		return done, a.Wallets.Refuse(player, j.Request)
	}
	return nil, &problem{http.StatusNotFound, "the words are connect, approve, decline and disconnect"}
}

func (a *API) disconnect(r *http.Request, player int64) (any, error) {
	var d struct {
		Client string `json:"client"`
	}
	if err := body(r, &d); err != nil {
		return nil, err
	}
	return done, a.Wallets.Disconnect(player, d.Client)
}

func (a *API) readBridge(*http.Request) (any, error) {
	return map[string]bool{"offline": a.Bridge.Offline()}, nil
}

func (a *API) setBridge(r *http.Request) (any, error) {
	var b struct {
		Offline bool `json:"offline"`
	}
	if err := body(r, &b); err != nil {
		return nil, err
	}
	a.Bridge.SetOffline(b.Offline)
	a.Feed.Send(feed.Event{Kind: "bridge"})
	return a.readBridge(r)
}
