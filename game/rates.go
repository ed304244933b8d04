package game

import (
	"slices"
	"time"
)

// What a price of TON must be for coins to be sold at it. (decision 0032: selling coins)
const (
	PriceFresh    = 10 * time.Minute // the oldest that anything is sold at
	PriceInterval = 120 * time.Second
	priceCalm     = 10 * time.Minute // for which readings must agree after they did not
	PriceMemory   = time.Hour        // whose median a reading is compared with
	priceJump     = 5                // a fifth more or less is a jump
)

// PriceReading is what one TON was said to cost.
type PriceReading struct {
	At       time.Time
	Price    MicroUSD // the lowest of the sources
	Doubtful bool     // the sources differed by more than a fifth
}

// Rate is what is known of the price of TON.
type Rate struct {
	Price MicroUSD
	At    time.Time // of the last reading, zero before the first
	Sells bool      // fresh and calm: coins may be sold at it
}

// RateNow judges readings, oldest first: of the last two hours at least, if there were any.
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

// agrees tells that a reading is no jump from the one before it, however old, nor from the median of the hour before.
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

// LastBelieved is the price of the last of these readings, oldest first, whose sources agreed and which is no jump from the last such
// before it: one bad answer changes nothing, a real fall is believed as soon as a second reading shows it. Where sources never agreed it
// is the last of all, without any reading 0.
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

// Near tells that two prices differ by no more than a fifth of the second.
func Near(price, other MicroUSD) bool {
	return (price-other)*priceJump <= other && (other-price)*priceJump <= other
}
