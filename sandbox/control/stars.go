package control

import (
	"net/http"

	"mcbk-sandbox/telegram"
)

// maxStars bounds one change of a balance.
const maxStars = 1_000_000_000

func (a *API) readBooks(*http.Request) (any, error) { return a.Telegram.Books(), nil }

func (a *API) readStars(_ *http.Request, id int64) (any, error) {
	return a.Telegram.Stars(id)
}

// changeStars gives, takes or sets a player's Stars.
func (a *API) changeStars(r *http.Request, id int64) (any, error) {
	var c struct {
		Give *int64 `json:"give"`
		Take *int64 `json:"take"`
		Set  *int64 `json:"set"`
	}
	if err := body(r, &c); err != nil {
		return nil, err
	}
	named := 0
	for _, stars := range []*int64{c.Give, c.Take, c.Set} {
		if stars == nil {
			continue
		}
		if *stars < 0 || *stars > maxStars {
			return nil, wrong("Stars are 0 to %d", int64(maxStars))
		}
		named++
	}
	if named != 1 {
		return nil, wrong("say give, take or set")
	}
	return a.Telegram.ChangeStars(id, func(now int64) int64 {
		switch {
		case c.Give != nil:
			return now + *c.Give
		case c.Take != nil:
			return now - *c.Take
		}
		return *c.Set
	})
}

func (a *API) readInvoice(r *http.Request) (any, error) {
	return a.Telegram.Invoice(r.URL.Query().Get("link"))
}

// payStars answers when the payment sheet would close.
func (a *API) payStars(r *http.Request) (any, error) {
	var p telegram.PayRequest
	if err := body(r, &p); err != nil {
		return nil, err
	}
	return a.Telegram.Pay(p)
}

func (a *API) refundStars(r *http.Request) (any, error) {
	var c struct {
		Charge string `json:"charge"`
	}
	if err := body(r, &c); err != nil {
		return nil, err
	}
	return a.Telegram.Refund(c.Charge)
}
