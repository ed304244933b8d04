package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestARoundGoesOnPastWhoFailsAndEndsWhereEverybodyWould(t *testing.T) {
	many := make([]PlayerID, 4*maxFailedInARow)
	for i := range many {
		many[i] = PlayerID(i + 1)
	}
	wrong, held := errors.New("wrong"), fmt.Errorf("%w: held", ErrTryAgain)
	for name, c := range map[string]struct {
		fails func(id PlayerID) error
		done  int // players
		again bool
		told  string
	}{
		"nobody":                                 {func(PlayerID) error { return nil }, len(many), false, ""},
		"one":                                    {func(id PlayerID) error { return only(id == 2, wrong) }, len(many), false, "player 2: wrong"},
		"every second":                           {func(id PlayerID) error { return only(id%2 == 0, wrong) }, len(many), false, "and 20 more"},
		"everybody":                              {func(PlayerID) error { return wrong }, maxFailedInARow, false, "player 20: wrong"},
		"one whom one holds":                     {func(id PlayerID) error { return only(id == 2, held) }, len(many), true, "player 2: "},
		"one of each kind":                       {func(id PlayerID) error { return errors.Join(only(id == 2, wrong), only(id == 9, held)) }, len(many), false, "player 2: wrong"},
		"the database is away from the fifth on": {func(id PlayerID) error { return only(id >= 5, held) }, 4 + maxAway, true, "player 7: "},
	} {
		var round isolated
		done := 0
		for part := range slices.Chunk(many, maxFailedInARow-1) {
			round.each(part, func(id PlayerID) error { done++; return c.fails(id) })
		}
		err := round.err()
		if done != c.done || errors.Is(err, ErrTryAgain) != c.again || (err == nil) != (c.told == "") || (err != nil && !strings.Contains(err.Error(), c.told)) {
			t.Errorf("%s: %d players, %v", name, done, err)
		}
	}
}

func only(when bool, err error) error {
	if when {
		return err
	}
	return nil
}
