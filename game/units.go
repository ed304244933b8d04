// Package game holds the rules of MCBK: what a player may do and what it yields.
// It knows no clock, no database and no network; time and chance are handed in.
package game

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
