package taps

import (
	"context"
	"encoding/hex"
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
	today := game.DayOf(now)
	day, err := s.tasks.DayTasks(ctx, now) // a batch may complete one
	if err != nil {
		return Tapped{}, err
	}
	tapped, player, err := commit.Run(ctx, s.commit, commit.Command[Tapped]{
		Caller: by, Now: now, Cached: true,
		Decide: func(c *commit.Scope) (Tapped, error) {
			if err := c.Player.CanEarn(season, now); err != nil {
				return Tapped{}, err
			}
			if c.Player.Bag.Day > today {
				return Tapped{}, commit.ErrAlone
			}
			before := c.Player.Bag
			bag, accepted := before.Tap(rules, batch.Sent, now)
			c.Player.Bag = bag
			tapped := Tapped{Accepted: accepted, Rate: rules.TapRate, At: now}
			if accepted == 0 { // nothing happened, and nothing is stored: the same id may come again
				return tapped, nil
			}
			tasks.CompleteReached(c, day, before)
			coins := rules.Earns(accepted)
			return tapped, c.Post(ledger.Entry{
				Reference: ledger.BatchReference(by.Key),
				Memo: ledger.TapReceipt{
					Sent: batch.Sent, Accepted: accepted, Rate: rules.TapRate,
					Spins: bag.Spins, EnergySpent: bag.EnergySpent, Balances: c.Player.Balances.Plus(coins),
				}.Encode(),
				Moves: []ledger.Move{{From: models.HouseTaps, To: models.AccountGame, Asset: models.AssetMCBK, Amount: int64(coins)}},
			})
		},
		Prepare: func(tx *gorm.DB, p *models.Player) (err error) {
			if p.Bag.Day > today { // a process whose clock is ahead began that day
				today = p.Bag.Day
				day, err = s.tasks.TasksOf(tx, today, now)
			}
			return err
		},
		Restore: func(tx *gorm.DB, first models.Posting, p *models.Player) (Tapped, error) {
			tapped, err := decodeReceipt(first, p, batch.Sent)
			if err == nil {
				err = restoreSpinGrant(tx, first, p)
			}
			return tapped, err
		},
	})
	tapped.Player = player
	return tapped, err
}

// restoreSpinGrant restores whether the player of a decoded answer had the spins of the batch's day: only if that was before
// the batch. Otherwise the spins of the day, which the balances of that moment lack, would be taken for given.
func restoreSpinGrant(tx *gorm.DB, first models.Posting, p *models.Player) error {
	day := game.DayOf(first.PostedAt)
	if p.Wheel.SpinsGrantedDay < day {
		return nil
	}
	granted, err := db.Count(tx.Model(&models.Posting{}).Where(`player_id = ? AND reference = ? AND line = 0
		AND id < (SELECT b.id FROM postings b WHERE b.player_id = ? AND b.reference = ? AND b.line = 0)`, p.ID, ledger.SpinsReference(day), p.ID, first.Reference))
	if err != nil {
		return fmt.Errorf("find the spins before %q of player %d: %w", first.Reference, p.ID, err)
	}
	if granted == 0 {
		p.Wheel.SpinsGrantedDay = day - 1
	}
	return nil
}

// decodeReceipt rebuilds the first answer to a batch that comes again, and the player as of then. The same id with another
// count is refused with idempotency_key_reused.
func decodeReceipt(posting models.Posting, p *models.Player, sent int) (Tapped, error) {
	if ledger.IsDigReceipt(posting.Memo) {
		return Tapped{}, game.Refuse(models.IdempotencyKeyReused)
	}
	first, err := ledger.DecodeTapReceipt(posting.Memo)
	if err != nil {
		return Tapped{}, fmt.Errorf("read the receipt of %q, player %d: %w", posting.Reference, posting.PlayerID, err)
	}
	if first.Sent != sent {
		return Tapped{}, game.Refuse(models.IdempotencyKeyReused)
	}
	p.Bag.Day, p.Bag.Spins, p.Bag.EnergySpent = game.DayOf(posting.PostedAt), first.Spins, first.EnergySpent
	p.Balances = first.Balances
	return Tapped{Accepted: first.Accepted, Rate: first.Rate, At: posting.PostedAt}, nil
}
