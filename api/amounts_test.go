package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

func TestAmountsAreWrittenAsExactDecimals(t *testing.T) {
	for _, c := range []struct {
		amount any
		want   string
	}{
		{Coins(0), "0"},
		{Coins(1), "0.000001"},
		{Coins(1_000_000), "1"},
		{Coins(10_500_000), "10.5"},
		{Coins(30_000_000_000_000), "30000000"},
		{Coins(-1_250_000), "-1.25"},
		{Coins(math.MaxInt64), "9223372036854.775807"},
		{Coins(math.MinInt64), "-9223372036854.775808"},
		{TON(1), "0.000000001"},
		{TON(1_000_000_000_000), "1000"},
		{TON(math.MinInt64), "-9223372036.854775808"},
		{USD(2_300), "0.0023"},
		{USD(2_500_000), "2.5"},
		{Amount(TON(1_500_000_000).String()), "1.5"},
	} {
		text, err := json.Marshal(c.amount)
		if err != nil || string(text) != c.want {
			t.Errorf("%T: got %s, %v, want %s", c.amount, text, err, c.want)
		}
	}
}

func TestAmountsAreReadExactly(t *testing.T) {
	for _, c := range []struct {
		text string
		want TON
	}{
		{"0", 0},
		{"-0", 0},
		{"0.1", 100_000_000},
		{"1.10", 1_100_000_000},
		{"-2.5", -2_500_000_000},
		{"0.000000001", 1},
		{"1E2", 100_000_000_000},
		{"1.25e+1", 12_500_000_000},
		{"-12.5e-01", -1_250_000_000},
		{"0e999999999999999999999", 0},
		{"9223372036.854775807", math.MaxInt64},
		{"-9223372036.854775808", math.MinInt64},
	} {
		var got TON
		if err := json.Unmarshal([]byte(c.text), &got); err != nil || got != c.want {
			t.Errorf("%s: got %d, %v, want %d", c.text, int64(got), err, int64(c.want))
		}
	}
}

func TestMalformedAmountIsRefused(t *testing.T) {
	for _, text := range []string{
		"1e-7", "0.0000001", "1.0000000", "1e-999999999999999999999", // decimals a Coin does not have
		"9223372036854.775808", "-9223372036854.775809", "18446744073709551616", "1e13", "1e400", "-1e400", "1e999999999999999999999", // overflow
		`"1"`, `""`, "null", "true", "{}", "[1]", // not numbers
	} {
		holder := struct{ Amount Coins }{Amount: 7}
		err := json.Unmarshal([]byte(`{"Amount":`+text+`}`), &holder)
		if !errors.Is(err, ErrAmount) || holder.Amount != 7 {
			t.Errorf("%s: got %v and %d, want ErrAmount and 7", text, err, int64(holder.Amount))
		}
	}
	// The JSON scanner would refuse these before.
	for _, text := range []string{"", "-", "+1", ".5", "-.5", "1.", "01", "00", "-00.5", "1.2.3", "--1", "1,5", " 1", "NaN", "0x1", "1e", "e1", "1e+", "1.e1", "01e1", "1e1.5", "1e1e1"} {
		var coins Coins
		if err := coins.UnmarshalJSON([]byte(text)); !errors.Is(err, ErrAmount) {
			t.Errorf("%q: got %v, want ErrAmount", text, err)
		}
	}
}

var plainNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$`)

func TestEveryAmountSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.Int64().Draw(t, "units")
		roundTrip(t, Coins(units), units, coinDecimals)
		roundTrip(t, TON(units), units, tonDecimals)
		roundTrip(t, USD(units), units, usdDecimals)
	})
}

func roundTrip[A ~int64](t *rapid.T, amount A, units int64, decimals int64) {
	text, err := json.Marshal(amount)
	if err != nil || !plainNumber.Match(text) {
		t.Fatalf("%T(%d) became %s, %v", amount, units, text, err)
	}
	shown, _ := new(big.Rat).SetString(string(text))
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil)
	if shown.Cmp(new(big.Rat).SetFrac(big.NewInt(units), scale)) != 0 {
		t.Fatalf("%T(%d) became %s", amount, units, text)
	}
	var back A
	if err := json.Unmarshal(text, &back); err != nil || back != amount {
		t.Fatalf("%s came back as %d, %v, want %d", text, int64(back), err, units)
	}
}

func TestExponentOnlyMovesThePoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits, point := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "digits"), rapid.IntRange(0, 9).Draw(t, "point")
		places := rapid.IntRange(point-tonDecimals, 3).Draw(t, "places")
		// The point is placed among the digits, as the exponent moves it.
		mantissa := new(big.Rat).SetFrac(big.NewInt(digits), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(point)), nil))
		text := fmt.Sprintf("%se%d", mantissa.FloatString(point), places)
		want, _ := new(big.Rat).SetString(text)
		want.Mul(want, big.NewRat(1_000_000_000, 1))

		var got TON
		if err := json.Unmarshal([]byte(text), &got); err != nil || !want.IsInt() || int64(got) != want.Num().Int64() {
			t.Fatalf("%s: got %d, %v, want %s", text, int64(got), err, want)
		}
	})
}
