package api_test

import (
	"fmt"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// maxStored limits the database's growth by one account in a day.
const maxStored = 10e6 // bytes

// A script calls as often as the limits allow, each time with a new key.
func TestAccountStoresTenMegabytesADayAtMost(t *testing.T) {
	t.Parallel()
	calls := map[string]func(i int) request{
		"a hint without an order": func(int) request {
			return request{method: "POST", path: "/api/mines/unlock", body: `{"level":1,"transaction_hash":"` + fmt.Sprintf("%064x", 7) + `"}`}
		},
		"taps without energy": func(i int) request {
			return request{method: "POST", path: "/api/tap/perform-batch-tap", body: fmt.Sprintf(`{"total_taps":1000,"batch_id":"%s"}`, modelstest.Key(i))}
		},
		"a client seed": func(i int) request {
			return request{method: "PUT", path: "/api/roulette/client-seed", body: fmt.Sprintf(`{"client_seed":"%s"}`, modelstest.Key(i))}
		},
		"a preference": func(i int) request {
			return request{method: "PUT", path: "/api/user/update", body: fmt.Sprintf(`{"notifications":%t}`, i%2 == 0)}
		},
		"a wallet": func(i int) request {
			return request{method: "PUT", path: "/api/user/wallet", body: fmt.Sprintf(`{"wallet_address":"0:%064x"}`, i)}
		},
		"a payload to sign": func(int) request { return request{method: "POST", path: "/api/ton/proof-payload"} },
	}
	for _, database := range modelstest.Databases {
		for name, call := range calls {
			t.Run(database+" "+name, func(t *testing.T) {
				address := modelstest.Address(t, database)
				raw := modelstest.Raw(t, address)
				g := serve(t, modelstest.OpenStore(t, address), func(o *api.Options) { o.Limits.Address, o.Limits.Player = 100, 10 })
				launch := g.arrives(modelstest.TelegramID())
				sent := 0
				grows := func(span time.Duration) int64 {
					before := modelstest.StoredBytes(t, raw)
					for end := g.clock.Now().Add(span); g.clock.Now().Before(end); g.clock.Step(10 * time.Second) {
						for {
							sent++
							a := g.send(call(sent).from(launch).with("Idempotency-Key", modelstest.Key(sent), true))
							if a.status == 429 {
								break
							}
							if a.status >= 500 {
								t.Fatalf("%d %s", a.status, a.body)
							}
						}
					}
					return modelstest.StoredBytes(t, raw) - before
				}
				day := grows(10 * time.Minute) // with the bursts
				day += 4 * 24 * grows(15*time.Minute)
				t.Logf("%.2f MB a day", float64(day)/1e6)
				if float64(day) > maxStored {
					t.Errorf("one account stores %.1f MB a day", float64(day)/1e6)
				}
			})
		}
	}
}

func (q request) from(launch string) request {
	q.launch = launch
	return q
}
