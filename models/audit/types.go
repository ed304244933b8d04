package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// invariant is a rule that must hold for everything stored, whatever happened. It has a check: of a player's replay (posting and end), of
// players, both asked about players of one snapshot, of checkpoints, or of the database.
type invariant struct {
	name string // a sentence that is true while it holds

	// A player's ledger replay, posting by posting: posting after each, end after the last.
	posting func(l *ledgerReplay, p models.Posting) bool
	end     func(l *ledgerReplay) bool

	players playerCheck

	// checkpoint reports whether the invariant holds for a checkpoint and the one before it.
	checkpoint func(ctx context.Context, s *Auditor, before, c models.Checkpoint) (bool, error)

	database databaseCheck
}

// playerCheck lists those of a range for whom an invariant does not hold.
type playerCheck func(tx *gorm.DB, s idRange) ([]models.PlayerID, error)

// databaseCheck lists what else an invariant does not hold for.
type databaseCheck func(ctx context.Context, s *Auditor, now time.Time) ([]string, error)

// Verdict is what was found about one invariant.
type Verdict struct {
	Invariant string
	Broken    []string // the first twenty for which it does not hold, like "player 7"; none when it holds
	EachPart  bool     // it is checked in full in each part of a round
}

// Sound reports whether the invariant holds.
func (v Verdict) Sound() bool { return len(v.Broken) == 0 }

// mostListed is how many of the violations of an invariant are listed.
const mostListed = 20

// idRange is a range of player ids, in the season they play in. Queries name its limits: ids > @After AND <= @UpTo.
type idRange struct {
	After, UpTo models.PlayerID
	season      game.Season
}

// addPlayer adds a player, once, to those whom a check lists; their rows come one after the other.
func addPlayer(list []models.PlayerID, id models.PlayerID) []models.PlayerID {
	if len(list) < mostListed && !slices.Contains(list, id) {
		list = append(list, id)
	}
	return list
}

// findPlayers is the check by a query, which finds the players. Its last value, the limit, and the range are added.
func findPlayers(query string, values ...any) playerCheck {
	return func(tx *gorm.DB, s idRange) (ids []models.PlayerID, err error) {
		err = tx.Raw(query, append(slices.Clone(values), mostListed, s)...).Scan(&ids).Error
		return ids, err
	}
}

// findRows lists the players of those rows that do not match; read scans a row, and the rows of a player come one after the other.
func findRows(query *gorm.DB, read func(row db.Row) (of models.PlayerID, matches bool, err error)) (ids []models.PlayerID, err error) {
	err = db.Each(query, func(row db.Row) error {
		id, matches, err := read(row)
		if err == nil && !matches {
			ids = addPlayer(ids, id)
		}
		return err
	})
	return ids, err
}

// rowCheck is a query for the ids of rows that break an invariant, and what is wrong with one of them.
type rowCheck struct{ what, query string }

// listRows is the check by several queries, in one snapshot.
func listRows(checks []rowCheck) databaseCheck {
	return func(ctx context.Context, s *Auditor, _ time.Time) (broken []string, err error) {
		err = s.db.Snapshot(ctx, func(tx *gorm.DB) (err error) {
			broken, err = listAll(tx, checks)
			return err
		})
		return broken, err
	}
}

// listAll lists what several queries find.
func listAll(tx *gorm.DB, checks []rowCheck) (broken []string, err error) {
	for _, c := range checks {
		found, err := list(tx, c.what, c.query+" ORDER BY 1 LIMIT ?")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.what, err)
		}
		broken = append(broken, found...)
	}
	return broken, nil
}

// list says of each id that a query finds what is wrong with it. The query's last value, the limit, is added.
func list(tx *gorm.DB, what, query string, values ...any) ([]string, error) {
	var ids []string
	err := tx.Raw(query, append(values, mostListed)...).Scan(&ids).Error
	return db.MapSlice(ids, func(id string) string { return fmt.Sprintf(what, id) }), err
}

// name adds a player, once; players come in ascending order.
func (v *Verdict) name(id models.PlayerID) { v.add(fmt.Sprint("player ", id)) }

func (v *Verdict) add(who string) {
	if len(v.Broken) < mostListed && !slices.Contains(v.Broken, who) {
		v.Broken = append(v.Broken, who)
	}
}
