package commit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// Request identifies a write that a client may repeat.
type Request struct {
	Player    models.PlayerID
	Key       string // the client's Idempotency-Key
	Operation string // the API operation
	BodyHash  []byte // hash of the request body
}

// Answer is the response that the client was given.
type Answer struct {
	Status int
	Body   []byte
}

// unchanged is the status stored under the key of a call that changed nothing: 304 Not Modified.
const unchanged = 304

// errNotStored makes Once roll back after an answer that is not a success.
var errNotStored = errors.New("answer is not stored")

// Once runs fn in one transaction with the request's key and stores its answer when that is a
// success, so that the same request again gets the same answer and has no second effect.
// Store methods that fn calls with the ctx it is given join the transaction. An answer other
// than 2xx is returned but nothing of it stays. Of a call that changed nothing only the key is
// kept: the same request is made again. It refuses with idempotency_key_reused when
// the key came before with another body or call.
func (s *Store) Once(ctx context.Context, r Request, now time.Time, fn func(ctx context.Context) (Answer, error)) (Answer, error) {
	var answer Answer
	err := s.db.InTx(ctx, func(tx *gorm.DB) error {
		if err := s.lockPlayer(tx, r.Player); err != nil {
			return err
		}
		claimed := tx.Exec(`INSERT INTO idempotency_keys (player_id, key, operation, body_hash, status, answer, created_at)
			SELECT ?, ?, ?, ?, 0, ?, ? WHERE NOT EXISTS (SELECT 1 FROM postings WHERE player_id = ? AND reference = ?)
			ON CONFLICT (player_id, key) DO NOTHING`, // a batch's only record is its posting
			r.Player, r.Key, r.Operation, r.BodyHash, []byte{}, now, r.Player, ledger.BatchReference(r.Key))
		if claimed.Error != nil {
			return fmt.Errorf("claim idempotency key of player %d: %w", r.Player, claimed.Error)
		}
		if claimed.RowsAffected == 0 {
			var err error
			if answer, err = storedAnswer(tx, r); err != nil || answer.Status != unchanged {
				return err
			}
		}
		effects, _ := db.TxEffectsOf(tx)
		before := effects.Rows
		var err error
		if answer, err = fn(db.WithTx(ctx, tx)); err != nil {
			return err
		}
		if answer.Status < 200 || answer.Status > 299 {
			return errNotStored
		}
		status, body := unchanged, []byte{} // never NULL
		if effects.Rows > before {
			status, body = answer.Status, append(body, answer.Body...)
		}
		err = tx.Model(&models.IdempotencyKey{}).Where("player_id = ? AND key = ?", r.Player, r.Key).
			Updates(map[string]any{"status": status, "answer": body}).Error
		return db.Wrap(err, "store answer of player %d", r.Player)
	})
	if errors.Is(err, errNotStored) {
		return answer, nil
	}
	return answer, err
}

// lockPlayer locks a player before the key is looked up, as rounds do. The UPDATE changes nothing but xmin, which makes
// commands that were decided on a cached row be decided again.
func (s *Store) lockPlayer(tx *gorm.DB, id models.PlayerID) error {
	if !s.db.Dialect.LocksRows() {
		return nil
	}
	held := tx.Exec("UPDATE players SET revision = revision WHERE id = ?", id)
	if held.Error != nil {
		return fmt.Errorf("lock player %d: %w", id, held.Error)
	}
	if held.RowsAffected == 0 {
		return fmt.Errorf("lock player %d: %w", id, db.ErrNotFound)
	}
	return nil
}

// Answered reports whether an answer is stored under this key, whatever it says.
func (s *Store) Answered(ctx context.Context, id models.PlayerID, key string) (bool, error) {
	rows, err := db.Count(s.db.Read(ctx).Model(&models.IdempotencyKey{}).Where("player_id = ? AND key = ? AND status NOT IN (0, ?)", id, key, unchanged))
	return rows > 0, db.WrapUnavailable(db.Wrap(err, "find an answer of player %d", id))
}

// storedAnswer returns the answer stored under the key, if the request is the same; a batch has none.
func storedAnswer(tx *gorm.DB, r Request) (Answer, error) {
	row, err := db.One[models.IdempotencyKey](tx.Where("player_id = ? AND key = ?", r.Player, r.Key))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return Answer{}, fmt.Errorf("read answer of player %d: %w", r.Player, err)
	}
	if row.Operation != r.Operation || !bytes.Equal(row.BodyHash, r.BodyHash) {
		return Answer{}, game.Refuse(models.IdempotencyKeyReused)
	}
	return Answer{Status: row.Status, Body: row.Answer}, nil
}

// keyRetention is how long answers are stored; natural keys protect afterwards.
const keyRetention = 7 * 24 * time.Hour

// ForgetAnswers deletes stored answers older than seven days and returns how many. It does so
// in small transactions, so that players never wait long behind it.
func (s *Store) ForgetAnswers(ctx context.Context, now time.Time) (deleted int64, err error) {
	const atOnce = 1000
	return s.db.SweepBy(ctx, atOnce, `DELETE FROM idempotency_keys WHERE (player_id, key) IN (
		SELECT player_id, key FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)`, now.Add(-keyRetention), atOnce)
}
