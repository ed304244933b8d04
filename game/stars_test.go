package game_test

import (
	"math"
	"testing"

	"mcbk/game"
)

func TestStarsBuyCoins(t *testing.T) {
	for _, c := range []struct {
		stars      game.Stars
		star, mcbk game.MicroUSD
		coins      game.MicroMCBK
		ok         bool
	}{
		{500, 13_000, 2_000, 3_250 * game.MCBK, true},
		{1, 13_000, 10_000, 1_300_000, true},
		{1, 13_000, 2_300, 5_652_173, true}, // 5.6521739…
		{0, 13_000, 2_000, 0, true},
		{-1, 13_000, 2_000, 0, false},
		{1, 0, 2_000, 0, false},
		{1, 13_000, 0, 0, false},
		{math.MaxInt64, 13_000, 1, 0, false},
	} {
		if coins, ok := c.stars.Coins(c.star, c.mcbk); ok != c.ok || ok && coins != c.coins {
			t.Errorf("%d Stars of %d at %d bring %d, %t", c.stars, c.star, c.mcbk, coins, ok)
		}
	}
}

func TestTONInStarsIsRoundedUp(t *testing.T) {
	for _, c := range []struct {
		amount    game.Nanoton
		ton, star game.MicroUSD
		stars     game.Stars
		ok        bool
	}{
		{game.TON, 2_500_000, 13_000, 193, true}, // 192.3…
		{13 * game.TON, 1_000_000, 13_000, 1000, true},
		{13*game.TON + 1, 1_000_000, 13_000, 1001, true},
		{130 * game.TON, 1_000_000, 13_000, 10_000, true},
		{130*game.TON + 1, 1_000_000, 13_000, 0, false},
		{math.MaxInt64, math.MaxInt64, 1, 0, false},
		{0, 1, 1, 0, false},
		{game.TON, 0, 13_000, 0, false},
		{game.TON, 1, 0, 0, false},
	} {
		if stars, ok := game.StarsFor(c.amount, c.ton, c.star); ok != c.ok || stars != c.stars {
			t.Errorf("%d nanoton of %d at %d a Star are %d, %t", c.amount, c.ton, c.star, stars, ok)
		}
	}
}
