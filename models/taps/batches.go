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
)

// Batch is the taps that a client claims since its last batch, at the bag or in a mine.
type Batch struct {
	TelegramID int64
	Sent       int    // taps claimed, 1 to game.MaxTapBatch, in a mine to game.MaxDigBatch
	Key        string // the batch's id; the same id again gets the first answer. May be empty.
	Keyed      bool   // the id is the request's idempotency key too, which another call may have used
}

// RequestKey returns the key under which another call may have been answered; empty if there is none.
func (b Batch) RequestKey() string {
	if b.Keyed {
		return b.Key
	}
	return ""
}

// QueuedBatch is a batch that waits for its group commit, and what it is judged by.
type QueuedBatch struct {
	Batch     Batch
	Reference string
	Season    game.Season
	Rules     game.TapRules
	Now       time.Time
}

// NewBatch returns a batch with the rules of now, and an id if it has none.
func (s *Store) NewBatch(ctx context.Context, batch Batch, season game.Season, now time.Time) (QueuedBatch, error) {
	key := batch.Key
	if key == "" {
		var err error
		if key, err = s.nameBatch(); err != nil {
			return QueuedBatch{}, err
		}
	}
	return QueuedBatch{batch, ledger.BatchReference(key), season, s.settings.RuntimeSettings(ctx, now).TapRules(), now}, nil
}

// nameBatch makes an id for a batch without one. No client's id can equal it: theirs have no "~".
func (s *Store) nameBatch() (key string, err error) {
	random, err := s.db.Random(12)
	if err != nil {
		return "", fmt.Errorf("name a tap batch: %w", err)
	}
	return "~" + hex.EncodeToString(random), nil
}

// lookup is what is read about a batch: its player, and whether it was posted or its key used before.
type lookup struct {
	telegramID int64
	reference  string
	key        string // under which another call may have been answered; empty without one
}

// Lookup returns what is read about the batch.
func (b *QueuedBatch) Lookup() lookup {
	return lookup{b.Batch.TelegramID, b.Reference, b.Batch.RequestKey()}
}

// BatchPlayer is the player of some batches: the row, locked or as cached, which of the batches were posted before, and which keys
// another call has used.
type BatchPlayer struct {
	Player *models.Player
	Before map[string]models.Posting // by reference; only memo and time are filled
	Taken  map[string]bool           // by key
}

// LockForBatches reads and locks, in one statement, the players of these batches, in ascending order of their ids as everywhere
// that several are locked, and reads the receipts of batches posted before. Then it reads which keys were used. A receipt that
// another process commits while the statement waits for a row is not seen; the entry's unique key then fails the insert, or
// CheckUnposted finds it, and the transaction is run again (see repeatable).
func (s *Store) LockForBatches(tx *gorm.DB, group []lookup, skipLocked bool) (map[int64]BatchPlayer, error) {
	lock := s.db.Dialect.ForUpdate("p")
	if skipLocked {
		lock = s.db.Dialect.ForUpdateSkipLocked("p")
	}
	// A sub-select reads the one posting by its key; for a join or EXISTS all postings of the player, or of everybody, might be
	// read.
	const posted = "FROM postings q WHERE q.player_id = p.id AND q.reference = v.reference AND q.line = 0"
	table, values := s.db.Dialect.Values(
		db.Integers("telegram_id", group, func(l lookup) int64 { return l.telegramID }),
		db.Texts("reference", group, func(l lookup) string { return l.reference }),
	)
	rows, err := tx.Raw(`SELECT `+models.PlayerColumns("p")+`, v.reference,
			(SELECT q.memo `+posted+`), (SELECT q.posted_at `+posted+`)
		FROM `+table+` JOIN players p ON p.telegram_id = v.telegram_id ORDER BY p.id`+lock, values...).Rows()
	if err != nil {
		return nil, fmt.Errorf("lock players of %d batches: %w", len(group), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	players := make(map[int64]BatchPlayer, len(group))
	for rows.Next() {
		var (
			p         models.Player
			reference string
			memo      *string
			postedAt  *time.Time
		)
		if err := rows.Scan(append(p.ScanFields(), &reference, &memo, &postedAt)...); err != nil {
			return nil, fmt.Errorf("read a player of a batch: %w", err)
		}
		at, seen := players[p.TelegramID]
		if !seen {
			at = BatchPlayer{&p, map[string]models.Posting{}, map[string]bool{}}
			players[p.TelegramID] = at
		}
		if memo != nil {
			at.Before[reference] = models.Posting{PlayerID: p.ID, Reference: reference, Memo: *memo, PostedAt: *postedAt}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read players of a batch: %w", err)
	}
	return players, s.findUsedKeys(tx, group, players)
}

// findUsedKeys notes which keys another call has used.
func (s *Store) findUsedKeys(tx *gorm.DB, group []lookup, players map[int64]BatchPlayer) error {
	var keys []commit.Key
	for _, l := range group {
		if at, here := players[l.telegramID]; here && l.key != "" {
			keys = append(keys, commit.Key{Player: at.Player.ID, Key: l.key})
		}
	}
	used, err := commit.UsedKeys(tx, s.db.Dialect, keys, commit.UsedByCall)
	if err != nil {
		return err
	}
	for _, l := range group {
		if at, here := players[l.telegramID]; here && used[commit.Key{Player: at.Player.ID, Key: l.key}] {
			at.Taken[l.key] = true
		}
	}
	return nil
}

// CheckUnposted searches again, after the players are locked, for the batches of which nothing was accepted: no insert of theirs fails if
// they were posted meanwhile.
func (s *Store) CheckUnposted(tx *gorm.DB, nothing []commit.Key) error {
	posted, err := commit.UsedKeys(tx, s.db.Dialect, nothing, commit.UsedByBatch)
	if err == nil && len(posted) > 0 {
		err = db.ErrPostedMeanwhile
	}
	return err
}
