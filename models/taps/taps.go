package taps

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/tasks"
)

// Batch is the taps that a client claims since its last batch, at the bag or in a mine.
type Batch struct {
	TelegramID int64
	Sent       int    // taps claimed, 1 to game.MaxTapBatch, in a mine to game.MaxDigBatch
	Key        string // the batch's id; the same id again gets the first answer. May be empty.
}

// Caller returns who sends a batch, whose id is made here if it has none. No client's id can equal it: theirs have no "~".
func (s *Store) Caller(batch Batch) (commit.Caller, error) {
	if batch.Key == "" {
		random, err := s.db.Random(12)
		if err != nil {
			return commit.Caller{}, fmt.Errorf("name a tap batch: %w", err)
		}
		batch.Key = "~" + hex.EncodeToString(random)
	}
	return commit.Caller{TelegramID: batch.TelegramID, Key: batch.Key}, nil
}

// Tapped is the answer to a batch.
type Tapped struct {
	Accepted int
	Rate     game.TapRate  // at that moment, like the player
	Player   models.Player // as of when the batch was accepted
	At       time.Time     // when the batch was accepted
}

// Tap credits as much of a batch as energy and pace allow (decision 0005): two rows, the posting and the player, in one
// transaction; a batch that completes a task of the day writes a third. A batch of which something was accepted before returns its
// first answer. It refuses with user_blocked, age_consent_required, season_not_started, season_over and, for a known batch id with
// another count, idempotency_key_reused. It returns ErrNotFound if the person has no player.
func (s *Store) Tap(ctx context.Context, batch Batch, season game.Season, now time.Time) (Tapped, error) {
	by, err := s.Caller(batch)
	if err != nil {
		return Tapped{}, err
	}
	rules := s.settings.RuntimeSettings(ctx, now).TapRules()
	var later game.Day
	today := game.DayOf(now)
	day, err := s.tasks.DayTasks(ctx, now) // a batch may complete one
	if err != nil {
		return Tapped{}, err
	}
	command := commit.Command[Tapped]{
		Caller: by, Now: now, Cached: true,
		Decide: func(c *commit.Scope) (Tapped, error) {
			if err := c.Player.CanEarn(season, now); err != nil {
				return Tapped{}, err
			}
			if c.Player.Bag.Day > today {
				later = c.Player.Bag.Day
				return Tapped{}, errLaterDay
			}
			before := *c.Player
			bag, accepted := before.Bag.Tap(rules, batch.Sent, now)
			c.Player.Bag = bag
			tapped := Tapped{Accepted: accepted, Rate: rules.TapRate, At: now}
			if accepted == 0 { // nothing happened, and nothing is stored: the same id may come again
				return tapped, nil
			}
			tasks.CompleteFulfilled(c, day, before)
			coins := rules.Earns(accepted)
			return tapped, c.Post(ledger.Entry{
				Reference: ledger.BatchReference(by.Key),
				Memo: ledger.TapReceipt{
					Sent: batch.Sent, Accepted: accepted, Rate: rules.TapRate,
					Spins: bag.Spins, EnergySpent: bag.EnergySpent, Balances: c.Player.Balances.Plus(coins),
					Revision: c.Player.Revision + 1,
				}.Encode(),
				Moves: []ledger.Move{{From: models.HouseTaps, To: models.AccountGame, Asset: models.AssetMCBK, Amount: int64(coins)}},
			})
		},
		Restore: func(first commit.BatchRecord, p *models.Player) (Tapped, error) { return restore(first, p, batch.Sent) },
	}
	tapped, player, err := commit.Run(ctx, s.commit, command)
	if errors.Is(err, errLaterDay) {
		today = later
		day, err = db.Within(ctx, s.db, func(tx *gorm.DB) ([]models.Task, error) { return s.tasks.TasksOf(tx, today, now) })
		if err != nil {
			return Tapped{}, err
		}
		tapped, player, err = commit.Run(ctx, s.commit, command)
	}
	if errors.Is(err, errLaterDay) { // and yet another one
		err = fmt.Errorf("%w: %w", db.ErrUnavailable, err)
	}
	tapped.Player = player
	return tapped, err
}

// errLaterDay is that a process whose clock is ahead began the next day of a bag.
var errLaterDay = errors.New("the bag is of a later day")

// restore returns the first answer to a batch that comes again, and sets the player as of then. The same id with another count is
// refused with idempotency_key_reused.
func restore(first commit.BatchRecord, p *models.Player, sent int) (Tapped, error) {
	if ledger.IsDigReceipt(first.Memo) {
		return Tapped{}, game.Refuse(models.IdempotencyKeyReused)
	}
	receipt, err := ledger.DecodeTapReceipt(first.Memo)
	if err != nil {
		return Tapped{}, fmt.Errorf("read the receipt of a batch of player %d: %w", p.ID, err)
	}
	if receipt.Sent != sent {
		return Tapped{}, game.Refuse(models.IdempotencyKeyReused)
	}
	day := game.DayOf(first.PostedAt)
	p.Bag.Day, p.Bag.Spins, p.Bag.EnergySpent = day, receipt.Spins, receipt.EnergySpent
	p.Balances, p.Revision = receipt.Balances, receipt.Revision
	if p.Wheel.SpinsGrantedDay >= day && !first.SpinsGranted { // or the day's spins, which these balances lack, would be taken for granted
		p.Wheel.SpinsGrantedDay = day - 1
	}
	return Tapped{Accepted: receipt.Accepted, Rate: receipt.Rate, At: first.PostedAt}, nil
}
