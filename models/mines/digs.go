package mines

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/taps"
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
// Batches that arrive while others are being committed are written together, see GroupCommit.
func (s *Store) Dig(ctx context.Context, batch taps.Batch, season game.Season, now time.Time) (Dug, error) {
	queued, err := s.taps.NewBatch(ctx, batch, season, now)
	if err != nil {
		return Dug{}, err
	}
	w := &waitingDig{QueuedBatch: queued, Call: db.NewCall[Dug](ctx)}
	if _, inside := db.TxFrom(ctx); !inside {
		s.digs.Join(w)
		select {
		case <-w.Done:
		case <-ctx.Done(): // it may still be counted; its id gets the answer next time
			return Dug{}, db.WrapUnavailable(ctx.Err())
		}
		if !w.OwnTx {
			return w.Answer, w.Err
		}
	}
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		_, err := s.writeDigs(tx, []*waitingDig{w}, false)
		return err
	})
	if err != nil {
		return Dug{}, err
	}
	return w.Answer, w.Err
}

// writeDigs decides a group of batches one after the other and writes their effects together. The answers, refusals among them, are
// left in the group; an error means that nothing was written. With skipLocked, batches whose player is locked by another
// transaction are returned undecided. A group belongs to one tournament. A batch of the next tournament's first moment, in a group
// with one of this one's last, is refused with tournament_not_active. That loses nothing: nobody has a mine in the next tournament
// yet.
func (s *Store) writeDigs(tx *gorm.DB, group []*waitingDig, skipLocked bool) (left []*waitingDig, err error) {
	first, last := group[0].Now, group[0].Now
	for _, w := range group {
		w.Answer, w.Err = Dug{}, nil // those of an attempt that was rolled back
		if w.Now.Before(first) {
			first = w.Now
		}
		if w.Now.After(last) {
			last = w.Now
		}
	}
	// A transaction that closes the tournament waits for this one, and every later one sees that it is closed.
	running, err := FindTournaments(tx.Scopes(db.ForShare).Where("starts_at <= ? AND ends_at > ?", db.Time(last), db.Time(first)).Order("starts_at").Limit(1))
	if err != nil {
		return nil, err
	}
	t := append(running, models.Tournament{})[0]
	players, err := s.taps.LockForBatches(tx, db.MapSlice(group, (*waitingDig).Lookup), skipLocked)
	if err != nil {
		return nil, err
	}
	miners, err := s.minersOf(tx, t.ID, players)
	if err != nil {
		return nil, err
	}
	var (
		all     ledger.Tx
		dugs    []*models.Miner
		nothing []commit.Key
	)
	for _, w := range group {
		at, here := players[w.Batch.TelegramID]
		if here {
			_, again := at.Before[w.Reference]
			dug, err := w.decide(at, t, miners[at.Player.ID], &all)
			if err != nil {
				return nil, err
			}
			if !again && w.Err == nil && w.Answer.Accepted == 0 && w.Batch.Key != "" {
				nothing = append(nothing, commit.Key{Player: at.Player.ID, Key: w.Batch.Key})
			}
			if dug != nil && !slices.Contains(dugs, dug) {
				dugs = append(dugs, dug)
			}
			continue
		}
		if skipLocked {
			left = append(left, w)
		} else {
			w.Err = fmt.Errorf("taps of Telegram %d in a mine: %w", w.Batch.TelegramID, db.ErrNotFound)
		}
	}
	if err := s.taps.CheckUnposted(tx, nothing); err != nil {
		return nil, err
	}
	if len(dugs) > 0 {
		all.Extra = append(all.Extra, saveMiners(s.db.Dialect, dugs))
	}
	return left, s.ledger.WriteJournal(tx, &all)
}

// minersOf returns the rows of locked players in a tournament, by player.
func (s *Store) minersOf(tx *gorm.DB, tournament int64, players map[int64]taps.BatchPlayer) (map[models.PlayerID]*models.Miner, error) {
	found := make(map[models.PlayerID]*models.Miner, len(players))
	if tournament == 0 || len(players) == 0 {
		return found, nil
	}
	ids := make([]models.PlayerID, 0, len(players))
	for _, at := range players {
		ids = append(ids, at.Player.ID)
	}
	condition, values := s.db.Dialect.AnyOf("m.player_id", ids)
	rows, err := tx.Raw("SELECT "+models.MinerColumns+" FROM miners m WHERE m.tournament_id = ? AND "+condition, append([]any{tournament}, values...)...).Rows()
	if err != nil {
		return nil, fmt.Errorf("read %d miners: %w", len(ids), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	for rows.Next() {
		var m models.Miner
		if err := rows.Scan(m.ScanFields()...); err != nil {
			return nil, fmt.Errorf("read a miner: %w", err)
		}
		found[m.PlayerID] = &m
	}
	return found, rows.Err()
}

// decide gives a batch its answer or its refusal and records what it dug; it returns the miner if something has changed.
func (w *waitingDig) decide(at taps.BatchPlayer, t models.Tournament, m *models.Miner, all *ledger.Tx) (*models.Miner, error) {
	player := at.Player
	if w.Err = player.CanPlay(); w.Err != nil {
		return nil, nil //nolint:nilerr // the refusal is the batch's answer, the others go on
	}
	if first, again := at.Before[w.Reference]; again {
		w.Answer, w.Err = decodeDigReceipt(first, w.Batch.Sent)
		return nil, nil
	}
	if w.Err = w.mayDig(at, t, m); w.Err != nil {
		return nil, nil //nolint:nilerr // as above
	}
	before := m.Ore
	after, accepted := m.Dig(w.Rules, w.Batch.Sent, w.Now)
	w.Answer = Dug{Accepted: accepted, Total: after.Ore, Energy: after.Energy(), MaxEnergy: after.Mine().Energy}
	if accepted == 0 { // nothing happened, and nothing is stored: the same id may come again
		return nil, nil
	}
	m.Digger = after
	memo := DigReceipt(t.ID, w.Batch.Sent, accepted, after)
	at.Before[w.Reference] = models.Posting{PlayerID: player.ID, Reference: w.Reference, Memo: memo, PostedAt: w.Now}
	return m, all.Record(player, ledger.Entry{
		Reference: w.Reference, Memo: memo,
		Moves: []ledger.Move{{From: models.HouseMines, To: models.AccountMine, Asset: models.AssetOre, Amount: int64(after.Ore - before)}},
	}, w.Now)
}

// mayDig refuses a new batch of a player who cannot dig.
func (w *waitingDig) mayDig(at taps.BatchPlayer, t models.Tournament, m *models.Miner) error {
	if at.Taken[w.Batch.RequestKey()] {
		return game.Refuse(models.IdempotencyKeyReused)
	}
	if err := at.Player.CanEarn(w.Season, w.Now); err != nil {
		return err
	}
	if t.ID == 0 || !t.Contains(w.Now) || t.At(w.Now) != game.TournamentRunning {
		return game.Refuse(game.TournamentNotActive)
	}
	if m == nil {
		return game.Refuse(game.MineLocked)
	}
	return nil
}

// DigReceipt returns the answer to a batch, kept with its posting for a repeated request.
func DigReceipt(tournament int64, sent, accepted int, after game.Digger) string {
	return ledger.DigMark + fmt.Sprint(tournament, sent, accepted, after.Level, after.EnergySpent, int64(after.Ore), after.Taps)
}

// dugBefore is the content of a receipt.
type dugBefore struct {
	Tournament     int64
	Sent, Accepted int
	After          game.Digger // level, energy spent, ore and taps
}

// ReadDig decodes the receipt of a batch in a mine.
func ReadDig(p models.Posting) (d dugBefore, err error) {
	rest, ok := strings.CutPrefix(p.Memo, ledger.DigMark)
	if !ok {
		return d, fmt.Errorf("%q of player %d is no batch of a mine", p.Reference, p.PlayerID)
	}
	if _, err := fmt.Sscan(rest, &d.Tournament, &d.Sent, &d.Accepted, &d.After.Level, &d.After.EnergySpent, &d.After.Ore, &d.After.Taps); err != nil {
		return d, fmt.Errorf("read receipt of %q, player %d: %w", p.Reference, p.PlayerID, err)
	}
	return d, nil
}

// decodeDigReceipt rebuilds the first answer to a batch that comes again. The same id with another count, or of taps at the bag, is
// refused with idempotency_key_reused.
func decodeDigReceipt(p models.Posting, sent int) (Dug, error) {
	if !ledger.IsDigReceipt(p.Memo) {
		return Dug{}, game.Refuse(models.IdempotencyKeyReused)
	}
	first, err := ReadDig(p)
	if err != nil {
		return Dug{}, err
	}
	if first.Sent != sent {
		return Dug{}, game.Refuse(models.IdempotencyKeyReused)
	}
	return Dug{Accepted: first.Accepted, Total: first.After.Ore, Energy: first.After.Energy(), MaxEnergy: first.After.Mine().Energy}, nil
}
