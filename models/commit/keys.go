package commit

import (
	"encoding/json"
	"fmt"
	"time"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// record is what is stored of a key: the answer of a call, or the posting of a batch.
type record struct {
	key          models.IdempotencyKey
	memo         *string    // of the posting, nil without one
	postedAt     *time.Time // of the posting, UTC
	spinsGranted bool       // before the posting
}

// BatchRecord is what is stored of a batch: its posting.
type BatchRecord struct {
	Memo         string
	PostedAt     time.Time // UTC
	SpinsGranted bool      // the spins of its day, before it
}

// records reads what is stored of a key.
var records = Rows[record]{
	Columns: "COALESCE(k.operation, ''), k.body_hash, COALESCE(k.status, 0), k.answer, q.memo, q.posted_at",
	Computed: func(d db.Dialect) string {
		return "EXISTS (SELECT 1 FROM postings s WHERE s.player_id = w.player_id AND s.line = 0 AND s.id < q.id AND s.reference = '" +
			ledger.SpinsPrefix + "' || (" + d.Hour("q.posted_at") + " / 24))"
	},
	From: `LEFT JOIN idempotency_keys k ON k.player_id = w.player_id AND k.key = w.text
		LEFT JOIN postings q ON q.player_id = w.player_id AND q.reference = '` + ledger.BatchReference("") + `' || w.text AND q.line = 0
		WHERE k.status IS NOT NULL OR q.line IS NOT NULL`,
	Fields: func(r *record) []any {
		return []any{&r.key.Operation, &r.key.BodyHash, &r.key.Status, &r.key.Answer, &r.memo, &r.postedAt, &r.spinsGranted}
	},
}

// key returns what is stored under the key of a command: an array of the player after it and its result.
func (w *waiting) key(p models.PlayerID) (models.IdempotencyKey, error) {
	answer, err := json.Marshal([]any{w.Answer.PlayFields(), w.result})
	if err != nil {
		return models.IdempotencyKey{}, fmt.Errorf("store the result of %s: %w", w.Operation, err)
	}
	return models.IdempotencyKey{
		PlayerID: p, Key: w.Key, Operation: w.Operation, BodyHash: w.BodyHash, Status: 200, Answer: answer, CreatedAt: w.now,
	}, nil
}

// AnsweredError is a response that an earlier version has stored under the key, without a result.
type AnsweredError struct{ Answer }

// Error implements error.
func (a *AnsweredError) Error() string { return fmt.Sprintf("answered with %d before", a.Status) }

// restoreStored sets the result of a repeated command and the player as of the first time, but with their present name and settings.
func (w *waiting) restoreStored(p models.Player, k models.IdempotencyKey) error {
	if len(k.Answer) > 0 && k.Answer[0] == '{' {
		return &AnsweredError{Answer{k.Status, k.Answer}}
	}
	p.Revision = 0 // an answer stored by an earlier version has none
	fields := p.PlayFields()
	if err := json.Unmarshal(k.Answer, &[]any{&fields, w.result}); err != nil {
		return fmt.Errorf("read the result of %s: %w", w.Operation, err)
	}
	w.Answer = p
	return nil
}

// saveKeys stores keys; an earlier version may have stored one of a command that changed nothing.
func saveKeys(d db.Dialect, keys []models.IdempotencyKey) db.Statement {
	insert := d.Insert("idempotency_keys",
		db.Integers("player_id", keys, func(k models.IdempotencyKey) models.PlayerID { return k.PlayerID }),
		db.Texts("key", keys, func(k models.IdempotencyKey) string { return k.Key }),
		db.Texts("operation", keys, func(k models.IdempotencyKey) string { return k.Operation }),
		db.List("body_hash", "bytea", keys, func(k models.IdempotencyKey) []byte { return k.BodyHash }),
		db.Integers("status", keys, func(k models.IdempotencyKey) int { return k.Status }),
		db.List("answer", "bytea", keys, func(k models.IdempotencyKey) []byte { return k.Answer }),
		db.Times("created_at", keys, func(k models.IdempotencyKey) time.Time { return k.CreatedAt }),
	)
	insert.Text += fmt.Sprintf(` WHERE true
		ON CONFLICT (player_id, key) DO UPDATE SET status = excluded.status, answer = excluded.answer WHERE idempotency_keys.status = %d`, unchanged)
	return insert
}
