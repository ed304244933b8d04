package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"

	"mcbk/game"
)

// Coins is an amount of MCBK in millionths; JSON shows it in whole MCBK with up to 6 decimals.
type Coins game.MicroMCBK

// TON is an amount of TON in billionths; JSON shows it in whole TON with up to 9 decimals.
type TON game.Nanoton

// USD is an amount of US dollars in millionths; JSON shows it in whole dollars with up to 6 decimals.
type USD game.MicroUSD

// Amount is an exact amount of the asset in a sibling field: Amount(Coins(n).String()) or Amount(TON(n).String()).
type Amount = json.Number

// Decimals of the units.
const (
	coinDecimals = 6
	tonDecimals  = 9
	usdDecimals  = 6
)

// ErrAmount is the error of a text that is no plain JSON number, or that the unit cannot hold exactly.
var ErrAmount = errors.New("not an amount")

// ErrTooLarge is the ErrAmount of a number beyond the unit's range.
var ErrTooLarge = fmt.Errorf("%w: too large", ErrAmount)

// String returns the amount in whole MCBK, as in JSON.
func (c Coins) String() string { return game.MicroMCBK(c).Decimal() }

// MarshalJSON writes the exact decimal, without exponent or trailing zeros.
func (c Coins) MarshalJSON() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalJSON accepts a plain number of at most 6 decimals; the error is ErrAmount.
func (c *Coins) UnmarshalJSON(text []byte) error { return readAmount(c, text, coinDecimals) }

// String returns the amount in whole TON, as in JSON.
func (t TON) String() string { return game.Nanoton(t).Decimal() }

// MarshalJSON writes the exact decimal, without exponent or trailing zeros.
func (t TON) MarshalJSON() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalJSON accepts a plain number of at most 9 decimals; the error is ErrAmount.
func (t *TON) UnmarshalJSON(text []byte) error { return readAmount(t, text, tonDecimals) }

// String returns the amount in whole dollars, as in JSON.
func (u USD) String() string { return game.MicroUSD(u).Decimal() }

// MarshalJSON writes the exact decimal, without exponent or trailing zeros.
func (u USD) MarshalJSON() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalJSON accepts a plain number of at most 6 decimals; the error is ErrAmount.
func (u *USD) UnmarshalJSON(text []byte) error { return readAmount(u, text, usdDecimals) }

func readAmount[A ~int64](amount *A, text []byte, decimals int) error {
	units, err := parseDecimal(text, decimals)
	if err == nil {
		*amount = A(units)
	}
	return err
}

// jsonNumber matches a JSON number: sign, whole part, fraction, exponent.
var jsonNumber = regexp.MustCompile(`^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

// maxExponent is beyond any amount.
const maxExponent = 40

// parseDecimal parses a JSON number into units of 10^-decimals. It refuses more decimals than the unit has (even zeros), overflow and
// null.
func parseDecimal(text []byte, decimals int) (int64, error) {
	parts := jsonNumber.FindSubmatch(text)
	if parts == nil {
		return 0, fmt.Errorf("%w: want a plain number", ErrAmount)
	}
	sign, whole, fraction, exponent := string(parts[1]), string(parts[2]), string(parts[3]), string(parts[4])
	tooLarge := ErrTooLarge
	if sign == "-" {
		tooLarge = fmt.Errorf("%w: too far below zero", ErrAmount)
	}
	units, _ := new(big.Int).SetString(sign+whole+fraction, 10)
	places, err := strconv.Atoi(cmp.Or(exponent, "0"))
	switch {
	case units.Sign() == 0:
		places = 0 // zero has no exponent
	case places < -maxExponent:
		return 0, fmt.Errorf("%w: an exponent out of range", ErrAmount)
	case err != nil || places > maxExponent:
		return 0, tooLarge
	}
	shift := decimals + places - len(fraction)
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(shift, -shift))), nil)
	if shift < 0 {
		units.Quo(units, scale)
	} else {
		units.Mul(units, scale)
	}
	switch {
	case !units.IsInt64():
		return 0, tooLarge
	case shift < 0:
		return 0, fmt.Errorf("%w: more than %d decimals", ErrAmount, decimals)
	}
	return units.Int64(), nil
}
