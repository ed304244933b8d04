package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
)

// checkpoint seals the postings after the previous checkpoint, up to LastPostingID, with a hash chain: if one of them is changed or
// removed, or another is added, its hash and all later ones no longer match. (decision 0017: checkpoints)
type checkpoint struct {
	ID            int64 // 1, 2, 3, …; 0 is before the first
	LastPostingID int64
	Postings      int64  // how many are sealed
	Amounts       string // what they move of each asset, like "MCBK=1000 SPIN=2"
	Hash          []byte // SHA-256 of the hash before, the postings and this row
	SealedAt      time.Time
}

func (c checkpoint) String() string {
	if c.ID == 0 {
		return "no checkpoint yet"
	}
	return fmt.Sprintf("checkpoint %d up to posting %d is %x", c.ID, c.LastPostingID, c.Hash)
}

func newestCheckpoint(tx *gorm.DB) (checkpoint, error) {
	var newest checkpoint
	err := tx.Raw("SELECT " + columns[checkpoint]("ledger_checkpoints") + " FROM ledger_checkpoints ORDER BY id DESC LIMIT 1").Scan(&newest).Error
	if err != nil {
		return checkpoint{}, fmt.Errorf("read the newest checkpoint: %w", err)
	}
	return newest, nil
}

const (
	settingSighting = "ledger_sighting"
	// settling is how old a sighting must be before it is sealed. Our own transactions end within seconds. (decision 0004: limits)
	settling = 10 * time.Minute
)

// sighting is a high-water mark: the newest posting at a moment. The next checkpoint seals nothing after it.
type sighting struct {
	posting int64
	next    int64 // above the number of each transaction that had one, see dialect.transactions
	at      time.Time
}

// SealLedger makes a checkpoint up to the posting sighted by an earlier call, if that is settled, and returns how many postings it
// seals; then it sights the newest posting for the next call.
//
// A posting has its id before it is committed, so smaller ids may still appear below the newest that is visible; below a seal none
// may. A smaller id was taken before the sighting, by a transaction that had its number by then, since it locked its player's row
// first. Once no transaction with a number below the sighting's is running, all of them have ended, and nothing at or below the
// sighted id can change. The database itself is asked for that, since a COMMIT may hang for longer than any limit. Ten minutes are
// waited in addition, for transactions begun by other tools.
//
// Any number of processes may call it at any time: settled rows are the same for all, the checkpoint's number is a unique key, and
// a sighting that is not sealed yet is left to age.
func (s *Store) SealLedger(ctx context.Context, now time.Time) (sealed int64, err error) {
	seen, err := s.sighted(ctx)
	if err != nil {
		return 0, explained(err)
	}
	newest, err := newestCheckpoint(s.read.WithContext(ctx))
	if err != nil {
		return 0, explained(err)
	}
	if seen.posting > newest.LastPostingID {
		settled, lost, err := s.settled(ctx, seen, now)
		if err != nil {
			return 0, explained(err)
		}
		switch {
		case lost:
		case !settled:
			return 0, nil
		default:
			if newest, sealed, err = s.sealUpTo(ctx, newest, seen.posting, now); err != nil {
				return 0, err
			}
		}
	}
	return sealed, s.sight(ctx, newest, now)
}

// sighted reads the last sighting; the zero sighting if there is none.
func (s *Store) sighted(ctx context.Context) (sighting, error) {
	var row struct {
		Value     string
		UpdatedAt time.Time
	}
	if err := s.read.WithContext(ctx).Raw("SELECT value, updated_at FROM settings WHERE key = ?", settingSighting).Scan(&row).Error; err != nil {
		return sighting{}, fmt.Errorf("read the sighted posting: %w", err)
	}
	seen := sighting{at: row.UpdatedAt}
	if row.Value == "" {
		return seen, nil
	}
	if _, err := fmt.Sscan(row.Value, &seen.posting, &seen.next); err != nil {
		return sighting{}, fmt.Errorf("the sighted posting %q: %w", row.Value, err)
	}
	return seen, nil
}

// settled reports whether nothing at or below the sighted posting can change. A sighting is lost if it is of the future, or of
// another server whose transactions have other numbers: the database was moved, or the clock set back.
func (s *Store) settled(ctx context.Context, seen sighting, now time.Time) (settled, lost bool, err error) {
	var running struct{ Oldest, Next int64 }
	oldest, next := s.dialect.transactions()
	if err := s.read.WithContext(ctx).Raw("SELECT " + oldest + " AS oldest, " + next + " AS next").Scan(&running).Error; err != nil {
		return false, false, fmt.Errorf("ask for running transactions: %w", err)
	}
	age := now.Sub(seen.at)
	return age >= settling && running.Oldest >= seen.next, age < 0 || running.Next < seen.next, nil
}

// sealUpTo writes the checkpoint after newest, unless another process has done so.
func (s *Store) sealUpTo(ctx context.Context, newest checkpoint, posting int64, now time.Time) (checkpoint, int64, error) {
	next, err := s.checkpointAfter(ctx, newest, posting, now)
	if err != nil {
		return checkpoint{}, 0, err
	}
	ours := false
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		var there int64
		if err := tx.Raw("SELECT COUNT(*) FROM ledger_checkpoints WHERE id = ?", next.ID).Scan(&there).Error; err != nil || there > 0 {
			return err
		}
		written := tx.Exec(`INSERT INTO ledger_checkpoints (id, last_posting_id, postings, amounts, hash, sealed_at)
			VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			next.ID, next.LastPostingID, next.Postings, next.Amounts, next.Hash, next.SealedAt)
		ours = written.RowsAffected > 0
		return written.Error
	})
	if err != nil {
		return checkpoint{}, 0, fmt.Errorf("write checkpoint %d: %w", next.ID, err)
	}
	if !ours {
		return next, 0, nil
	}
	return next, next.Postings, nil
}

// sight stores the newest posting as the sighting, unless it is sealed already.
func (s *Store) sight(ctx context.Context, newest checkpoint, now time.Time) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		var seen struct{ Posting, Next int64 }
		_, next := s.dialect.transactions()
		if err := tx.Raw("SELECT COALESCE(MAX(id), 0) AS posting, " + next + " AS next FROM postings").Scan(&seen).Error; err != nil {
			return fmt.Errorf("look for the newest posting: %w", err)
		}
		if seen.Posting <= newest.LastPostingID {
			return nil
		}
		return tx.Exec(`INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)
			ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
			settingSighting, fmt.Sprint(seen.Posting, " ", seen.Next), now).Error
	})
}

// sealChunk is how many postings are read in one short snapshot.
const sealChunk = 10_000

// checkpointAfter computes the checkpoint that follows before and reaches up to a posting. It keeps only one posting in memory;
// since they are settled, it need not see all at one moment.
func (s *Store) checkpointAfter(ctx context.Context, before checkpoint, upTo int64, at time.Time) (checkpoint, error) {
	sum := newSeal(before.Hash)
	next := checkpoint{ID: before.ID + 1, LastPostingID: upTo, SealedAt: at}
	for from := before.LastPostingID; from < upTo; {
		err := s.snapshot(ctx, func(tx *gorm.DB) error {
			read := 0
			err := eachPosting(tx.Raw("SELECT "+postingColumns+" FROM postings WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
				from, upTo, sealChunk), func(id int64, p Posting) {
				from = id
				read++
				sum.add(id, p)
			})
			if read < sealChunk {
				from = upTo
			}
			next.Postings += int64(read)
			return err
		})
		if err != nil {
			return checkpoint{}, fmt.Errorf("seal postings up to %d: %w", upTo, err)
		}
	}
	next.Amounts = sum.amounts()
	next.Hash = sum.close(next)
	return next, nil
}

// seal is a hash of postings that is being computed.
type seal struct {
	hash  hash.Hash
	row   encoding
	moved map[Asset]*big.Int
}

func newSeal(before []byte) *seal {
	s := &seal{hash: sha256.New(), moved: map[Asset]*big.Int{}}
	s.hash.Write(before)
	return s
}

func (s *seal) write() {
	s.hash.Write(s.row)
	s.row = s.row[:0]
}

func (s *seal) add(id int64, p Posting) {
	s.row.number(id)
	s.row.posting(p)
	s.write()
	if s.moved[p.Asset] == nil {
		s.moved[p.Asset] = new(big.Int)
	}
	s.moved[p.Asset].Add(s.moved[p.Asset], big.NewInt(p.Amount))
}

func (s *seal) amounts() string {
	var all []string
	for _, asset := range slices.Sorted(maps.Keys(s.moved)) {
		all = append(all, fmt.Sprintf("%s=%s", asset, s.moved[asset]))
	}
	return strings.Join(all, " ")
}

// close ends the hash with the checkpoint's own row.
func (s *seal) close(c checkpoint) []byte {
	s.row.number(c.ID)
	s.row.number(c.LastPostingID)
	s.row.number(c.Postings)
	s.row.text(c.Amounts)
	s.row.number(c.SealedAt.UnixMicro())
	s.write()
	return s.hash.Sum(nil)
}

// follows recomputes a checkpoint from the one before it and the postings between them.
func follows(ctx context.Context, s *Store, before, c checkpoint) (bool, error) {
	due, err := s.checkpointAfter(ctx, before, c.LastPostingID, c.SealedAt)
	return due.ID == c.ID && due.Postings == c.Postings && due.Amounts == c.Amounts && bytes.Equal(due.Hash, c.Hash), err
}
