package game

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// For any payment and prices the coins cost no more than paid, and one millionth more would, or there is no such number.
func TestCoinsForTONAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.OneOf(rapid.Int64Range(0, int64(MostPurchase)), rapid.Int64Range(0, 1<<62)).Draw(t, "nanoton")
		tonPrice := rapid.OneOf(rapid.Int64Range(1, 10*int64(USD)), rapid.Int64Range(1, 1_000_000*int64(USD)), rapid.Int64Range(1, 1<<62)).Draw(t, "TON, micro-USD")
		price := rapid.OneOf(rapid.Int64Range(1, int64(finalPrice)), rapid.Int64Range(1, 1<<62)).Draw(t, "MCBK, micro-USD")
		got, ok := Quote{MicroUSD(tonPrice), MicroUSD(price)}.Coins(Nanoton(amount))
		paid := new(big.Int).Mul(big.NewInt(amount), big.NewInt(tonPrice))
		cost := func(coins *big.Int) *big.Int { return coins.Mul(coins, big.NewInt(1000)).Mul(coins, big.NewInt(price)) }
		if !ok {
			if least := new(big.Int).Lsh(big.NewInt(1), 63); cost(least).Cmp(paid) > 0 {
				t.Fatalf("%d nanoton at %d and %d are said to buy too much", amount, tonPrice, price)
			}
			return
		}
		if cost(big.NewInt(int64(got))).Cmp(paid) > 0 || cost(new(big.Int).Add(big.NewInt(int64(got)), big.NewInt(1))).Cmp(paid) <= 0 {
			t.Fatalf("%d nanoton at %d and %d: %d", amount, tonPrice, price, got)
		}
	})
}

func TestCoinsOfKnownPurchases(t *testing.T) {
	for _, c := range []struct {
		amount Nanoton
		q      Quote
		want   MicroMCBK
	}{
		{TON, Quote{2_500_000, 2000}, 1250 * MCBK},
		{1, Quote{2_500_000, 2000}, 1}, // 1.25 millionths
		{TON, Quote{3_333_333, 2300}, 1_449_275_217},
		{521_652, Quote{35_362_164_956_158, 1<<64/1000 + 1}, 1}, // products of more than 64 bits
	} {
		if got, ok := c.q.Coins(c.amount); !ok || got != c.want {
			t.Errorf("%d nanoton at %+v: %d, %t, want %d", c.amount, c.q, got, ok, c.want)
		}
	}
	for _, q := range []Quote{{}, {0, 2000}, {2_500_000, 0}, {-1, 2000}} {
		if got, ok := q.Coins(TON); ok {
			t.Errorf("at %+v: %d", q, got)
		}
	}
}

func TestOrderAmountIsBounded(t *testing.T) {
	for amount, want := range map[Nanoton]Code{
		-1: AmountTooSmall, 0: AmountTooSmall, 1: AmountTooSmall, LeastPurchase - 1: AmountTooSmall, LeastPurchase: "",
		MostPurchase: "", MostPurchase + 1: AmountTooLarge,
	} {
		err := MayOrder(amount)
		var no *Refusal
		if want == "" && err != nil || want != "" && (!errors.As(err, &no) || no.Code != want) {
			t.Errorf("%d nanoton: %v, want %q", amount, err, want)
		}
	}
}

func TestPriceLockEndsAfterFifteenMinutesOrStep(t *testing.T) {
	season := Season{Start: time.Date(2026, time.March, 4, 0, 0, 0, 0, time.UTC)}
	rise := season.DayStart(13)
	for _, c := range []struct{ now, want time.Time }{
		{season.Start, season.Start.Add(15 * time.Minute)},
		{rise.Add(-20 * time.Minute), rise.Add(-5 * time.Minute)},
		{rise.Add(-13 * time.Minute), rise.Add(2 * time.Minute)},
		{rise.Add(-time.Second), rise.Add(2 * time.Minute)},
		{rise, rise.Add(15 * time.Minute)},
		{season.DayStart(10).Add(-time.Minute), season.DayStart(10).Add(14 * time.Minute)}, // no other price begins
		{season.DayStart(400), season.DayStart(400).Add(15 * time.Minute)},
	} {
		if got := season.LockedUntil(c.now); !got.Equal(c.want) {
			t.Errorf("an order of %s is locked until %s, want %s", c.now, got, c.want)
		}
	}
}

func TestSettlementFollowsPaymentTimeAndOrder(t *testing.T) {
	until := time.Date(2026, time.March, 4, 12, 15, 0, 0, time.UTC)
	order := Purchase{Amount: 2 * TON, Open: true, Locked: Quote{2_500_000, 2000}, Until: until}
	paid := order
	paid.Open, paid.Paid = false, 2*TON
	huge := paid
	huge.Paid = 999 * TON
	dear, cheap, unknown := Quote{5_000_000, 2000}, Quote{1_250_000, 2000}, Quote{} // a TON costs more, less
	for name, c := range map[string]struct {
		order Purchase
		paid  Nanoton
		at    time.Time
		then  Quote
		want  Settlement
	}{
		"on time":                      {order, 2 * TON, until, dear, Settlement{2 * TON, 0, 0, 2500 * MCBK}},
		"in the last moment":           {order, 2 * TON, until.Add(PaymentGrace), cheap, Settlement{2 * TON, 0, 0, 2500 * MCBK}},
		"too little":                   {order, TON, until, dear, Settlement{TON, 0, 0, 1250 * MCBK}},
		"too much, TON is dearer":      {order, 3 * TON, until, dear, Settlement{2 * TON, TON, 0, 3750 * MCBK}},
		"too much, TON is cheaper":     {order, 3 * TON, until, cheap, Settlement{2 * TON, TON, 0, 3125 * MCBK}},
		"late, TON is dearer":          {order, 2 * TON, until.Add(PaymentGrace + time.Second), dear, Settlement{0, 2 * TON, 0, 2500 * MCBK}},
		"late, TON is cheaper":         {order, 2 * TON, until.Add(PaymentGrace + time.Second), cheap, Settlement{0, 2 * TON, 0, 1250 * MCBK}},
		"late, nobody knows the price": {order, 2 * TON, until.Add(time.Hour), unknown, Settlement{0, 2 * TON, 0, 2500 * MCBK}},
		"late, on a dearer day, nobody knows the price of TON":  {order, 2 * TON, until.Add(time.Hour), Quote{0, 10_000}, Settlement{0, 2 * TON, 0, 500 * MCBK}},
		"again, on a dearer day, nobody knows the price of TON": {paid, 2 * TON, until, Quote{0, 10_000}, Settlement{0, 2 * TON, 0, 500 * MCBK}},
		"again":                     {paid, 2 * TON, until, cheap, Settlement{0, 2 * TON, 0, 1250 * MCBK}},
		"dust":                      {order, LeastPurchase - 1, until, dear, Settlement{0, 0, LeastPurchase - 1, 0}},
		"beyond a thousand":         {huge, 3 * TON, until, dear, Settlement{0, TON, 2 * TON, 1250 * MCBK}},
		"beyond a thousand at once": {order, 1001 * TON, until, dear, Settlement{2 * TON, 998 * TON, TON, 1_250_000 * MCBK}},
	} {
		if got := c.order.Settle(c.paid, c.at, c.then); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// No payment gives more coins than at the better of both prices, and no nanoton is lost.
func TestSettlementConservesPayment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := rapid.Int64Range(1, 1_000_000*int64(USD))
		p := Purchase{
			Amount: Nanoton(rapid.Int64Range(int64(LeastPurchase), int64(MostPurchase)).Draw(t, "ordered")),
			Paid:   Nanoton(rapid.Int64Range(0, int64(MostPurchase)).Draw(t, "paid before")),
			Open:   rapid.Bool().Draw(t, "open"), Locked: Quote{MicroUSD(price.Draw(t, "locked")), Price(rapid.IntRange(1, 90).Draw(t, "day"))},
		}
		paid := Nanoton(rapid.Int64Range(0, 3*int64(MostPurchase)).Draw(t, "paid"))
		then := Quote{MicroUSD(price.Draw(t, "then")), p.Locked.MCBK}
		late := time.Duration(rapid.Int64Range(-100, 100).Draw(t, "seconds late")) * time.Second
		s := p.Settle(paid, p.Until.Add(late), then)
		if s.Locked < 0 || s.Later < 0 || s.Held < 0 || s.Locked+s.Later+s.Held != paid {
			t.Fatalf("%d nanoton became %+v", paid, s)
		}
		if sold := s.Locked + s.Later; p.Paid+sold > MostPurchase || s.Locked > p.Amount {
			t.Fatalf("sold %d after %d: %+v", sold, p.Paid, s)
		}
		most, _ := p.Locked.Coins(s.Locked + s.Later)
		if s.Coins > most || (s.Locked+s.Later == 0) != (s.Coins == 0) && s.Coins != 0 {
			t.Fatalf("%+v, at most %d", s, most)
		}
	})
}

func TestReferralShareIsRoundedDown(t *testing.T) {
	for coins, share := range map[MicroMCBK]MicroMCBK{0: 0, 99: 0, 100: 1, 199: 1, 1_250 * MCBK: 12_500_000} {
		if got := ReferralShare(coins); got != share {
			t.Errorf("of %d they get %d, not %d", coins, got, share)
		}
	}
}
