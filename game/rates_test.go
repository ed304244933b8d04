package game

import (
	"testing"
	"time"
)

func TestSalesNeedFreshAndCalmPrice(t *testing.T) {
	now := time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)
	// calm is two hours of readings at one price up to some minutes ago.
	calm := func(until time.Duration, price MicroUSD) (all []PriceReading) {
		for age := 2 * time.Hour; age >= until; age -= PriceInterval {
			all = append(all, PriceReading{At: now.Add(-age), Price: price})
		}
		return all
	}
	reading := func(age time.Duration, price MicroUSD) PriceReading {
		return PriceReading{At: now.Add(-age), Price: price}
	}
	for name, c := range map[string]struct {
		readings []PriceReading
		want     Rate
	}{
		"never read":             {nil, Rate{}},
		"read once":              {[]PriceReading{reading(time.Minute, 2_500_000)}, Rate{2_500_000, now.Add(-time.Minute), true}},
		"fresh and calm":         {calm(0, 2_500_000), Rate{2_500_000, now, true}},
		"ten minutes old":        {calm(10*time.Minute, 2_500_000), Rate{2_500_000, now.Add(-10 * time.Minute), true}},
		"older":                  {append(calm(12*time.Minute, 2_500_000), reading(PriceFresh+time.Second, 2_500_000)), Rate{2_500_000, now.Add(-PriceFresh - time.Second), false}},
		"a fifth more":           {append(calm(2*time.Minute, 2_500_000), reading(0, 3_000_000)), Rate{3_000_000, now, true}},
		"more than a fifth":      {append(calm(2*time.Minute, 2_500_000), reading(0, 3_000_001)), Rate{3_000_001, now, false}},
		"less than a fifth":      {append(calm(2*time.Minute, 2_500_000), reading(0, 1_999_999)), Rate{1_999_999, now, false}},
		"a jump and back":        {append(calm(6*time.Minute, 2_500_000), reading(4*time.Minute, 9_000_000), reading(2*time.Minute, 2_500_000)), Rate{2_500_000, now.Add(-2 * time.Minute), false}},
		"long after a jump":      {append(append(calm(16*time.Minute, 2_500_000), reading(14*time.Minute, 9_000_000), reading(12*time.Minute, 2_500_000)), calm(0, 2_500_000)[57:]...), Rate{2_500_000, now, true}},
		"by small steps":         {append(calm(6*time.Minute, 2_500_000), reading(4*time.Minute, 2_900_000), reading(2*time.Minute, 3_300_000)), Rate{3_300_000, now.Add(-2 * time.Minute), false}},
		"sources that differ":    {append(calm(2*time.Minute, 2_500_000), PriceReading{now, 2_500_000, true}), Rate{2_500_000, now, false}},
		"a jump back since":      {append(calm(12*time.Minute, 2_500_000), reading(priceCalm, 3_300_000), reading(2*time.Minute, 2_600_000)), Rate{2_600_000, now.Add(-2 * time.Minute), false}},
		"calm for ten minutes":   {append(calm(12*time.Minute, 2_500_000), PriceReading{now.Add(-priceCalm), 2_500_000, true}, reading(2*time.Minute, 2_500_000)), Rate{2_500_000, now.Add(-2 * time.Minute), true}},
		"for a little less":      {append(calm(12*time.Minute, 2_500_000), PriceReading{now.Add(-priceCalm + 1), 2_500_000, true}, reading(2*time.Minute, 2_500_000)), Rate{2_500_000, now.Add(-2 * time.Minute), false}},
		"an hour old to compare": {[]PriceReading{reading(PriceMemory, 2_500_000), reading(0, 9_000_000)}, Rate{9_000_000, now, false}},
		"after a long pause":     {[]PriceReading{reading(2*time.Hour, 9_000_000), reading(0, 2_500_000)}, Rate{2_500_000, now, false}},
		"calm since the pause":   {[]PriceReading{reading(2*time.Hour, 9_000_000), reading(priceCalm, 2_500_000), reading(0, 2_500_000)}, Rate{2_500_000, now, true}},
		"as before the pause":    {[]PriceReading{reading(2*time.Hour, 2_500_000), reading(0, 2_900_000)}, Rate{2_900_000, now, true}},
	} {
		if got := RateNow(c.readings, now); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestLatePaymentUsesPlausiblePrice(t *testing.T) {
	now := time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)
	doubtful := func(price MicroUSD) PriceReading { return PriceReading{Price: price, Doubtful: true} }
	read := func(price MicroUSD) PriceReading { return PriceReading{Price: price} }
	for name, c := range map[string]struct {
		readings []PriceReading
		want     MicroUSD
	}{
		"never read":                {nil, 0},
		"read once":                 {[]PriceReading{read(3_000_000)}, 3_000_000},
		"read once, and disputed":   {[]PriceReading{doubtful(3_000)}, 3_000},
		"a fifth less":              {[]PriceReading{read(3_000_000), read(2_400_000)}, 2_400_000},
		"one bad answer":            {[]PriceReading{read(3_000_000), read(3_000)}, 3_000_000},
		"back after it":             {[]PriceReading{read(3_000_000), read(3_000), read(3_000_000)}, 3_000_000},
		"back, a little lower":      {[]PriceReading{read(3_000_000), read(3_000), read(2_900_000), read(2_800_000)}, 2_800_000},
		"services that differ":      {[]PriceReading{read(3_000_000), doubtful(2_900_000), doubtful(2_900_000)}, 3_000_000},
		"as one disputed":           {[]PriceReading{read(3_000_000), doubtful(3_000), read(3_000)}, 3_000_000},
		"a fall":                    {[]PriceReading{read(3_000_000), read(2_000_000)}, 3_000_000},
		"a fall that two have seen": {[]PriceReading{read(3_000_000), read(2_000_000), read(2_050_000)}, 2_050_000},
	} {
		for i := range c.readings {
			c.readings[i].At = now.Add(time.Duration(i) * PriceInterval)
		}
		if got := LastBelieved(c.readings); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
