package wheel

import (
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// lockedSpinner is a player at the wheel: their locked row, whether the key of their request was used before, and what the next spin is
// made with.
type lockedSpinner struct {
	player models.Player
	known  bool
	inputs spinInputs
}

// writeSpins decides a round of spins and writes their effects together. The answers, refusals among them, are left in the round;
// an error means that nothing was written. With skipLocked, spins whose player is locked by another transaction, or needs new
// seeds, are returned undecided.
func (s *Store) writeSpins(tx *gorm.DB, round []*waitingSpin, skipLocked bool) (left []*waitingSpin, err error) {
	players, err := s.lockForSpins(tx, round, skipLocked)
	if err != nil {
		return nil, err
	}
	var turns []*waitingSpin
	now := round[0].now // the same for all, to some milliseconds
	for _, w := range round {
		at, here := players[w.TelegramID]
		w.Answer, w.Err = commit.Answer{}, nil // from an attempt that was rolled back
		if !here && skipLocked {
			left = append(left, w)
			continue
		}
		if !here {
			w.Err = fmt.Errorf("spin of Telegram %d: %w", w.TelegramID, db.ErrNotFound)
			continue
		}
		may, err := s.admit(tx, w, at, now)
		if err != nil {
			return nil, err
		}
		if may {
			w.at, turns = at, append(turns, w)
		}
	}
	if len(turns) == 0 {
		return left, nil
	}
	if !skipLocked {
		if _, _, err := s.renewedSeedsOf(tx, turns[0].at.player.ID, now); err != nil {
			return nil, err
		}
	}
	inputs, err := s.takeSpinInputs(tx, db.MapSlice(turns, (*waitingSpin).player), now)
	if err != nil {
		return nil, err
	}
	made := turns[:0]
	for _, w := range turns {
		if in, ok := inputs[w.player()]; ok {
			w.at.inputs, made = in, append(made, w)
		} else {
			left = append(left, w)
		}
	}
	if len(made) == 0 {
		return left, nil
	}
	return left, s.spinAll(tx, made, now)
}

// admit reports whether a spin may be made; if not, it has set its answer.
func (s *Store) admit(tx *gorm.DB, w *waitingSpin, at *lockedSpinner, now time.Time) (may bool, err error) {
	if w.Err = at.player.CanPlay(); w.Err != nil {
		return false, nil //nolint:nilerr // the refusal is the spin's answer, the others go on
	}
	if !at.known {
		w.Err = at.player.CanSpin(w.Golden, w.season, w.free, now)
		return w.Err == nil, nil //nolint:nilerr // a refusal is the spin's answer, the others go on
	}
	w.Player = at.player.ID
	w.Answer, err = commit.StoredAnswer(tx, w.Request)
	if refused := (*game.Refusal)(nil); errors.As(err, &refused) {
		w.Err, err = refused, nil
	}
	return false, err
}

func (w *waitingSpin) player() models.PlayerID { return w.at.player.ID }

// lockForSpins reads and locks, in one statement, the players of a round in ascending order of their ids, and then reads whether
// their keys were used before.
func (s *Store) lockForSpins(tx *gorm.DB, round []*waitingSpin, skipLocked bool) (map[int64]*lockedSpinner, error) {
	lock := s.db.Dialect.ForUpdate("p")
	if skipLocked {
		lock = s.db.Dialect.ForUpdateSkipLocked("p")
	}
	table, values := s.db.Dialect.Values(
		db.Integers("telegram_id", round, func(w *waitingSpin) int64 { return w.TelegramID }),
	)
	rows, err := tx.Raw("SELECT "+models.PlayerColumns("p")+" FROM "+table+` JOIN players p ON p.telegram_id = v.telegram_id ORDER BY p.id`+lock, values...).Rows()
	if err != nil {
		return nil, fmt.Errorf("lock the players of %d spins: %w", len(round), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	players := make(map[int64]*lockedSpinner, len(round))
	for rows.Next() {
		var at lockedSpinner
		if err := rows.Scan(at.player.ScanFields()...); err != nil {
			return nil, fmt.Errorf("read a player at the wheel: %w", err)
		}
		players[at.player.TelegramID] = &at
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read players at the wheel: %w", err)
	}
	var keys []commit.Key
	for _, w := range round {
		if at, here := players[w.TelegramID]; here && w.Key != "" {
			keys = append(keys, commit.Key{Player: at.player.ID, Key: w.Key})
		}
	}
	used, err := commit.UsedKeys(tx, s.db.Dialect, keys, commit.UsedByCall, commit.UsedByBatch)
	if err != nil {
		return nil, err
	}
	for _, w := range round {
		if at, here := players[w.TelegramID]; here {
			at.known = used[commit.Key{Player: at.player.ID, Key: w.Key}]
		}
	}
	return players, nil
}

// spinAll makes the spins of locked players who may make them.
func (s *Store) spinAll(tx *gorm.DB, turns []*waitingSpin, now time.Time) error {
	ids := db.MapSlice(turns, (*waitingSpin).player)
	who, values := s.db.Dialect.AnyOf("player_id", ids)
	ended, err := endPending(tx, now, who, values...)
	if err != nil {
		return err
	}
	pending := map[models.PlayerID][]models.Spin{}
	for _, spin := range ended {
		pending[spin.PlayerID] = append(pending[spin.PlayerID], spin)
	}
	var (
		all  ledger.Tx
		made []models.Spin
		keep []*waitingSpin
	)
	for _, w := range turns {
		p := &w.at.player
		if err := giveSpins(p, w.free, &all, now); err != nil {
			return err
		}
		if err := payPrizes(p, pending[p.ID], &all, now); err != nil {
			return err
		}
		spin, err := turn(p, w.at.inputs, w.Golden, &all, now)
		if err != nil {
			return err
		}
		if w.Answer, err = w.Encode(spin, *p); err != nil {
			return err
		}
		if made = append(made, spin); w.Key != "" {
			keep = append(keep, w)
		}
	}
	advance, err := s.tasks.Advance(tx, ids, game.RouletteSpin, 1, game.DayOf(now), now)
	if err != nil {
		return err
	}
	all.Extra = append(append(all.Extra, insertSpins(s.db.Dialect, made)), advance...)
	if len(keep) > 0 {
		all.Extra = append(all.Extra, keepAnswers(s.db.Dialect, keep, now))
	}
	return s.ledger.WriteJournal(tx, &all)
}

// turn makes a spin of a locked player: what it costs, where it stops and, for coins, what it pays.
func turn(p *models.Player, taken spinInputs, golden bool, all *ledger.Tx, now time.Time) (models.Spin, error) {
	odds := game.CurrentOdds()
	at := odds.Draw(taken.rolls())
	spin := models.Spin{
		ID: taken.spin, PlayerID: p.ID, SeedID: taken.seedID, Nonce: taken.nonce, OddsVersion: odds.Version, Segment: at.Segment, Chest: at.Chest,
		Golden: golden, State: models.SpinPending, SpunAt: now,
	}
	if golden {
		end := p.Wheel.SpunDay
		spin.StreakEnd = &end
	}
	if odds.AtOnce(spin.Drawn()) {
		spin.State, spin.SettledAt = models.SpinCredited, &now
	}
	err := all.Record(p, ledger.Entry{
		Reference: fmt.Sprint("roll:", spin.ID), Memo: Receipt(spin),
		Moves: []ledger.Move{{From: models.AccountSpins, To: models.HouseWheel, Asset: models.AssetSpin, Amount: 1}},
	}, now)
	if err != nil {
		return models.Spin{}, err
	}
	p.Bag.Spins++
	wheel := p.Wheel.Spun(game.DayOf(now), golden)
	if spin.State == models.SpinCredited {
		wheel.Won += odds.Prize(spin.Drawn()).Coins
		if err := all.Record(p, PrizeEntry(p, spin), now); err != nil {
			return models.Spin{}, err
		}
	}
	setWheel(all, p, wheel)
	return spin, nil
}

func insertSpins(d db.Dialect, rows []models.Spin) db.Statement {
	table, values := d.Values(
		db.Integers("id", rows, func(s models.Spin) int64 { return s.ID }),
		db.Integers("player_id", rows, func(s models.Spin) models.PlayerID { return s.PlayerID }),
		db.Integers("seed_id", rows, func(s models.Spin) int64 { return s.SeedID }),
		db.Integers("nonce", rows, func(s models.Spin) int64 { return s.Nonce }),
		db.Integers("odds_version", rows, func(s models.Spin) int { return s.OddsVersion }),
		db.Integers("segment", rows, func(s models.Spin) int { return s.Segment }),
		db.Integers("chest", rows, func(s models.Spin) int { return s.Chest }),
		db.List("golden", "boolean", rows, func(s models.Spin) bool { return s.Golden }),
		db.List("streak_end", "integer", rows, func(s models.Spin) *game.Day { return s.StreakEnd }),
		db.Texts("state", rows, func(s models.Spin) models.SpinState { return s.State }),
		db.Times("spun_at", rows, func(s models.Spin) time.Time { return s.SpunAt }),
		db.List("settled_at", "timestamptz", rows, func(s models.Spin) *time.Time { return s.SettledAt }),
	)
	return db.Statement{Text: `INSERT INTO spins (id, player_id, seed_id, nonce, odds_version, segment, chest, golden, streak_end, state, spun_at, settled_at)
		SELECT * FROM ` + table, Values: values}
}

// keepAnswers stores the answers under the keys of their requests.
func keepAnswers(d db.Dialect, rows []*waitingSpin, now time.Time) db.Statement {
	table, values := d.Values(
		db.Integers("player_id", rows, (*waitingSpin).player),
		db.Texts("key", rows, func(w *waitingSpin) string { return w.Key }),
		db.Texts("operation", rows, func(w *waitingSpin) string { return w.Operation }),
		db.List("body_hash", "bytea", rows, func(w *waitingSpin) []byte { return w.BodyHash }),
		db.Integers("status", rows, func(w *waitingSpin) int { return w.Answer.Status }),
		db.List("answer", "bytea", rows, func(w *waitingSpin) []byte { return w.Answer.Body }),
		db.Times("created_at", rows, func(*waitingSpin) time.Time { return now }),
	)
	return db.Statement{Text: `INSERT INTO idempotency_keys (player_id, key, operation, body_hash, status, answer, created_at)
		SELECT * FROM ` + table, Values: values}
}
