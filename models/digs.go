package models

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// Dug is the answer to a batch, as of when the batch was accepted.
type Dug struct {
	Accepted          int
	Total             game.MicroMCBK // ore in this tournament
	Energy, MaxEnergy int
}

// Dig credits as much of a batch as energy and pace allow, in the tournament that runs at now: posting, player and miner in one
// transaction. A batch of which something was accepted before returns its first answer. It refuses with user_blocked, age_consent_required, season_not_started,
// season_over, tournament_not_active, mine_locked and, for a known batch id with another count, idempotency_key_reused.
// ErrNotFound is a person without a player.
//
// Batches that arrive while others are being committed are written together, see groupCommit.
func (s *Store) Dig(ctx context.Context, batch Batch, season game.Season, now time.Time) (Dug, error) {
	queued, err := s.batchOf(ctx, batch, season, now)
	if err != nil {
		return Dug{}, err
	}
	w := &waitingDig{queuedBatch: queued, waiting: newWaiting[Dug](ctx)}
	if _, inside := txOf(ctx); !inside {
		s.digs.join(w)
		select {
		case <-w.done:
		case <-ctx.Done(): // it may still be counted; its id gets the answer next time
			return Dug{}, explained(ctx.Err())
		}
		if !w.ownTx {
			return w.answer, w.err
		}
	}
	err = s.DB.inTx(ctx, func(tx *gorm.DB) error {
		_, err := s.writeDigs(tx, []*waitingDig{w}, false)
		return err
	})
	if err != nil {
		return Dug{}, err
	}
	return w.answer, w.err
}

// writeDigs decides a group of batches one after the other and writes their effects together. The answers, refusals among them, are
// left in the group; an error means that nothing was written. With skipLocked, batches whose player is locked by another
// transaction are returned undecided. A group belongs to one tournament. A batch of the next tournament's first moment, in a group
// with one of this one's last, is refused with tournament_not_active. That loses nothing: nobody has a mine in the next tournament
// yet.
func (s *Store) writeDigs(tx *gorm.DB, group []*waitingDig, skipLocked bool) (left []*waitingDig, err error) {
	first, last := group[0].now, group[0].now
	for _, w := range group {
		w.answer, w.err = Dug{}, nil // those of an attempt that was rolled back
		if w.now.Before(first) {
			first = w.now
		}
		if w.now.After(last) {
			last = w.now
		}
	}
	// A transaction that closes the tournament waits for this one, and every later one sees that it is closed.
	running, err := tournaments(tx, "WHERE starts_at <= ? AND ends_at > ? ORDER BY starts_at LIMIT 1"+s.DB.dialect.forShare("tournaments"), stored(last), stored(first))
	if err != nil {
		return nil, err
	}
	t := append(running, Tournament{})[0]
	players, err := s.lockForBatches(tx, mapped(group, (*waitingDig).lookup), skipLocked)
	if err != nil {
		return nil, err
	}
	miners, err := s.minersOf(tx, t.ID, players)
	if err != nil {
		return nil, err
	}
	var (
		all     journal
		dugs    []*Miner
		nothing []sentKey
	)
	for _, w := range group {
		at, here := players[w.batch.TelegramID]
		if here {
			_, again := at.before[w.reference]
			dug, err := w.decide(at, t, miners[at.player.ID], &all)
			if err != nil {
				return nil, err
			}
			if !again && w.err == nil && w.answer.Accepted == 0 && w.batch.Key != "" {
				nothing = append(nothing, sentKey{at.player.ID, w.batch.Key})
			}
			if dug != nil && !slices.Contains(dugs, dug) {
				dugs = append(dugs, dug)
			}
			continue
		}
		if skipLocked {
			left = append(left, w)
		} else {
			w.err = fmt.Errorf("taps of Telegram %d in a mine: %w", w.batch.TelegramID, ErrNotFound)
		}
	}
	if err := s.stillUnposted(tx, nothing); err != nil {
		return nil, err
	}
	if len(dugs) > 0 {
		all.besides = append(all.besides, saveMiners(s.DB.dialect, dugs))
	}
	return left, s.writeJournal(tx, &all)
}

// minersOf returns the rows of locked players in a tournament, by player.
func (s *Store) minersOf(tx *gorm.DB, tournament int64, players map[int64]batchPlayer) (map[PlayerID]*Miner, error) {
	found := make(map[PlayerID]*Miner, len(players))
	if tournament == 0 || len(players) == 0 {
		return found, nil
	}
	ids := make([]PlayerID, 0, len(players))
	for _, at := range players {
		ids = append(ids, at.player.ID)
	}
	among, values := s.DB.dialect.among("m.player_id", ids)
	rows, err := tx.Raw("SELECT "+minerColumns+" FROM miners m WHERE m.tournament_id = ? AND "+among, append([]any{tournament}, values...)...).Rows()
	if err != nil {
		return nil, fmt.Errorf("read %d miners: %w", len(ids), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	for rows.Next() {
		var m Miner
		if err := rows.Scan(m.fields()...); err != nil {
			return nil, fmt.Errorf("read a miner: %w", err)
		}
		found[m.PlayerID] = &m
	}
	return found, rows.Err()
}

// decide gives a batch its answer or its refusal and records what it dug; it returns the miner if something has changed.
func (w *waitingDig) decide(at batchPlayer, t Tournament, m *Miner, all *journal) (*Miner, error) {
	player := at.player
	if w.err = player.MayPlay(); w.err != nil {
		return nil, nil //nolint:nilerr // the refusal is the batch's answer, the others go on
	}
	if first, again := at.before[w.reference]; again {
		w.answer, w.err = recallDig(first, w.batch.Sent)
		return nil, nil
	}
	if w.err = w.mayDig(at, t, m); w.err != nil {
		return nil, nil //nolint:nilerr // as above
	}
	before := m.Ore
	after, accepted := m.Dig(w.rules, w.batch.Sent, w.now)
	w.answer = Dug{Accepted: accepted, Total: after.Ore, Energy: after.Energy(), MaxEnergy: after.Mine().Energy}
	if accepted == 0 { // nothing happened, and nothing is stored: the same id may come again
		return nil, nil
	}
	m.Digger = after
	memo := digReceipt(t.ID, w.batch.Sent, accepted, after)
	at.before[w.reference] = Posting{PlayerID: player.ID, Reference: w.reference, Memo: memo, PostedAt: w.now}
	return m, all.record(player, entry{
		reference: w.reference, memo: memo,
		moves: []move{{from: houseMines, to: AccountMine, asset: AssetOre, amount: int64(after.Ore - before)}},
	}, w.now)
}

// mayDig refuses a new batch of a player who cannot dig.
func (w *waitingDig) mayDig(at batchPlayer, t Tournament, m *Miner) error {
	if at.taken[w.batch.requestKey()] {
		return game.Refuse(IdempotencyKeyReused)
	}
	if err := at.player.mayEarn(w.season, w.now); err != nil {
		return err
	}
	if t.ID == 0 || !t.Contains(w.now) || t.At(w.now) != game.TournamentRunning {
		return game.Refuse(game.TournamentNotActive)
	}
	if m == nil {
		return game.Refuse(game.MineLocked)
	}
	return nil
}

// digReceipt returns the answer to a batch, kept with its posting for a repeated request.
func digReceipt(tournament int64, sent, accepted int, after game.Digger) string {
	return digMark + fmt.Sprint(tournament, sent, accepted, after.Level, after.EnergySpent, int64(after.Ore), after.Taps)
}

// dugBefore is the content of a receipt.
type dugBefore struct {
	tournament     int64
	sent, accepted int
	after          game.Digger // level, energy spent, ore and taps
}

func readDig(p Posting) (d dugBefore, err error) {
	rest, ok := strings.CutPrefix(p.Memo, digMark)
	if !ok {
		return d, fmt.Errorf("%q of player %d is no batch of a mine", p.Reference, p.PlayerID)
	}
	if _, err := fmt.Sscan(rest, &d.tournament, &d.sent, &d.accepted, &d.after.Level, &d.after.EnergySpent, &d.after.Ore, &d.after.Taps); err != nil {
		return d, fmt.Errorf("read receipt of %q, player %d: %w", p.Reference, p.PlayerID, err)
	}
	return d, nil
}

// recallDig rebuilds the first answer to a batch that comes again. The same id with another count, or of taps at the bag, is
// refused with idempotency_key_reused.
func recallDig(p Posting, sent int) (Dug, error) {
	if !isDigReceipt(p.Memo) {
		return Dug{}, game.Refuse(IdempotencyKeyReused)
	}
	first, err := readDig(p)
	if err != nil {
		return Dug{}, err
	}
	if first.sent != sent {
		return Dug{}, game.Refuse(IdempotencyKeyReused)
	}
	return Dug{Accepted: first.accepted, Total: first.after.Ore, Energy: first.after.Energy(), MaxEnergy: first.after.Mine().Energy}, nil
}
