package game

import "testing"

func TestAmountsAreFormattedAsDecimals(t *testing.T) {
	for want, got := range map[string]string{
		"0": MicroMCBK(0).Decimal(), "1250": (1250 * MCBK).Decimal(), "0.000001": MicroMCBK(1).Decimal(), "12.345": MicroMCBK(12_345_000).Decimal(),
		"9223372036854.775807": MicroMCBK(1<<63 - 1).Decimal(), "0.5": (TON / 2).Decimal(), "1000": (1000 * TON).Decimal(), "1.00000001": Nanoton(1_000_000_010).Decimal(),
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
