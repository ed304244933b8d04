package game_test

import (
	"errors"
	"fmt"
	"testing"

	"mcbk/game"
)

func TestWrappedRefusalKeepsItsCode(t *testing.T) {
	err := fmt.Errorf("tap: %w", game.Refuse(game.SeasonOver))
	var refusal *game.Refusal
	if !errors.As(err, &refusal) || refusal.Code != "season_over" || err.Error() != "tap: refused: season_over" {
		t.Errorf("got %v", err)
	}
}
