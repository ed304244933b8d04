package ton

import (
	"testing"

	"mcbk/game"
)

// Any response gives a plausible price or an error.
func FuzzPrice(f *testing.F) {
	for _, body := range []string{
		`{"usd":2.5}`, `{"the-open-network":{"usd":2.512345678}}`, `{"rates":{"TON":{"prices":{"USD":"3.1"}}}}`, `{"usd":1e-30}`, `{"usd":1e400}`,
		`{"usd":-1}`, `{"usd":"0x1p10"}`, `{"usd":1e999999999}`, `{"usd":"1/3"}`, "[]",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if price, err := priceIn(body); err == nil && (price <= 0 || price > highestPrice*game.USD) {
			t.Errorf("%q is a price of %d", body, price)
		}
	})
}
