// Package game holds the rules of MCBK. It has no clock, database or network; time and chance are arguments.
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

// Decimal formats the amount in whole coins: 12.345.
func (c MicroMCBK) Decimal() string { return decimal(int64(c), int64(MCBK)) }

// Decimal formats the amount in whole TON: 0.5.
func (n Nanoton) Decimal() string { return decimal(int64(n), int64(TON)) }

// decimal formats non-negative units, of which a power of ten make a whole one.
func decimal(units, whole int64) string {
	text := fmt.Sprintf("%d.%s", units/whole, fmt.Sprint(whole + units%whole)[1:])
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
