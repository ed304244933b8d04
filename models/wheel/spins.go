package wheel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/tasks"
)

// PendingPrizeTimeout is how long a prize may wait to be claimed or doubled before it is paid as it is.
const PendingPrizeTimeout = 24 * time.Hour

// Receipt returns the memo of a spin's entries.
func Receipt(s models.Spin) string {
	return ledger.SpinReceipt{OddsVersion: s.OddsVersion, Segment: s.Segment, Chest: s.Chest, Golden: s.Golden}.Encode()
}

// PrizeEntry returns the entry that pays a spin without an ad; it pays only as many spins as a player may hold.
func PrizeEntry(p *models.Player, s models.Spin) ledger.Entry {
	prize := s.Odds().Prize(s.Drawn())
	moves := ledger.RewardMoves(models.HouseWheel, prize.Reward)
	if prize.Spins > 0 {
		amount := max(min(prize.Spins, game.MostSpins-p.Balances.Spins), 0)
		moves = append(moves, ledger.Move{From: models.HouseWheel, To: models.AccountSpins, Asset: models.AssetSpin, Amount: amount})
	}
	return ledger.Entry{Reference: fmt.Sprint("spin:", s.ID), Memo: Receipt(s), Moves: moves}
}

// payPrize pays a pending spin of a locked player as it is.
func payPrize(p *models.Player, s models.Spin, all *ledger.Tx, now time.Time) error {
	p.Wheel.Won += s.Odds().Prize(s.Drawn()).Coins
	return all.Record(p, PrizeEntry(p, s), now)
}

// payForgotten pays the spins that these players left pending for too long and returns how many.
func (s *Store) payForgotten(ctx context.Context, ids []models.PlayerID, upTo time.Time, now time.Time) (int64, error) {
	return db.Within(ctx, s.db, func(tx *gorm.DB) (paid int64, err error) {
		err = s.ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			for _, id := range ids {
				waiting, err := endPending(tx, id, upTo, now)
				if err != nil {
					return err
				}
				for _, spin := range waiting {
					if err := payPrize(locked[id], spin, all, now); err != nil {
						return err
					}
				}
				paid += int64(len(waiting))
			}
			return nil
		})
		return paid, err
	})
}

// endPending claims the spins that a locked player has left pending since upTo.
func endPending(tx *gorm.DB, id models.PlayerID, upTo, now time.Time) (ended []models.Spin, err error) {
	err = tx.Raw(`UPDATE spins SET state = 'claimed', settled_at = ? WHERE state = 'pending' AND player_id = ? AND spun_at <= ?
		RETURNING id, player_id, odds_version, segment, chest, golden`, now, id, upTo).Scan(&ended).Error
	return ended, db.Wrap(err, "end the pending spins of player %d", id)
}

// ownSpin reads a player's spin by its id.
var ownSpin = commit.Rows[models.Spin]{Columns: spinColumns, From: "JOIN spins s ON s.id = w.number AND s.player_id = w.player_id", Fields: spinFields}

// pendingSpins reads a player's pending spins.
var pendingSpins = commit.Rows[models.Spin]{
	Columns: spinColumns, From: "JOIN spins s ON s.player_id = w.player_id AND s.state = 'pending'", Fields: spinFields,
}

const spinColumns = "s.id, s.odds_version, s.segment, s.chest, s.golden, s.state"

func spinFields(s *models.Spin) []any {
	return []any{&s.ID, &s.OddsVersion, &s.Segment, &s.Chest, &s.Golden, &s.State}
}

var claimPrize = commit.Claims("spins", "settled_at", "'pending'")

// pay claims a pending spin and pays it as it is.
func pay(c *commit.Scope, spin models.Spin) error {
	claimPrize.Add(c, commit.Claim{ID: spin.ID, At: c.Now})
	return payPrize(c.Player, spin, &c.Tx, c.Now)
}

// ClaimSpin pays a pending prize as it is. It refuses with not_found, already_claimed, and what
// every earning call refuses with.
func (s *Store) ClaimSpin(ctx context.Context, by commit.Caller, spinID int64, season game.Season, now time.Time) (models.Player, error) {
	_, player, err := s.claimSpin(ctx, by, spinID, false, season, now)
	return player, err
}

// ClaimChest is ClaimSpin for a chest; a spin without one is refused with not_eligible.
func (s *Store) ClaimChest(ctx context.Context, by commit.Caller, spinID int64, season game.Season, now time.Time) (models.Spin, models.Player, error) {
	return s.claimSpin(ctx, by, spinID, true, season, now)
}

func (s *Store) claimSpin(ctx context.Context, by commit.Caller, spinID int64, needsChest bool, season game.Season, now time.Time) (models.Spin, models.Player, error) {
	return commit.Run(ctx, s.commit, commit.Command[models.Spin]{
		Caller: by, Now: now, Wants: []commit.Want{ownSpin.For(spinID, "")},
		Decide: func(c *commit.Scope) (spin models.Spin, err error) {
			if err := c.Player.CanEarn(season, now); err != nil {
				return spin, err
			}
			if spin, err = ownSpin.One(c); err != nil {
				return spin, err
			}
			if needsChest && spin.Chest == game.NoChest {
				return spin, game.Refuse(models.NotEligible)
			}
			if spin.State != models.SpinPending {
				return spin, game.Refuse(game.AlreadyClaimed)
			}
			err = pay(c, spin)
			spin.State = models.SpinClaimed
			return spin, err
		},
	})
}

// settleSpin moves a spin of a locked player to a state in which it is paid.
func settleSpin(tx *gorm.DB, s *models.Spin, to models.SpinState, now time.Time) error {
	err := db.UpdateOne(tx.Exec("UPDATE spins SET state = ?, settled_at = COALESCE(settled_at, ?) WHERE id = ? AND state = ?", to, now, s.ID, s.State))
	if err != nil {
		return fmt.Errorf("settle spin %d: %w", s.ID, err)
	}
	s.State = to
	return nil
}

func oneSpin(tx *gorm.DB, id models.PlayerID, spinID int64) (models.Spin, error) {
	spin, err := db.One[models.Spin](tx.Where("id = ? AND player_id = ?", spinID, id))
	return spin, db.Wrap(err, "read spin %d", spinID)
}

// PaySpins pays the prizes that waited for 24 hours, as they are, and returns how many; the error names the players who could not
// be paid. It is idempotent.
func (s *Store) PaySpins(ctx context.Context, now time.Time) (paid int64, err error) {
	upTo := now.Add(-PendingPrizeTimeout)
	var round db.BatchRunner
	for last := models.PlayerID(0); !round.GaveUp; {
		var players []models.PlayerID
		// All that are due are read for each page: the fewer pages, the better.
		err := s.db.Read(ctx).Raw(`SELECT DISTINCT player_id FROM spins WHERE state = 'pending' AND settled_at IS NULL AND spun_at <= ? AND player_id > ?
			ORDER BY player_id LIMIT ?`, upTo, last, db.SweepRows).Scan(&players).Error
		if err != nil {
			return paid, errors.Join(round.Err(), db.WrapUnavailable(fmt.Errorf("find spins to pay: %w", err)))
		}
		if len(players) == 0 {
			break
		}
		for some := range slices.Chunk(players, tasks.PayAtOnce) {
			if round.GaveUp {
				break
			}
			paid += round.AtOnce(some, func(ids []models.PlayerID) (int64, error) { return s.payForgotten(ctx, ids, upTo, now) })
		}
		last = players[len(players)-1]
	}
	return paid, round.Err()
}
