package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// Tapped is the answer to a batch.
type Tapped struct {
	Accepted int
	Rate     game.TapRate // at that moment, like the player
	Player   Player       // as of when the batch was accepted
	At       time.Time    // when the batch was accepted
}

// Tap credits as much of a batch as energy and pace allow (decision 0005): two rows, the posting and the player, in one
// transaction; a batch that completes a task of the day writes a third. A batch of which something was accepted before returns its
// first answer. It refuses
// with user_blocked, age_consent_required, season_not_started, season_over and, for a known batch id with another count,
// idempotency_key_reused. It returns ErrNotFound if the person has no player.
//
// The player is found by Telegram id, so that the row is read once, locked. Batches that arrive while others are being committed
// are written together, see groupCommit.
func (s *Store) Tap(ctx context.Context, batch Batch, season game.Season, now time.Time) (Tapped, error) {
	queued, err := s.batchOf(ctx, batch, season, now)
	if err != nil {
		return Tapped{}, err
	}
	w := &waitingTap{queuedBatch: queued, waiting: newWaiting[Tapped](ctx)}
	if tx, ok := txOf(ctx); ok {
		if _, err := s.writeTaps(tx, []*waitingTap{w}, false); err != nil {
			return Tapped{}, err
		}
		return w.answer, w.err
	}
	if err := s.learnTasks(ctx, game.DayOf(now), now); err != nil { // a batch may complete one
		return Tapped{}, err
	}
	s.taps.join(w)
	select {
	case <-w.done:
		return w.answer, w.err
	case <-ctx.Done(): // it may still be counted; its id gets the answer next time
		return Tapped{}, explained(ctx.Err())
	}
}

// writeTaps decides a group of batches one after the other and writes their effects together. The answers, refusals among them, are
// left in the group; an error means that nothing was written. With skipLocked, batches whose player is locked by another
// transaction are returned undecided instead of keeping the others waiting.
func (s *Store) writeTaps(tx *gorm.DB, group []*waitingTap, skipLocked bool) (left []*waitingTap, err error) {
	players, err := s.lockForBatches(tx, mapped(group, (*waitingTap).lookup), skipLocked)
	if err != nil {
		return nil, err
	}
	var all journal
	var done []reached
	var nothing []sentKey
	for _, w := range group {
		at, here := players[w.batch.TelegramID]
		switch {
		case here:
			before := at.player.Bag
			first, again := at.before[w.reference]
			if err := w.decide(at, &all); err != nil {
				return nil, err
			}
			if again && w.err == nil {
				if err := w.answer.restoreSpinGrant(tx, first.Reference); err != nil {
					return nil, err
				}
			}
			if !again && w.err == nil && w.answer.Accepted == 0 && w.batch.Key != "" {
				nothing = append(nothing, sentKey{at.player.ID, w.batch.Key})
			}
			more, err := s.reachedNow(tx, at.player, before, w.now)
			if err != nil {
				return nil, err
			}
			done = append(done, more...)
		case skipLocked:
			left = append(left, w)
		default:
			w.err = fmt.Errorf("tap of Telegram %d: %w", w.batch.TelegramID, ErrNotFound)
		}
	}
	if err := s.stillUnposted(tx, nothing); err != nil {
		return nil, err
	}
	if err := s.writeJournal(tx, &all); err != nil {
		return nil, err
	}
	return left, s.completeReached(tx, done)
}

// decide gives a batch its answer or its refusal and records what it earned.
func (w *waitingTap) decide(at batchPlayer, all *journal) error {
	player := at.player
	if w.err = player.MayPlay(); w.err != nil {
		return nil //nolint:nilerr // the refusal is the batch's answer, the others go on
	}
	if first, again := at.before[w.reference]; again {
		w.answer, w.err = recall(first, *player, w.batch.Sent)
		return nil
	}
	if at.taken[w.batch.requestKey()] {
		w.err = game.Refuse(IdempotencyKeyReused)
		return nil
	}
	if refusal := player.mayEarn(w.season, w.now); refusal != nil {
		w.err = refusal
		return nil //nolint:nilerr // the refusal is the batch's answer, the others go on
	}
	bag, accepted := player.Bag.Tap(w.rules, w.batch.Sent, w.now)
	if accepted == 0 { // nothing happened, and nothing is stored: the same id may come again
		w.answer = Tapped{Rate: w.rules.TapRate, Player: *player, At: w.now}
		w.answer.Player.Bag = bag
		return nil
	}
	player.Bag = bag
	coins := w.rules.Earns(accepted)
	memo := tapReceipt(w.batch.Sent, accepted, w.rules.TapRate, player.Bag, player.Balances.plus(coins))
	err := all.record(player, entry{
		reference: w.reference, memo: memo,
		moves: []move{{from: houseTaps, to: AccountGame, asset: AssetMCBK, amount: int64(coins)}},
	}, w.now)
	if err != nil {
		return err
	}
	at.before[w.reference] = Posting{PlayerID: player.ID, Reference: w.reference, Memo: memo, PostedAt: w.now}
	w.answer, w.err = Tapped{Accepted: accepted, Rate: w.rules.TapRate, Player: *player, At: w.now}, nil
	return nil
}

// restoreSpinGrant restores whether the player of a recalled answer had looked at the wheel on the batch's day: only if that was before
// the batch. Otherwise the spins of the day, which the balances of that moment lack, would be taken for given. An entry that this
// transaction has yet to write comes after all others.
func (t *Tapped) restoreSpinGrant(tx *gorm.DB, reference string) error {
	day := game.DayOf(t.At)
	if t.Player.Wheel.LookedDay < day {
		return nil
	}
	var looked bool
	err := tx.Raw(`SELECT EXISTS (SELECT 1 FROM postings s WHERE s.player_id = ? AND s.reference = ? AND s.line = 0 AND s.id < COALESCE(
		(SELECT b.id FROM postings b WHERE b.player_id = ? AND b.reference = ? AND b.line = 0), s.id + 1))`,
		t.Player.ID, spinsReference(day), t.Player.ID, reference).Scan(&looked).Error
	if err != nil {
		return fmt.Errorf("find the look before %q of player %d: %w", reference, t.Player.ID, err)
	}
	if !looked {
		t.Player.Wheel.LookedDay = day - 1
	}
	return nil
}

// recall rebuilds the first answer to a batch that comes again. The same id with another
// count is refused with idempotency_key_reused.
func recall(p Posting, player Player, sent int) (Tapped, error) {
	var (
		first    int
		accepted int
		b        Balances
		rate     = usualTapRate
	)
	if isDigReceipt(p.Memo) {
		return Tapped{}, game.Refuse(IdempotencyKeyReused)
	}
	player.Bag.Day = game.DayOf(p.PostedAt)
	numbers := []any{
		&first, &accepted, &player.Bag.Spins, &player.Bag.EnergySpent, &b.Game, &b.Referral, &b.Purchased,
		&b.GamePoints, &b.ReferralPoints, &b.Mine, &b.Spins, &b.AdSpins,
	}
	if tellsRate(p.Memo) {
		numbers = append(numbers, &rate.Energy, &rate.Coins)
	}
	if _, err := fmt.Sscan(p.Memo, numbers...); err != nil {
		return Tapped{}, fmt.Errorf("read receipt of %q, player %d: %w", p.Reference, p.PlayerID, err)
	}
	if first != sent {
		return Tapped{}, game.Refuse(IdempotencyKeyReused)
	}
	player.Balances = b
	return Tapped{Accepted: accepted, Rate: rate, Player: player, At: p.PostedAt}, nil
}
