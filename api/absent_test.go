package api_test

import (
	"fmt"
	"testing"

	"mcbk/models"
	"mcbk/models/modelstest"
)

// Many clients send null for an absent value.
func TestNullOptionalFieldIsAbsent(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		g.digs(raw)
		g.opens(raw, models.AdDaily)
		for _, c := range []struct{ method, path, body string }{
			{"POST", "/ads/start", `{"purpose":"daily","target_id":null}`},
			{"POST", "/tap/perform-batch-tap", `{"total_taps":1,"batch_id":null}`},
			{"POST", "/mines/mine", `{"taps":1,"batch_id":null}`},
			{"PUT", "/user/wallet", fmt.Sprintf(`{"wallet_address":%q,"proof":null}`, walletOf("any").address.Raw())},
			{"PUT", "/user/wallet", `{"wallet_address":null,"proof":null}`},
		} {
			g.asks(raw, c.method, c.path, c.body, 200, nil)
		}
		modelstest.Sound(t, g.store)
	})
}

func TestEmptyOptionalParameterIsAbsent(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"))
	raw := g.arrives(modelstest.TelegramID())
	for path, status := range map[string]int{
		"/user/me?referral_code=":                       200,
		"/referral?status=&limit=&offset=":              200,
		"/referral/?limit=":                             200,
		"/leaderboard?type=&limit=&offset=":             200,
		"/user/transactions?type=&limit=5&offset=":      200,
		"/orders?limit=&offset=":                        200,
		"/roulette/fairness?limit=&offset=0":            200,
		"/user/transactions?limit=0":                    400,
		"/user/transactions?limit=%20":                  400,
		"/user/transactions?offset=x":                   400,
		"/ads/reward?userid=&ticket=&key=" + adsSecret:  400,
		"/ads/reward?userid=1&ticket=&key=" + adsSecret: 200,
	} {
		g.asks(raw, "GET", path, "", status, nil)
	}
}
