package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"mcbk-sandbox/ads"
	"mcbk-sandbox/chain"
	"mcbk-sandbox/child"
	"mcbk-sandbox/people"
	"mcbk-sandbox/telegram"
	"mcbk-sandbox/wallet"
)

// problem is an error with its HTTP status.
type problem struct {
	status int
	text   string
}

func (p *problem) Error() string { return p.text }

func wrong(format string, args ...any) error {
	return &problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// statuses are those of client errors.
var statuses = map[int][]error{
	http.StatusBadRequest: {wallet.ErrLink},
	http.StatusNotFound: {
		people.ErrNoPlayer, telegram.ErrNoButton, telegram.ErrNoInvoice, ads.ErrNoAd, chain.ErrNoServer, wallet.ErrNoRequest, wallet.ErrNoApp,
	},
	http.StatusConflict:   {child.ErrNone, telegram.ErrTooFewStars, chain.ErrTooLittle, chain.ErrNotAccepted, wallet.ErrRequest},
	http.StatusBadGateway: {wallet.ErrNoManifest},
}

// WriteError responds with a status and its reason as JSON.
func WriteError(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	code := strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "_")
	_ = json.NewEncoder(w).Encode(map[string]string{"code": code, "message": message})
}

func statusOf(err error) int {
	var p *problem
	var t *telegram.Error
	switch {
	case errors.As(err, &p):
		return p.status
	case errors.As(err, &t):
		return t.Code
	}
	for status, list := range statuses {
		if slices.ContainsFunc(list, func(one error) bool { return errors.Is(err, one) }) {
			return status
		}
	}
	return http.StatusInternalServerError
}
