package taps

import (
	"context"
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

// Tapped is the answer to a batch.
type Tapped struct {
	Accepted int
	Rate     game.TapRate  // at that moment, like the player
	Player   models.Player // as of when the batch was accepted
	At       time.Time     // when the batch was accepted
}

// Tap credits as much of a batch as energy and pace allow (decision 0005): two rows, the posting and the player, in one
// transaction; a batch that completes a task of the day writes a third. A batch of which something was accepted before returns its
// first answer. It refuses
// with user_blocked, age_consent_required, season_not_started, season_over and, for a known batch id with another count,
// idempotency_key_reused. It returns ErrNotFound if the person has no player.
//
// The player is found by Telegram id, so that the row is read once, locked. Batches that arrive while others are being committed
// are written together, see GroupCommit.
func (s *Store) Tap(ctx context.Context, batch Batch, season game.Season, now time.Time) (Tapped, error) {
	queued, err := s.NewBatch(ctx, batch, season, now)
	if err != nil {
		return Tapped{}, err
	}
	w := &WaitingTap{QueuedBatch: queued, Call: db.NewCall[Tapped](ctx)}
	if tx, ok := db.TxFrom(ctx); ok {
		if _, err := s.writeTaps(tx, []*WaitingTap{w}, false); err != nil {
			return Tapped{}, err
		}
		return w.Answer, w.Err
	}
	if err := s.tasks.LoadTasks(ctx, game.DayOf(now), now); err != nil { // a batch may complete one
		return Tapped{}, err
	}
	s.taps.Join(w)
	select {
	case <-w.Done:
		return w.Answer, w.Err
	case <-ctx.Done(): // it may still be counted; its id gets the answer next time
		return Tapped{}, db.WrapUnavailable(ctx.Err())
	}
}

// writeTaps decides a group of batches one after the other and writes their effects together. The answers, refusals among them, are
// left in the group; an error means that nothing was written. With skipLocked, batches whose player is locked by another
// transaction are returned undecided instead of keeping the others waiting.
func (s *Store) writeTaps(tx *gorm.DB, group []*WaitingTap, skipLocked bool) (left []*WaitingTap, err error) {
	players, err := s.LockForBatches(tx, db.MapSlice(group, (*WaitingTap).Lookup), skipLocked)
	if err != nil {
		return nil, err
	}
	var all ledger.Tx
	var done []tasks.CompletedTask
	var nothing []commit.Key
	for _, w := range group {
		at, here := players[w.Batch.TelegramID]
		switch {
		case here:
			before := at.Player.Bag
			first, again := at.Before[w.Reference]
			if err := w.decide(at, &all); err != nil {
				return nil, err
			}
			if again && w.Err == nil {
				if err := w.Answer.restoreSpinGrant(tx, first.Reference); err != nil {
					return nil, err
				}
			}
			if !again && w.Err == nil && w.Answer.Accepted == 0 && w.Batch.Key != "" {
				nothing = append(nothing, commit.Key{Player: at.Player.ID, Key: w.Batch.Key})
			}
			more, err := s.tasks.CompletedNow(tx, at.Player, before, w.Now)
			if err != nil {
				return nil, err
			}
			done = append(done, more...)
		case skipLocked:
			left = append(left, w)
		default:
			w.Err = fmt.Errorf("tap of Telegram %d: %w", w.Batch.TelegramID, db.ErrNotFound)
		}
	}
	if err := s.CheckUnposted(tx, nothing); err != nil {
		return nil, err
	}
	if err := s.ledger.WriteJournal(tx, &all); err != nil {
		return nil, err
	}
	return left, s.tasks.Complete(tx, done)
}

// decide gives a batch its answer or its refusal and records what it earned.
func (w *WaitingTap) decide(at BatchPlayer, all *ledger.Tx) error {
	player := at.Player
	if w.Err = player.CanPlay(); w.Err != nil {
		return nil //nolint:nilerr // the refusal is the batch's answer, the others go on
	}
	if first, again := at.Before[w.Reference]; again {
		w.Answer, w.Err = DecodeReceipt(first, *player, w.Batch.Sent)
		return nil
	}
	if at.Taken[w.Batch.RequestKey()] {
		w.Err = game.Refuse(models.IdempotencyKeyReused)
		return nil
	}
	if refusal := player.CanEarn(w.Season, w.Now); refusal != nil {
		w.Err = refusal
		return nil //nolint:nilerr // the refusal is the batch's answer, the others go on
	}
	bag, accepted := player.Bag.Tap(w.Rules, w.Batch.Sent, w.Now)
	if accepted == 0 { // nothing happened, and nothing is stored: the same id may come again
		w.Answer = Tapped{Rate: w.Rules.TapRate, Player: *player, At: w.Now}
		w.Answer.Player.Bag = bag
		return nil
	}
	player.Bag = bag
	coins := w.Rules.Earns(accepted)
	memo := ledger.TapReceipt{
		Sent: w.Batch.Sent, Accepted: accepted, Rate: w.Rules.TapRate,
		Spins: player.Bag.Spins, EnergySpent: player.Bag.EnergySpent, Balances: player.Balances.Plus(coins),
	}.Encode()
	err := all.Record(player, ledger.Entry{
		Reference: w.Reference, Memo: memo,
		Moves: []ledger.Move{{From: models.HouseTaps, To: models.AccountGame, Asset: models.AssetMCBK, Amount: int64(coins)}},
	}, w.Now)
	if err != nil {
		return err
	}
	at.Before[w.Reference] = models.Posting{PlayerID: player.ID, Reference: w.Reference, Memo: memo, PostedAt: w.Now}
	w.Answer, w.Err = Tapped{Accepted: accepted, Rate: w.Rules.TapRate, Player: *player, At: w.Now}, nil
	return nil
}

// restoreSpinGrant restores whether the player of a decoded answer had the spins of the batch's day: only if that was before
// the batch. Otherwise the spins of the day, which the balances of that moment lack, would be taken for given. An entry that this
// transaction has yet to write comes after all others.
func (t *Tapped) restoreSpinGrant(tx *gorm.DB, reference string) error {
	day := game.DayOf(t.At)
	if t.Player.Wheel.SpinsGrantedDay < day {
		return nil
	}
	var granted bool
	err := tx.Raw(`SELECT EXISTS (SELECT 1 FROM postings s WHERE s.player_id = ? AND s.reference = ? AND s.line = 0 AND s.id < COALESCE(
		(SELECT b.id FROM postings b WHERE b.player_id = ? AND b.reference = ? AND b.line = 0), s.id + 1))`,
		t.Player.ID, ledger.SpinsReference(day), t.Player.ID, reference).Scan(&granted).Error
	if err != nil {
		return fmt.Errorf("find the look before %q of player %d: %w", reference, t.Player.ID, err)
	}
	if !granted {
		t.Player.Wheel.SpinsGrantedDay = day - 1
	}
	return nil
}

// DecodeReceipt rebuilds the first answer to a batch that comes again. The same id with another
// count is refused with idempotency_key_reused.
func DecodeReceipt(p models.Posting, player models.Player, sent int) (Tapped, error) {
	if ledger.IsDigReceipt(p.Memo) {
		return Tapped{}, game.Refuse(models.IdempotencyKeyReused)
	}
	first, err := ledger.DecodeTapReceipt(p.Memo)
	if err != nil {
		return Tapped{}, fmt.Errorf("read the receipt of %q, player %d: %w", p.Reference, p.PlayerID, err)
	}
	if first.Sent != sent {
		return Tapped{}, game.Refuse(models.IdempotencyKeyReused)
	}
	player.Bag.Day, player.Bag.Spins, player.Bag.EnergySpent = game.DayOf(p.PostedAt), first.Spins, first.EnergySpent
	player.Balances = first.Balances
	return Tapped{Accepted: first.Accepted, Rate: first.Rate, Player: player, At: p.PostedAt}, nil
}
