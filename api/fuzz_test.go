package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	initdata "github.com/telegram-mini-apps/init-data-golang"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// Any launch data are parsed safely, and accepted only with a signature that a second implementation accepts.
func FuzzLaunchData(f *testing.F) {
	for _, extra := range [][]string{nil, {"start_param", "a%b"}, {"user", `{"id":7,"is_bot":false}`}, {"hash", "00"}} {
		f.Add(launch(7, modelstest.Noon, extra...))
	}
	f.Add("auth_date=1&hash=%00&user=%7B%7D")
	f.Fuzz(func(t *testing.T, raw string) {
		arrival, err := api.CheckLaunchData(token, raw, modelstest.Noon)
		if err != nil {
			return
		}
		if err := initdata.Validate(raw, token, 0); err != nil {
			t.Errorf("%q is believed, and %v", raw, err)
		}
		if arrival.TelegramID <= 0 || arrival.SignedAt.After(modelstest.Noon.Add(time.Minute)) || strings.ContainsAny(arrival.FirstName+arrival.Username, "\x00\n\u202e") {
			t.Errorf("%q makes %+v", raw, arrival)
		}
	})
}

// A body is accepted only as one JSON value of limited depth, by a second implementation.
func FuzzBody(f *testing.F) {
	for _, body := range []string{`{"total_taps":1,"batch_id":"batch-001"}`, `{"a":"\"[{\\"}`, nested(8), nested(9), "[[[[[[[[[", `{"a":1}{"a":1}`, "\xff", ""} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		deepest, open := 0, 0
		tokens := json.NewDecoder(bytes.NewReader(body))
		for {
			token, err := tokens.Token()
			if err != nil {
				break
			}
			switch token {
			case json.Delim('{'), json.Delim('['):
				open++
				deepest = max(deepest, open)
			case json.Delim('}'), json.Delim(']'):
				open--
			}
		}
		if took, good := api.TakesBody(body), json.Valid(body) && deepest <= 8; took != good {
			t.Errorf("%q, %d levels deep, is taken: %t", body, deepest, took)
		}
	})
}

// Any text is parsed exactly as an amount or refused, and formatting it round-trips.
func FuzzAmount(f *testing.F) {
	for _, text := range []string{"1", "0.1", "1000", "0.000000001", "1e3", "-1", "1.", ".5", "0x1", "9223372036.854775807", "9223372036.854775808", "NaN", "01", "null", `"1"`, "0e10000000000000000000"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var ton api.TON
		if err := ton.UnmarshalJSON(text); err != nil {
			if !errors.Is(err, api.ErrAmount) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		exact, ok := new(big.Rat).SetString(string(text))
		if digits, _, _ := bytes.Cut(bytes.ToLower(text), []byte("e")); len(bytes.Trim(digits, "-0.")) == 0 {
			exact, ok = new(big.Rat), true // a Rat takes no exponent beyond int64, even of zero
		}
		if !ok || !json.Valid(text) || exact.Mul(exact, big.NewRat(1_000_000_000, 1)).Cmp(new(big.Rat).SetInt64(int64(ton))) != 0 {
			t.Errorf("%q is read as %d nanoton", text, ton)
		}
		var again api.TON
		if err := again.UnmarshalJSON([]byte(ton.String())); err != nil || again != ton {
			t.Errorf("%q is said as %s and read as %d, %v", text, ton, again, err)
		}
	})
}
