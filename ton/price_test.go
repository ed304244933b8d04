package ton_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/ton"
)

// service returns the same response to every request.
func service(t *testing.T, status int, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestPriceIsParsedExactlyInEachForm(t *testing.T) {
	for body, want := range map[string]game.MicroUSD{
		`{"usd":2.5}`:                                         2_500_000,
		`{"the-open-network":{"usd":2.5432109}}`:              2_543_210,
		`{"rates":{"TON":{"prices":{"USD":2.9999999}}}}`:      2_999_999,
		`{"usd":"2.1"}`:                                       2_100_000,
		`{"usd":1000000}`:                                     1_000_000 * game.USD,
		`{"rates":{"TON":{"prices":{"USD":3},"diff_24h":1}}}`: 3_000_000,
	} {
		got, err := ton.ReadPrice(t.Context(), []string{service(t, 200, body)}, time.Unix(7, 0))
		check(t, err == nil && got == (game.PriceReading{At: time.Unix(7, 0), Price: want}), "%s: %+v, %v, want %d", body, got, err, want)
	}
}

func TestPriceErrorsContainNoKey(t *testing.T) {
	const address = "http://127.0.0.1:1/price?api_key=secretsecret"
	_, unpriced := ton.ReadPrice(t.Context(), []string{address}, time.Unix(7, 0))
	_, unlisted := ton.ReadServers(t.Context(), address, ton.Mainnet)
	for what, err := range map[string]error{"the price": unpriced, "the servers": unlisted} {
		check(t, err != nil && !strings.Contains(err.Error(), "secret") && strings.Contains(err.Error(), "127.0.0.1:1"), "%s: %v", what, err)
	}
}

func TestMalformedPriceIsRefused(t *testing.T) {
	services := []string{"http://127.0.0.1:1", service(t, 500, `{"usd":2.5}`)}
	for _, body := range []string{
		``, `{}`, `null`, `[]`, `<html>`, `{"usd":0}`, `{"usd":-1}`, `{"usd":1e9}`, `{"usd":1e-3}`, `{"usd":1000001}`, `{"usd":"NaN"}`,
		`{"usd":0.0000001}`, fmt.Sprintf(`{"usd":1%s}`, strings.Repeat("0", 200)), `{"usd":2.5,"pad":"` + strings.Repeat("x", 70_000) + `"}`,
	} {
		services = append(services, service(t, 200, body))
	}
	for _, one := range services {
		got, err := ton.ReadPrice(t.Context(), []string{one}, time.Unix(7, 0))
		check(t, errors.Is(err, ton.ErrNoPrice), "%s: %+v, %v", one, got, err)
	}
	_, err := ton.ReadPrice(t.Context(), nil, time.Unix(7, 0))
	check(t, errors.Is(err, ton.ErrNoPrice), "without a service: %v", err)
}

func TestLowerPriceCountsAndServicesMustAgree(t *testing.T) {
	good, broken := service(t, 200, `{"usd":2.5}`), service(t, 502, "")
	for other, want := range map[string]game.PriceReading{
		service(t, 200, `{"usd":2.4}`):      {Price: 2_400_000},
		service(t, 200, `{"usd":3.0}`):      {Price: 2_500_000},
		service(t, 200, `{"usd":3.000001}`): {Price: 2_500_000, Doubtful: true},
		service(t, 200, `{"usd":1}`):        {Price: 1_000_000, Doubtful: true},
		broken:                              {Price: 2_500_000},
	} {
		for _, services := range [][]string{{good, other}, {other, good}} {
			got, err := ton.ReadPrice(t.Context(), services, time.Time{})
			check(t, err == nil && got == want, "%+v, %v, want %+v", got, err, want)
		}
	}
}
