package game

// The price of one MCBK by project day. (spec §9, Purchase and pricing)
const (
	launchPrice MicroUSD = 2000 // 0.002 until the rise begins
	priceStep   MicroUSD = 300  // 0.0003 every three days
	finalPrice  MicroUSD = 10_000
	riseDay              = 10 // days 10 to 12 still cost the launch price
	riseEvery            = 3
	finalDay             = 88 // the schedule names 0.01 literally for the last period
)

// Price is what one MCBK costs on a project day (1 to 90).
func Price(day int) MicroUSD {
	switch {
	case day < riseDay:
		return launchPrice
	case day >= finalDay:
		return finalPrice
	}
	return launchPrice + MicroUSD((day-riseDay)/riseEvery)*priceStep
}

// Worth values coins at a price, rounded down to whole cents.
// It is a valuation for the screen, not money held (decision 0002).
func Worth(coins MicroMCBK, price MicroUSD) MicroUSD {
	const cent = USD / 100
	whole, rest := int64(coins/MCBK), int64(coins%MCBK)
	usd := whole*int64(price) + rest*int64(price)/int64(MCBK)
	return MicroUSD(usd) / cent * cent
}
