package game

import (
	"slices"
	"time"
)

// Conditions on the price of a TON for coins to be sold at it. (decision 0032: selling coins)
const (
	PriceFresh    = 10 * time.Minute // maximum age of a reading that anything is sold at
	PriceInterval = 120 * time.Second
	priceCalm     = 10 * time.Minute // how long readings must agree again after they differed
	PriceMemory   = time.Hour        // a reading is compared with the median of this span
	priceJump     = 5                // a change by more than a fifth is a jump
)

// PriceReading is one reading of the price of a TON.
type PriceReading struct {
	At       time.Time
	Price    MicroUSD // the lowest of the sources
	Doubtful bool     // the sources differed by more than a fifth
}

// Rate is the price of a TON as far as it is known.
type Rate struct {
	Price MicroUSD
	At    time.Time // of the last reading, zero before the first
	Sells bool      // fresh and calm: coins may be sold at it
}

// RateNow judges readings, oldest first. The caller passes those of the last two hours at least.
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

// agrees reports whether a reading is no jump from the one before it, however old that is, nor from the median of the hour before.
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

// LastBelieved returns the newest price that can be believed, of readings oldest first: its sources agreed, and it is no jump from
// the believed one before. So one bad answer changes nothing, and a real fall is believed at the second reading. If the sources
// never agreed it is the newest of all; without readings it is 0.
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
