package game

import (
	"slices"
	"time"
)

// Conditions on the price of TON for sales (decision 0032: selling coins).
const (
	PriceFresh    = 10 * time.Minute // maximum age of a reading for sales
	PriceInterval = 120 * time.Second
	priceCalm     = 10 * time.Minute // readings must agree this long after a difference
	PriceMemory   = time.Hour        // window of the median
	priceJump     = 5                // a change by more than a fifth is a jump
)

// PriceReading is one reading of the price of a TON.
type PriceReading struct {
	At       time.Time
	Price    MicroUSD // the lowest of the sources
	Doubtful bool     // the sources differed by more than a fifth
}

// Rate is the current price of TON.
type Rate struct {
	Price MicroUSD
	At    time.Time // of the last reading, zero before the first
	Sells bool      // fresh and calm: sales are open
}

// RateNow evaluates readings, oldest first, of at least two hours.
func RateNow(readings []PriceReading, now time.Time) Rate {
	if len(readings) == 0 {
		return Rate{}
	}
	last := readings[len(readings)-1]
	rate := Rate{Price: last.Price, At: last.At, Sells: now.Sub(last.At) <= PriceFresh}
	for i, r := range readings {
		if now.Sub(r.At) < priceCalm && !agrees(readings[:i], r) {
			rate.Sells = false
		}
	}
	return rate
}

// agrees reports whether a reading differs little from the previous one, of any age, and from the median of the hour before.
func agrees(before []PriceReading, r PriceReading) bool {
	if r.Doubtful {
		return false
	}
	if len(before) == 0 {
		return true
	}
	if !Near(r.Price, before[len(before)-1].Price) {
		return false
	}
	var hour []MicroUSD
	for _, b := range before {
		if r.At.Sub(b.At) <= PriceMemory {
			hour = append(hour, b.Price)
		}
	}
	slices.Sort(hour)
	return len(hour) == 0 || Near(r.Price, hour[len(hour)/2])
}

// LastBelieved returns the newest plausible price of readings, oldest first: its sources agree, and it is no jump from the previous
// plausible one. So a single outlier is ignored, and a real change is accepted at the second reading. If no sources ever agreed, it is
// the newest of all; 0 without readings.
func LastBelieved(readings []PriceReading) (believed MicroUSD) {
	var before MicroUSD
	for _, r := range readings {
		if r.Doubtful {
			continue
		}
		if before == 0 || Near(r.Price, before) {
			believed = r.Price
		}
		before = r.Price
	}
	if believed == 0 && len(readings) > 0 {
		return readings[len(readings)-1].Price
	}
	return believed
}

// Near reports whether two prices differ by at most a fifth of the second.
func Near(price, other MicroUSD) bool {
	return (price-other)*priceJump <= other && (other-price)*priceJump <= other
}
