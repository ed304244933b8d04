package mines

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// FindTournaments returns the tournaments that a query finds.
func FindTournaments(query *gorm.DB) ([]models.Tournament, error) {
	var found []models.Tournament
	err := query.Find(&found).Error
	for i := range found {
		found[i].Start, found[i].End = found[i].Start.UTC(), found[i].End.UTC()
	}
	return found, db.Wrap(err, "read tournaments")
}

func oneTournament(query *gorm.DB) (models.Tournament, error) {
	t, err := db.One[models.Tournament](query)
	t.Start, t.End = t.Start.UTC(), t.End.UTC()
	return t, db.Wrap(err, "read tournament")
}

// FirstTournament creates the tournament that the settings name, unless there is one. Until there is a player, another start moves
// it, unless another one takes that time. It returns when the first one really begins, and does not use the process's clock.
func (s *Store) FirstTournament(ctx context.Context, start time.Time) (begins time.Time, err error) {
	err = s.db.InTxAnyClock(ctx, func(tx *gorm.DB) error {
		planned := game.NewTournament(start)
		// Who digs shares locks on the one that runs, so a start must not ask for more where nothing will change.
		played, err := FindTournaments(tx.Where("EXISTS (SELECT 1 FROM players)").Order("id").Limit(1))
		if err != nil {
			return err
		}
		if len(played) > 0 { // it stays
			begins = played[0].Start
			return nil
		}
		// An admin who plans one, or another process that starts, is waited for.
		if _, err := FindTournaments(tx.Scopes(db.ForUpdate).Order("id")); err != nil {
			return err
		}
		first, err := FindTournaments(tx.Order("id").Limit(1))
		if err != nil {
			return err
		}
		if len(first) == 0 {
			begins = db.Time(start)
			return addTournament(tx, planned)
		}
		begins, err = restartPlan(tx, first[0], planned)
		return err
	})
	return begins, err
}

// restartPlan gives the first tournament another time, which nobody may have played in and no other may take. It keeps its id, by
// which it is the first.
func restartPlan(tx *gorm.DB, first models.Tournament, planned game.Tournament) (begins time.Time, err error) {
	removed := tx.Exec(`DELETE FROM tournaments WHERE id = ? AND starts_at <> ? AND NOT EXISTS (SELECT 1 FROM players)
		AND NOT EXISTS (SELECT 1 FROM tournaments WHERE id <> ? AND starts_at < ? AND ends_at > ?)`,
		first.ID, db.Time(planned.Start), first.ID, db.Time(planned.End), db.Time(planned.Start))
	if removed.Error != nil {
		return time.Time{}, fmt.Errorf("plan the first tournament anew: %w", removed.Error)
	}
	if removed.RowsAffected == 0 {
		return first.Start, nil
	}
	planned.Start, planned.End = db.Time(planned.Start), db.Time(planned.End)
	err = tx.Create(&models.Tournament{ID: first.ID, Tournament: planned}).Error
	return db.Time(planned.Start), db.Wrap(err, "plan the first tournament for %s", planned.Start)
}

func addTournament(tx *gorm.DB, t game.Tournament) error {
	t.Start, t.End = db.Time(t.Start), db.Time(t.End)
	return db.Wrap(tx.Scopes(db.OrIgnore).Create(&models.Tournament{Tournament: t}).Error, "add the tournament of %s", t.Start)
}

// currentTournament returns the tournament that players see: the one that began last, or else the first to come. ErrNotFound if
// there is none.
func currentTournament(tx *gorm.DB, now time.Time) (models.Tournament, error) {
	begun, err := FindTournaments(tx.Where("starts_at <= ?", db.Time(now)).Order("starts_at DESC").Limit(1))
	if err != nil || len(begun) > 0 {
		return append(begun, models.Tournament{})[0], err
	}
	return oneTournament(tx.Where("starts_at > ?", db.Time(now)).Order("starts_at"))
}

// noTournament turns the ErrNotFound of a missing tournament into a refusal.
func noTournament(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return game.Refuse(game.TournamentNotActive)
	}
	return err
}
