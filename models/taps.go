package models

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// TapBatch is what a client says was tapped since its last batch.
type TapBatch struct {
	TelegramID int64
	Sent       int    // taps claimed, 1 to game.MaxTapBatch
	Key        string // the batch's id; the same id again gets the first answer. May be empty.
	Keyed      bool   // the id is the request's idempotency key too, which another call may have used
}

// Tapped is the answer to a batch.
type Tapped struct {
	Accepted int
	Rate     game.TapRate // of that moment, like the player
	Player   Player       // as it stood when the batch was accepted
}

// IdempotencyKeyReused refuses a known key that comes with another body.
const IdempotencyKeyReused game.Code = "idempotency_key_reused"

// Tap credits as much of a batch as energy and pace allow (decision 0005): two rows, the
// posting and the player, in one transaction; a batch that completes a task of the day writes a
// third. A batch seen before returns its first answer.
// It refuses with user_blocked, age_consent_required, season_not_started, season_over and, for a known
// batch id with another count, idempotency_key_reused. ErrNotFound is a person without a player.
//
// The player is found by whom Telegram says they are, so that the row is read once, locked.
// Batches that arrive while others are being committed are written together, see tapLine.
func (s *Store) Tap(ctx context.Context, batch TapBatch, season game.Season, now time.Time) (Tapped, error) {
	key := batch.Key
	if key == "" {
		var err error
		if key, err = s.nameBatch(); err != nil {
			return Tapped{}, err
		}
	}
	waiting := &waitingTap{
		batch: batch, reference: tapReference(key), season: season, rules: s.Knobs(ctx, now).TapRules(), now: now,
		gone: ctx.Done(), done: make(chan struct{}),
	}
	if tx, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		if _, err := s.writeTaps(tx, []*waitingTap{waiting}, false); err != nil {
			return Tapped{}, err
		}
		return waiting.answer, waiting.err
	}
	if err := s.learnTasks(ctx, game.DayOf(now), now); err != nil { // a batch may complete one
		return Tapped{}, err
	}
	s.taps.join(waiting)
	select {
	case <-waiting.done:
		return waiting.answer, waiting.err
	case <-ctx.Done(): // it may still be counted; its id gets the answer next time
		return Tapped{}, explained(ctx.Err())
	}
}

// writeTaps decides a group of batches one after the other and writes what they did together.
// The answers, refusals among them, are left in the group; an error means that nothing was
// written. With passing, batches of players whom another transaction holds are returned
// undecided instead of keeping the others waiting.
func (s *Store) writeTaps(tx *gorm.DB, group []*waitingTap, passing bool) (left []*waitingTap, err error) {
	seats, err := s.lockForBatches(tx, each(group, (*waitingTap).look), passing)
	if err != nil {
		return nil, err
	}
	var all journal
	var done []reached
	for _, w := range group {
		at, here := seats[w.batch.TelegramID]
		switch {
		case here:
			before := at.player.Bag
			if err := w.decide(at, &all); err != nil {
				return nil, err
			}
			more, err := s.reachedNow(tx, at.player, before, w.now)
			if err != nil {
				return nil, err
			}
			done = append(done, more...)
		case passing:
			left = append(left, w)
		default:
			w.err = fmt.Errorf("tap of Telegram %d: %w", w.batch.TelegramID, ErrNotFound)
		}
	}
	if err := all.write(tx, s.dialect); err != nil {
		return nil, err
	}
	return left, s.completeReached(tx, done)
}

// seat is a player at the bag: their locked row, which of the batches were posted before, and
// whose keys another call has used.
type seat struct {
	player *Player
	before map[string]Posting // by reference; only memo and time are filled
	taken  map[string]bool    // by key
}

// look is what is asked about a batch: whose it is, and whether it was posted or its key used before.
type look struct {
	telegramID int64
	reference  string
	key        string // under which another call may have been answered; empty without one
}

func (w *waitingTap) look() look { return look{w.batch.TelegramID, w.reference, w.requestKey()} }

// lockForBatches reads, in one statement, the players of these batches for changing, in ascending
// order of their ids like everybody who locks several, and the receipts of batches posted before;
// then which keys were used. A receipt that another process commits while this statement waits for
// the row is not seen; then the entry cannot be written twice, and the transaction is run again
// (see repeatable).
func (s *Store) lockForBatches(tx *gorm.DB, group []look, passing bool) (map[int64]seat, error) {
	lock := s.dialect.forUpdate("p")
	if passing {
		lock = s.dialect.forUpdateOfFree("p")
	}
	// Joined, or asked for by EXISTS, all postings of the player or of everybody might be read for the one.
	const posted = "FROM postings q WHERE q.player_id = p.id AND q.reference = v.reference AND q.line = 0"
	table, values := s.dialect.values(
		integers("telegram_id", group, func(l look) int64 { return l.telegramID }),
		texts("reference", group, func(l look) string { return l.reference }),
	)
	rows, err := tx.Raw(`SELECT `+playerColumns("p")+`, v.reference,
			(SELECT q.memo `+posted+`), (SELECT q.posted_at `+posted+`)
		FROM `+table+` JOIN players p ON p.telegram_id = v.telegram_id ORDER BY p.id`+lock, values...).Rows()
	if err != nil {
		return nil, fmt.Errorf("lock players of %d batches: %w", len(group), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	seats := make(map[int64]seat, len(group))
	for rows.Next() {
		var (
			p         Player
			reference string
			memo      *string
			postedAt  *time.Time
		)
		if err := rows.Scan(append(p.fields(), &reference, &memo, &postedAt)...); err != nil {
			return nil, fmt.Errorf("read a player at the bag: %w", err)
		}
		at, seen := seats[p.TelegramID]
		if !seen {
			at = seat{&p, map[string]Posting{}, map[string]bool{}}
			seats[p.TelegramID] = at
		}
		if memo != nil {
			at.before[reference] = Posting{PlayerID: p.ID, Reference: reference, Memo: *memo, PostedAt: *postedAt}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read players at the bag: %w", err)
	}
	return seats, s.lookForKeys(tx, group, seats)
}

// lookForKeys notes whose keys another call has used.
func (s *Store) lookForKeys(tx *gorm.DB, group []look, seats map[int64]seat) error {
	var keys []sentKey
	for _, l := range group {
		if at, here := seats[l.telegramID]; here && l.key != "" {
			keys = append(keys, sentKey{at.player.ID, l.key})
		}
	}
	used, err := usedKeys(tx, s.dialect, keys, usedByCall)
	if err != nil {
		return err
	}
	for _, l := range group {
		if at, here := seats[l.telegramID]; here && used[sentKey{at.player.ID, l.key}] {
			at.taken[l.key] = true
		}
	}
	return nil
}

// decide gives a batch its answer or its refusal and records what it earned.
func (w *waitingTap) decide(at seat, all *journal) error {
	player := at.player
	if w.err = player.MayPlay(); w.err != nil {
		return nil //nolint:nilerr // the refusal is the batch's answer, the others go on
	}
	if first, again := at.before[w.reference]; again {
		w.answer, w.err = recall(first, *player, w.batch.Sent)
		return nil
	}
	if at.taken[w.requestKey()] {
		w.err = game.Refuse(IdempotencyKeyReused)
		return nil
	}
	if refusal := player.mayEarn(w.season, w.now); refusal != nil {
		w.err = refusal
		return nil //nolint:nilerr // the refusal is the batch's answer, the others go on
	}
	var accepted int
	player.Bag, accepted = player.Bag.Tap(w.rules, w.batch.Sent, w.now)
	if accepted == 0 && w.batch.Key == "" { // nothing happened, and it cannot come again
		w.answer = Tapped{Rate: w.rules.TapRate, Player: *player}
		return nil
	}
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
	w.answer, w.err = Tapped{Accepted: accepted, Rate: w.rules.TapRate, Player: *player}, nil
	return nil
}

// requestKey is the key under which another call may have been answered; empty without one.
func (w *waitingTap) requestKey() string {
	if w.batch.Keyed {
		return w.batch.Key
	}
	return ""
}

// tapReceipt is the answer to a batch in few bytes, kept with its posting for a repeated
// request: every number that the player's later life may change, in recall's order. A rate that
// an admin has changed is added.
func tapReceipt(sent, accepted int, rate game.TapRate, bag game.Bag, b Balances) string {
	numbers := []int64{
		int64(sent), int64(accepted), int64(bag.Spins), int64(bag.EnergySpent), int64(b.Game), int64(b.Referral), int64(b.Purchased),
		b.GamePoints, b.ReferralPoints, int64(b.Mine), b.Spins, b.AdSpins,
	}
	if rate != usualTapRate {
		numbers = append(numbers, int64(rate.Energy), int64(rate.Coins))
	}
	receipt := make([]byte, 0, 64) // the usual size
	for i, number := range numbers {
		if i > 0 {
			receipt = append(receipt, ' ')
		}
		receipt = strconv.AppendInt(receipt, number, 10)
	}
	return string(receipt)
}

// usualTapRate is what a receipt means that tells no rate.
var usualTapRate = game.TapRate{Energy: game.EnergyPerTap, Coins: game.CoinsPerTap}

// tellsRate tells whether a receipt names a rate of its own, behind the twelve numbers of all.
func tellsRate(receipt string) bool { return strings.Count(receipt, " ") > 11 }

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
	return Tapped{Accepted: accepted, Rate: rate, Player: player}, nil
}

// tapReference names the entry of a batch, made at the bag or in a mine: its key serves one of them.
func tapReference(key string) string { return "tap:" + key }

// nameBatch gives a batch without an id one that no client's meets: theirs have no "~".
func (s *Store) nameBatch() (key string, err error) {
	var random [12]byte
	if _, err := io.ReadFull(s.entropy, random[:]); err != nil {
		return "", fmt.Errorf("name a tap batch: %w", err)
	}
	return "~" + hex.EncodeToString(random[:]), nil
}
