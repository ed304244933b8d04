package game

import "math/big"

// The price of one MCBK by project day (spec §9, Purchase and pricing).
const (
	launchPrice MicroUSD = 2000 // 0.002 until the rise begins
	priceStep   MicroUSD = 300  // 0.0003 every three days
	finalPrice  MicroUSD = 10_000
	riseDay              = 10 // days 10 to 12 still cost the launch price
	riseEvery            = 3
	finalDay             = 88 // the schedule names 0.01 literally for the last period
)

// Price returns the price of one MCBK on a project day (1 to 90).
func Price(day int) MicroUSD {
	switch {
	case day < riseDay:
		return launchPrice
	case day >= finalDay:
		return finalPrice
	}
	return launchPrice + MicroUSD((day-riseDay)/riseEvery)*priceStep
}

// PriceStep is a period of one price.
type PriceStep struct {
	Period int // 1 at launch, 28 is the last
	Price  MicroUSD
	From   int // project day on which it begins
}

// StepAt returns the step of a project day. Days 10 to 12 are a separate step at the launch price.
func StepAt(day int) PriceStep {
	if day < riseDay {
		return PriceStep{1, launchPrice, 1}
	}
	steps := (min(day, finalDay) - riseDay) / riseEvery
	from := riseDay + steps*riseEvery
	return PriceStep{2 + steps, Price(from), from}
}

// Next returns the next step; ok is false at the last one.
func (p PriceStep) Next() (next PriceStep, ok bool) {
	for from := max(p.From+1, riseDay); from <= finalDay; from++ {
		if next = StepAt(from); next.Price != p.Price {
			return next, true
		}
	}
	return PriceStep{}, false
}

// Cost values an amount of TON at a price, rounded down to whole cents.
func Cost(amount Nanoton, price MicroUSD) MicroUSD {
	const cent = USD / 100
	exact := new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(price))) // exceeds 63 bits: 1000 TON from 9.23 dollars a TON on
	cents := exact.Quo(exact, big.NewInt(int64(TON)*int64(cent)))
	return MicroUSD(cents.Int64()) * cent
}

// Worth values coins at a price for display, rounded down to whole cents (decision 0002).
func Worth(coins MicroMCBK, price MicroUSD) MicroUSD {
	const cent = USD / 100
	whole, rest := int64(coins/MCBK), int64(coins%MCBK)
	usd := whole*int64(price) + rest*int64(price)/int64(MCBK)
	return MicroUSD(usd) / cent * cent
}
