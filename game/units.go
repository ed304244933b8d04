// Package game holds the rules of MCBK. It has no clock, database or network; time and chance are arguments.
package game

import "strconv"

// MicroMCBK is an amount of coins in millionths of an MCBK.
type MicroMCBK int64

// MCBK is one whole coin.
const MCBK MicroMCBK = 1_000_000

// Nanoton is an amount of TON in billionths.
type Nanoton int64

// TON is one whole TON.
const TON Nanoton = 1_000_000_000

// MicroUSD is an amount of US dollars in millionths.
type MicroUSD int64

// USD is one whole dollar.
const USD MicroUSD = 1_000_000

// Decimal formats the amount in whole coins: 12.345.
func (c MicroMCBK) Decimal() string { return decimal(int64(c), uint64(MCBK)) }

// Decimal formats the amount in whole TON: 0.5.
func (n Nanoton) Decimal() string { return decimal(int64(n), uint64(TON)) }

// Decimal formats the amount in whole dollars: 0.05.
func (u MicroUSD) Decimal() string { return decimal(int64(u), uint64(USD)) }

// decimal formats units, of which a power of ten make a whole one, as the shortest exact decimal, with one allocation.
func decimal(units int64, whole uint64) string {
	const longest = 1 + 19 + 1 // sign, digits and point
	digits := make([]byte, 0, longest)
	size := uint64(units)
	if units < 0 {
		digits, size = append(digits, '-'), -size // correct for the smallest int64, too
	}
	digits = strconv.AppendUint(digits, size/whole, 10)
	if fraction := size % whole; fraction > 0 {
		digits = append(digits, '.')
		for whole /= 10; fraction > 0; whole /= 10 {
			digits = append(digits, byte('0'+fraction/whole))
			fraction %= whole
		}
	}
	return string(digits)
}
