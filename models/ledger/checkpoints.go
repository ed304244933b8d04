package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// NewestCheckpoint reads the newest checkpoint; the zero checkpoint before the first.
func NewestCheckpoint(tx *gorm.DB) (models.Checkpoint, error) {
	newest, err := db.One[models.Checkpoint](tx.Order("id DESC"))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return models.Checkpoint{}, fmt.Errorf("read the newest checkpoint: %w", err)
	}
	return newest, nil
}

const (
	settingHighWaterMark = "ledger_sighting"
	// settling is how old a high-water mark must be before it is sealed. Our own transactions end within seconds. (decision 0004: limits)
	settling = 10 * time.Minute
)

// highWaterMark is a high-water mark: the newest posting at a moment. The next checkpoint seals nothing after it.
type highWaterMark struct {
	posting int64
	next    int64 // above the number of each transaction that had one, see Dialect.Transactions
	action  int64 // up to it every admin action was decided; 0 in a mark of before those were sealed
	at      time.Time
}

// SealLedger makes a checkpoint up to the high-water mark of an earlier call, if that is settled, and returns how many postings it
// seals; then it stores the newest posting as the mark for the next call.
//
// A posting has its id before it is committed, so smaller ids may still appear below the newest that is visible; below a seal none
// may. A smaller id was taken before the mark, by a transaction that had its number by then, since it locked its player's row
// first. Once no transaction with a number below the mark's is running, all of them have ended, and nothing at or below the
// mark can change. The database itself tells, since a COMMIT may hang for longer than any limit. Ten minutes are
// waited in addition, for transactions begun by other tools.
//
// Any number of processes may call it at any time: settled rows are the same for all, the checkpoint's number is a unique key, and
// a mark that is not sealed yet is left to age.
func (s *Ledger) SealLedger(ctx context.Context, now time.Time) (sealed int64, err error) {
	seen, err := s.highWaterMark(ctx)
	if err != nil {
		return 0, db.WrapUnavailable(err)
	}
	newest, err := NewestCheckpoint(s.db.Committed(ctx))
	if err != nil {
		return 0, db.WrapUnavailable(err)
	}
	if seen.posting > newest.LastPostingID {
		settled, lost, err := s.settled(ctx, seen, now)
		if err != nil {
			return 0, db.WrapUnavailable(err)
		}
		switch {
		case lost:
		case !settled:
			return 0, nil
		default:
			if newest, sealed, err = s.sealUpTo(ctx, newest, seen, now); err != nil {
				return 0, err
			}
		}
	}
	return sealed, s.saveHighWaterMark(ctx, newest, now)
}

// highWaterMark reads the stored high-water mark; the zero mark if there is none.
func (s *Ledger) highWaterMark(ctx context.Context) (highWaterMark, error) {
	row, err := db.One[models.Setting](s.db.Committed(ctx).Where("key = ?", settingHighWaterMark))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return highWaterMark{}, fmt.Errorf("read the high-water mark: %w", err)
	}
	seen := highWaterMark{at: row.UpdatedAt}
	if row.Value == "" {
		return seen, nil
	}
	if n, err := fmt.Sscan(row.Value, &seen.posting, &seen.next, &seen.action); n < 2 {
		return highWaterMark{}, fmt.Errorf("parse high-water mark %q: %w", row.Value, err)
	}
	return seen, nil
}

// settled reports whether nothing at or below the mark can change. A mark is lost if it is of the future, or of
// another server whose transactions have other numbers: the database was moved, or the clock set back.
func (s *Ledger) settled(ctx context.Context, seen highWaterMark, now time.Time) (settled, lost bool, err error) {
	var running struct{ Oldest, Next int64 }
	oldest, next := s.db.Dialect.Transactions()
	if err := s.db.Committed(ctx).Raw("SELECT " + oldest + " AS oldest, " + next + " AS next").Scan(&running).Error; err != nil {
		return false, false, fmt.Errorf("read running transactions: %w", err)
	}
	age := now.Sub(seen.at)
	return age >= settling && running.Oldest >= seen.next, age < 0 || running.Next < seen.next, nil
}

// sealUpTo writes the checkpoint after newest, unless another process has done so. An action that is still undecided, and those after
// it, are left to the next.
func (s *Ledger) sealUpTo(ctx context.Context, newest models.Checkpoint, seen highWaterMark, now time.Time) (models.Checkpoint, int64, error) {
	err := s.db.Committed(ctx).Raw("SELECT COALESCE(MIN(id) - 1, ?) FROM admin_actions WHERE state = 'asked' AND id <= ?", seen.action, seen.action).Scan(&seen.action).Error
	if err != nil {
		return models.Checkpoint{}, 0, db.WrapUnavailable(fmt.Errorf("find undecided actions: %w", err))
	}
	next, err := s.checkpointAfter(ctx, newest, models.Checkpoint{LastPostingID: seen.posting, LastActionID: seen.action, SealedAt: now})
	if err != nil {
		return models.Checkpoint{}, 0, err
	}
	var ours bool
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		ours = false
		there, err := db.Count(tx.Model(&models.Checkpoint{}).Where("id = ?", next.ID))
		if err != nil || there > 0 {
			return err
		}
		written := tx.Scopes(db.OrIgnore).Create(&next)
		ours = written.RowsAffected > 0
		return written.Error
	})
	if err != nil {
		return models.Checkpoint{}, 0, fmt.Errorf("write checkpoint %d: %w", next.ID, err)
	}
	if !ours {
		return next, 0, nil
	}
	return next, next.Postings, nil
}

// saveHighWaterMark stores the newest posting as the mark, unless it is sealed already.
func (s *Ledger) saveHighWaterMark(ctx context.Context, newest models.Checkpoint, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		var seen struct{ Posting, Next, Action int64 }
		_, next := s.db.Dialect.Transactions()
		if err := tx.Raw(`SELECT COALESCE(MAX(id), 0) AS posting, ` + next + ` AS next, COALESCE((SELECT MIN(id) - 1 FROM admin_actions WHERE state = 'asked'),
				(SELECT MAX(id) FROM admin_actions), 0) AS action FROM postings`).Scan(&seen).Error; err != nil {
			return fmt.Errorf("find the newest posting: %w", err)
		}
		if seen.Posting <= newest.LastPostingID {
			return nil
		}
		return settings.Put(tx, settingHighWaterMark, fmt.Sprint(seen.Posting, " ", seen.Next, " ", seen.Action), now)
	})
}

// sealChunk is how many rows are read in one short snapshot.
const sealChunk = 10_000

// checkpointAfter computes the checkpoint that follows before and ends where end does. It keeps only one posting in memory; since
// they are settled, it need not see all at one moment.
func (s *Ledger) checkpointAfter(ctx context.Context, before, end models.Checkpoint) (models.Checkpoint, error) {
	sum := newSeal(before.Hash)
	next := models.Checkpoint{ID: before.ID + 1, LastPostingID: end.LastPostingID, SealedAt: end.SealedAt, LastActionID: end.LastActionID}
	var err error
	next.Postings, err = s.inChunks(ctx, before.LastPostingID, end.LastPostingID, func(tx *gorm.DB, from, upTo int64, add func(id int64)) error {
		return EachPosting(tx.Raw("SELECT "+models.PostingColumns+" FROM postings WHERE id > ? AND id <= ? ORDER BY id LIMIT ?", from, upTo, sealChunk), func(id int64, p models.Posting) {
			sum.add(id, p)
			add(id)
		})
	})
	if err != nil {
		return models.Checkpoint{}, fmt.Errorf("seal postings up to %d: %w", end.LastPostingID, err)
	}
	next.Actions, err = s.inChunks(ctx, before.LastActionID, end.LastActionID, func(tx *gorm.DB, from, upTo int64, add func(id int64)) error {
		var rows []sealedAction
		err := tx.Raw("SELECT "+db.Columns[models.AdminAction]("admin_actions")+" FROM admin_actions WHERE id > ? AND id <= ? ORDER BY id LIMIT ?", from, upTo, sealChunk).Scan(&rows).Error
		for _, a := range rows {
			encodeAction(&sum.row, a)
			sum.write()
			add(a.ID)
		}
		return err
	})
	if err != nil {
		return models.Checkpoint{}, fmt.Errorf("seal admin actions up to %d: %w", end.LastActionID, err)
	}
	next.Amounts = sum.amounts()
	next.Hash = sum.close(next)
	return next, nil
}

// inChunks reads rows from after an id up to another, sealChunk of them in each snapshot, and returns how many there are.
func (s *Ledger) inChunks(ctx context.Context, from, upTo int64, read func(tx *gorm.DB, from, upTo int64, add func(id int64)) error) (rows int64, err error) {
	if from == 0 && upTo > 0 {
		from = math.MinInt64 // nobody slips in a row before the first
	}
	for from < upTo {
		err := s.db.Snapshot(ctx, func(tx *gorm.DB) error {
			before := rows
			err := read(tx, from, upTo, func(id int64) { from, rows = id, rows+1 })
			if rows-before < sealChunk {
				from = upTo
			}
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// sealedAction is a row of the audit log, its arguments as they are stored.
type sealedAction struct {
	ID, AdminID, ChatID int64
	Action, Args, State string
	NonceHash           *string
	AskedAt, ExpiresAt  time.Time
	DecidedAt           *time.Time
	Outcome             string
}

func encodeAction(e *models.Encoding, a sealedAction) {
	for _, n := range []int64{a.ID, a.AdminID, a.ChatID, a.AskedAt.UnixMicro(), a.ExpiresAt.UnixMicro()} {
		e.Number(n)
	}
	nonce, decided := "", time.Time{}
	if a.NonceHash != nil {
		nonce = *a.NonceHash
	}
	if a.DecidedAt != nil {
		decided = *a.DecidedAt
	}
	e.Number(decided.UnixMicro())
	for _, t := range []string{a.Action, a.Args, a.State, nonce, a.Outcome} {
		e.Text(t)
	}
}

// seal is a hash of postings that is being computed.
type seal struct {
	hash  hash.Hash
	row   models.Encoding
	moved map[models.Asset]*big.Int
}

func newSeal(before []byte) *seal {
	s := &seal{hash: sha256.New(), moved: map[models.Asset]*big.Int{}}
	s.hash.Write(before)
	return s
}

func (s *seal) write() {
	s.hash.Write(s.row)
	s.row = s.row[:0]
}

func (s *seal) add(id int64, p models.Posting) {
	s.row.Number(id)
	s.row.Posting(p)
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
func (s *seal) close(c models.Checkpoint) []byte {
	s.row.Number(c.ID)
	s.row.Number(c.LastPostingID)
	s.row.Number(c.Postings)
	s.row.Text(c.Amounts)
	s.row.Number(c.SealedAt.UnixMicro())
	if c.LastActionID != 0 {
		s.row.Number(c.LastActionID)
		s.row.Number(c.Actions)
	}
	s.write()
	return s.hash.Sum(nil)
}

// ChainMatches recomputes a checkpoint from the one before it and the rows between them.
func ChainMatches(ctx context.Context, s *Ledger, before, c models.Checkpoint) (bool, error) {
	due, err := s.checkpointAfter(ctx, before, c)
	return due.ID == c.ID && due.Postings == c.Postings && due.Actions == c.Actions && due.Amounts == c.Amounts && bytes.Equal(due.Hash, c.Hash), err
}

// SealLedgerJob is the job that runs SealLedger.
const SealLedgerJob = "seal_ledger"

// sealsWithin is how many runs of SealLedger a posting waits for its checkpoint at most: a run may find a mark that is not settled,
// the next seals that, and the one after seals its mark.
const sealsWithin = 4

// MissingCheckpoints lists postings that were sealed, or should be, and have no checkpoint.
func MissingCheckpoints(ctx context.Context, s *Ledger, _ time.Time) (missing []string, err error) {
	err = s.db.Snapshot(ctx, func(tx *gorm.DB) error {
		newest, err := NewestCheckpoint(tx)
		if err != nil {
			return err
		}
		counted, err := db.One[models.Setting](tx.Where("key = ?", settingDaysCounted)) // of what is sealed only
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return err
		}
		if upTo, wrong := strconv.ParseInt(counted.Value, 10, 64); err == nil && (wrong != nil || upTo > newest.LastPostingID) {
			missing = append(missing, fmt.Sprintf("postings %d to %s were sealed", newest.LastPostingID+1, counted.Value))
		}
		var runs []time.Time
		err = tx.Model(&models.JobRun{}).Where("job = ?", SealLedgerJob).Order("period DESC").Limit(1).Offset(sealsWithin-1).Pluck("done_at", &runs).Error
		if err != nil || len(runs) == 0 {
			return err
		}
		var waiting []struct {
			ID       int64
			PostedAt time.Time
		}
		err = tx.Raw("SELECT id, posted_at FROM postings WHERE id > ? ORDER BY id LIMIT 1", newest.LastPostingID).Scan(&waiting).Error
		for _, p := range waiting {
			if p.PostedAt.Before(runs[0].Add(-settling)) {
				missing = append(missing, fmt.Sprintf("posting %d waits since %s", p.ID, p.PostedAt.UTC().Format(time.RFC3339)))
			}
		}
		return err
	})
	return missing, db.WrapUnavailable(err)
}
