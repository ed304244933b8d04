package game

import "math/big"

// Stars counts Telegram Stars, which are whole.
type Stars int64

// MostStars is the largest amount of one invoice.
const MostStars Stars = 10_000

// Coins returns the coins for Stars at the prices of a Star and of an MCBK, rounded down. ok is false on overflow, a price that is
// not positive or a negative amount.
func (s Stars) Coins(star, mcbk MicroUSD) (coins MicroMCBK, ok bool) {
	if s < 0 || star <= 0 || mcbk <= 0 {
		return 0, false
	}
	worth := new(big.Int).Mul(big.NewInt(int64(s)), big.NewInt(int64(star)))
	worth.Mul(worth, big.NewInt(int64(MCBK))).Quo(worth, big.NewInt(int64(mcbk)))
	return MicroMCBK(worth.Int64()), worth.IsInt64()
}

// StarsFor returns an amount of TON in Stars, rounded up. ok is false if that is more than one invoice may ask, or a price is not
// positive.
func StarsFor(amount Nanoton, ton, star MicroUSD) (stars Stars, ok bool) {
	if amount <= 0 || ton <= 0 || star <= 0 {
		return 0, false
	}
	unit := new(big.Int).Mul(big.NewInt(int64(TON)), big.NewInt(int64(star)))
	worth := new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(ton)))
	worth.Add(worth, unit).Sub(worth, big.NewInt(1)).Quo(worth, unit)
	if !worth.IsInt64() || worth.Int64() > int64(MostStars) {
		return 0, false
	}
	return Stars(worth.Int64()), true
}
