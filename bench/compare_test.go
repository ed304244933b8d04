package main

import (
	"strings"
	"testing"
)

func TestWorseFigureIsCounted(t *testing.T) {
	of := func(ratio, p99, taps float64) report {
		return report{
			Lines: []line{
				{What: "ratio", Value: ratio, Must: 1.5}, {What: "p99", Value: p99, Unit: "ms", Must: 50, Less: true}, {What: "taps", Value: taps, Unit: "/s"},
			},
			Restarts: []float64{80}, IdleMB: 41, FirstLoadKB: 155,
		}
	}
	for _, c := range []struct {
		now   report
		worse int
		tells string
	}{
		{of(1, 40, 5000), 0, "1.00"},
		{of(0.9, 45, 5000), 0, "0.90"}, // within the slack
		{of(0.8, 40, 5000), 1, "worse"},
		{of(1, 50, 5000), 1, "worse"},
		{of(0.8, 50, 5000), 2, "worse"},
		{of(1.3, 30, 5000), 0, "better"},
		{of(1, 40, 1000), 0, "0.20"}, // a slower machine slows its peers too
	} {
		var told strings.Builder
		worse, err := compare(&told, of(1, 40, 5000), c.now)
		if err != nil || worse != c.worse || !strings.Contains(told.String(), c.tells) {
			t.Errorf("%d worse, want %d with %q: %v\n%s", worse, c.worse, c.tells, err, told.String())
		}
	}
}
