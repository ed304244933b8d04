package db

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcbk/models"
)

func TestRoundSkipsFailedItemsAndStopsWhenUnavailable(t *testing.T) {
	many := make([]models.PlayerID, 4*MaxConsecutiveFailures)
	for i := range many {
		many[i] = models.PlayerID(i + 1)
	}
	wrong, held := errors.New("wrong"), fmt.Errorf("%w: held", ErrUnavailable)
	for name, c := range map[string]struct {
		fails func(id models.PlayerID) error
		done  int // players
		again bool
		told  string
	}{
		"nobody":                                 {func(models.PlayerID) error { return nil }, len(many), false, ""},
		"one":                                    {func(id models.PlayerID) error { return only(id == 2, wrong) }, len(many), false, "player 2: wrong"},
		"every second":                           {func(id models.PlayerID) error { return only(id%2 == 0, wrong) }, len(many), false, "and 20 more"},
		"everybody":                              {func(models.PlayerID) error { return wrong }, MaxConsecutiveFailures, false, "player 20: wrong"},
		"one whom one holds":                     {func(id models.PlayerID) error { return only(id == 2, held) }, len(many), true, "player 2: "},
		"one of each kind":                       {func(id models.PlayerID) error { return errors.Join(only(id == 2, wrong), only(id == 9, held)) }, len(many), false, "player 2: wrong"},
		"the database is away from the fifth on": {func(id models.PlayerID) error { return only(id >= 5, held) }, 4 + maxConsecutiveUnavailable, true, "player 7: "},
	} {
		var round BatchRunner
		done := 0
		for part := range slices.Chunk(many, MaxConsecutiveFailures-1) {
			round.Each(part, func(id models.PlayerID) error { done++; return c.fails(id) })
		}
		err := round.Err()
		if done != c.done || errors.Is(err, ErrUnavailable) != c.again || (err == nil) != (c.told == "") || (err != nil && !strings.Contains(err.Error(), c.told)) {
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
