// Package game holds the rules of MCBK: what a player may do and what it yields.
// It knows no clock, no database and no network; time and chance are handed in.
package game

import (
	"fmt"
	"strings"
)

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

// Decimal writes the amount in whole coins, as people do: 12.345.
func (c MicroMCBK) Decimal() string { return decimal(int64(c), int64(MCBK)) }

// Decimal writes the amount in whole TON, as people do: 0.5.
func (n Nanoton) Decimal() string { return decimal(int64(n), int64(TON)) }

// decimal writes units, of which a power of ten make a whole one. No amount that people read is negative.
func decimal(units, whole int64) string {
	text := fmt.Sprintf("%d.%s", units/whole, fmt.Sprint(whole + units%whole)[1:])
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
