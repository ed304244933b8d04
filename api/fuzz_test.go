package api_test

import (
	"strings"
	"testing"
	"time"

	initdata "github.com/telegram-mini-apps/init-data-golang"

	"mcbk/api"
	"mcbk/models/given"
)

// Launch data of any bytes are read without harm, and believed only when another reader finds
// the same signature good.
func FuzzLaunchData(f *testing.F) {
	for _, extra := range [][]string{nil, {"start_param", "a%b"}, {"user", `{"id":7,"is_bot":false}`}, {"hash", "00"}} {
		f.Add(launch(7, given.Noon, extra...))
	}
	f.Add("auth_date=1&hash=%00&user=%7B%7D")
	f.Fuzz(func(t *testing.T, raw string) {
		arrival, err := api.CheckLaunchData(token, raw, given.Noon)
		if err != nil {
			return
		}
		if err := initdata.Validate(raw, token, 0); err != nil {
			t.Errorf("%q is believed, and %v", raw, err)
		}
		if arrival.TelegramID <= 0 || arrival.SignedAt.After(given.Noon.Add(time.Minute)) || strings.ContainsAny(arrival.FirstName+arrival.Username, "\x00\n\u202e") {
			t.Errorf("%q makes %+v", raw, arrival)
		}
	})
}
