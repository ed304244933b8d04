package mines

import (
	"context"
	"time"

	"mcbk/models"
)

// AdvanceAsRead advances a tournament as it was read earlier.
func (s *Store) AdvanceAsRead(ctx context.Context, t models.Tournament, now time.Time) (int64, error) {
	return s.advanceTournament(ctx, t, nil, now)
}

// Finish is the part of AdvanceTournaments that ranks and pays a closed tournament.
func (s *Store) Finish(ctx context.Context, t models.Tournament, now time.Time) (int64, error) {
	return s.finish(ctx, t, now)
}
