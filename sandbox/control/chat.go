package control

import (
	"net/http"
	"time"

	"mcbk-sandbox/telegram"
)

// longestAnswer limits the wait for the bot's reply.
const longestAnswer = 10 * time.Second

func (a *API) readChat(_ *http.Request, id int64) (any, error) {
	return a.Telegram.View(id)
}

func (a *API) send(r *http.Request, id int64) (any, error) {
	var m struct {
		Text    string `json:"text"`
		ReplyTo int64  `json:"reply_to"`
	}
	if err := body(r, &m); err != nil {
		return nil, err
	}
	if m.Text == "" {
		return nil, wrong("text is missing")
	}
	return a.Telegram.Say(id, m.Text, m.ReplyTo)
}

// pressed is a press's result; the field depends on the button.
type pressed struct {
	QueryID string           `json:"callback_query_id,omitempty"`
	Answer  *telegram.Answer `json:"answer,omitempty"`
	URL     string           `json:"url,omitempty"`
	Launch  *telegram.Opened `json:"launch,omitempty"`
}

// press accepts callback data, or a button's index, row by row.
func (a *API) press(r *http.Request, id int64) (any, error) {
	var p struct {
		Message int64  `json:"message_id"`
		Data    string `json:"data"`
		Button  *int   `json:"button"`
		Wait    bool   `json:"wait"`
	}
	if err := body(r, &p); err != nil {
		return nil, err
	}
	if p.Button != nil {
		b, err := a.Telegram.Button(id, p.Message, *p.Button)
		switch {
		case err != nil:
			return nil, err
		case b.WebApp != nil:
			opened, err := a.Telegram.Open(telegram.Launch{Player: id, URL: b.WebApp.URL})
			return pressed{Launch: &opened}, err
		case b.URL != "":
			return pressed{URL: b.URL}, nil
		}
		p.Data = b.Data
	}
	// Listen before the press, so that no reply is missed.
	events, stop := a.Feed.Listen()
	defer stop()
	query, err := a.Telegram.Press(id, p.Message, p.Data)
	if err != nil || !p.Wait {
		return pressed{QueryID: query}, err
	}
	over := time.After(longestAnswer)
	for {
		select {
		case e, open := <-events:
			if answer, ok := e.Detail.(telegram.Answer); ok && answer.QueryID == query {
				return pressed{QueryID: query, Answer: &answer}, nil
			}
			if !open {
				return pressed{QueryID: query}, nil
			}
		case <-over:
			return nil, &problem{http.StatusGatewayTimeout, "the bot did not answer the press"}
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}

func (a *API) block(r *http.Request, id int64) (any, error) {
	b := struct {
		Blocked bool `json:"blocked"`
	}{true}
	if err := body(r, &b); err != nil {
		return nil, err
	}
	return done, a.Telegram.Block(id, b.Blocked)
}

func (a *API) allow(_ *http.Request, id int64) (any, error) {
	return done, a.Telegram.AllowWriting(id)
}

func (a *API) clear(_ *http.Request, id int64) (any, error) {
	return done, a.Telegram.Clear(id)
}

// share sends a link from the player of the path to another.
func (a *API) share(r *http.Request, id int64) (any, error) {
	var s struct {
		To   int64  `json:"to"`
		URL  string `json:"url"`
		Text string `json:"text"`
	}
	if err := body(r, &s); err != nil {
		return nil, err
	}
	return done, a.Telegram.Share(s.To, telegram.Shared{From: id, URL: s.URL, Text: s.Text})
}

func (a *API) unshare(_ *http.Request, id int64) (any, error) {
	a.Telegram.Unshare(id)
	return done, nil
}
