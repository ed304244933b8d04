package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
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
func (c *Coins) UnmarshalJSON(text []byte) error {
	units, err := parseDecimal(text, coinDecimals)
	if err == nil {
		*c = Coins(units)
	}
	return err
}

// String returns the amount in whole TON, as in JSON.
func (t TON) String() string { return game.Nanoton(t).Decimal() }

// MarshalJSON writes the exact decimal, without exponent or trailing zeros.
func (t TON) MarshalJSON() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalJSON accepts a plain number of at most 9 decimals; the error is ErrAmount.
func (t *TON) UnmarshalJSON(text []byte) error {
	units, err := parseDecimal(text, tonDecimals)
	if err == nil {
		*t = TON(units)
	}
	return err
}

// String returns the amount in whole dollars, as in JSON.
func (u USD) String() string { return game.MicroUSD(u).Decimal() }

// MarshalJSON writes the exact decimal, without exponent or trailing zeros.
func (u USD) MarshalJSON() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalJSON accepts a plain number of at most 6 decimals; the error is ErrAmount.
func (u *USD) UnmarshalJSON(text []byte) error {
	units, err := parseDecimal(text, usdDecimals)
	if err == nil {
		*u = USD(units)
	}
	return err
}

// parseDecimal parses a JSON number into units of 10^-decimals. It refuses more decimals than the unit has (even zeros), overflow and
// null.
func parseDecimal(text []byte, decimals int) (int64, error) {
	text, err := withoutExponent(text)
	if err != nil {
		return 0, err
	}
	rest, negative := text, false
	if len(rest) > 0 && rest[0] == '-' {
		rest, negative = rest[1:], true
	}
	limit, beyond := uint64(math.MaxInt64), ErrTooLarge
	if negative {
		limit, beyond = limit+1, fmt.Errorf("%w: too far below zero", ErrAmount) // the smallest int64 has no positive counterpart
	}

	var units uint64
	push := func(digit byte) bool {
		next := units*10 + uint64(digit-'0')
		if units > limit/10 || next > limit {
			return false
		}
		units = next
		return true
	}

	digits, point := 0, -1
	for i, char := range rest {
		switch {
		case char == '.' && point < 0 && i > 0:
			point = i
		case char >= '0' && char <= '9':
			digits++
			if point >= 0 && i-point > decimals {
				return 0, fmt.Errorf("%w: more than %d decimals", ErrAmount, decimals)
			}
			if !push(char) {
				return 0, beyond
			}
		default:
			return 0, fmt.Errorf("%w: want a plain number", ErrAmount)
		}
	}
	fraction := 0
	if point >= 0 {
		fraction = len(rest) - point - 1
	}
	switch whole := digits - fraction; {
	case digits == 0, whole > 1 && rest[0] == '0', point >= 0 && fraction == 0:
		return 0, fmt.Errorf("%w: want a plain number", ErrAmount)
	}
	for ; fraction < decimals; fraction++ {
		if !push('0') {
			return 0, beyond
		}
	}
	if negative {
		return int64(-units), nil // two's complement: correct for the smallest int64 too
	}
	return int64(units), nil
}

// exponential matches a JSON number with an exponent: sign, whole part, fraction, exponent.
var exponential = regexp.MustCompile(`^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?[eE]([+-]?[0-9]+)$`)

// farthest limits the shift of the point: beyond any amount, and short enough for the text.
const farthest = 40

// withoutExponent rewrites a number like 1.5e2 as a plain one; other texts are unchanged.
func withoutExponent(text []byte) ([]byte, error) {
	parts := exponential.FindSubmatch(text)
	if parts == nil {
		return text, nil
	}
	sign, whole, fraction := parts[1], parts[2], parts[3]
	places, err := strconv.Atoi(string(parts[4]))
	switch {
	case len(bytes.Trim(slices.Concat(whole, fraction), "0")) == 0:
		places = 0 // zero has no exponent
	case err != nil || places < -farthest || places > farthest:
		if places < 0 || len(sign) > 0 {
			return nil, fmt.Errorf("%w: an exponent out of range", ErrAmount)
		}
		return nil, ErrTooLarge
	}
	if places < 0 {
		whole = append(bytes.Repeat([]byte{'0'}, -places), whole...)
		at := len(whole) + places
		whole, fraction = whole[:at], slices.Concat(whole[at:], fraction)
	} else {
		fraction = append(slices.Clone(fraction), bytes.Repeat([]byte{'0'}, max(0, places-len(fraction)))...)
		whole, fraction = slices.Concat(whole, fraction[:places]), fraction[places:]
	}
	if whole = bytes.TrimLeft(whole, "0"); len(whole) == 0 {
		whole = []byte{'0'}
	}
	plain := slices.Concat(sign, whole)
	if len(fraction) > 0 {
		plain = slices.Concat(plain, []byte{'.'}, fraction)
	}
	return plain, nil
}
