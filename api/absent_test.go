package api_test

import (
	"fmt"
	"testing"

	"mcbk/models"
	"mcbk/models/modelstest"
)

// Many clients send null for an absent value, also as the body.
func TestNullOptionalFieldIsAbsent(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		g.digs(raw)
		g.opens(raw, models.AdDaily)
		for _, c := range []struct{ method, path, body string }{
			{"POST", "/api/ads/start", `{"purpose":"daily","target_id":null}`},
			{"POST", "/api/tap/perform-batch-tap", `{"total_taps":1,"batch_id":null}`},
			{"POST", "/api/mines/mine", `{"taps":1,"batch_id":null}`},
			{"PUT", "/api/user/wallet", fmt.Sprintf(`{"wallet_address":%q,"proof":null}`, walletOf("any").address.Raw())},
			{"PUT", "/api/user/wallet", `{"wallet_address":null,"proof":null}`},
		} {
			send := func(body string) answer {
				return g.send(request{method: c.method, path: c.path, body: body, launch: raw})
			}
			if a := send(c.body); a.status != 200 {
				t.Errorf("%s %s is answered %d %s", c.path, c.body, a.status, a.body)
			}
			if a := send("null"); a.status != 400 || a.code() != "validation_failed" {
				t.Errorf("%s of null is answered %d %s", c.path, a.status, a.body)
			}
		}
		modelstest.Sound(t, g.store)
	})
}

func TestEmptyOptionalParameterIsAbsent(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"))
	raw := g.arrives(modelstest.TelegramID())
	for path, status := range map[string]int{
		"/api/user/me?referral_code=":                       200,
		"/api/referral?status=&limit=&offset=":              200,
		"/api/referral/?limit=":                             200,
		"/api/leaderboard?type=&limit=&offset=":             200,
		"/api/user/transactions?type=&limit=5&offset=":      200,
		"/api/orders?limit=&offset=":                        200,
		"/api/roulette/fairness?limit=&offset=0":            200,
		"/api/user/transactions?limit=0":                    400,
		"/api/user/transactions?limit=%20":                  400,
		"/api/user/transactions?offset=x":                   400,
		"/api/ads/reward?userid=&ticket=&key=" + adsSecret:  400,
		"/api/ads/reward?userid=1&ticket=&key=" + adsSecret: 200,
	} {
		if a := g.send(request{method: "GET", path: path, launch: raw}); a.status != status {
			t.Errorf("%s is answered %d %s, want %d", path, a.status, a.body, status)
		}
	}
}
