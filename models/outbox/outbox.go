package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
)

// Enqueue stores messages in the transaction of their cause. A message with a known key changes nothing. They are sent at now or
// later.
func Enqueue(tx *gorm.DB, d db.Dialect, now time.Time, messages ...models.Message) error {
	if len(messages) == 0 {
		return nil
	}
	params := make([]string, len(messages))
	for i, m := range messages {
		text, err := json.Marshal(m.Params)
		if err != nil {
			return fmt.Errorf("params of message %q: %w", m.Key, err)
		}
		params[i] = string(text)
	}
	table, values := d.Values(
		db.Texts("key", messages, func(m models.Message) string { return m.Key }),
		db.Integers("chat_id", messages, func(m models.Message) int64 { return m.ChatID }),
		db.Texts("kind", messages, func(m models.Message) models.MessageKind { return m.Kind }),
		db.Texts("params", params, func(text string) string { return text }),
		db.Integers("urgency", messages, func(m models.Message) models.Urgency { return m.Urgency }),
		db.Times("now", messages, func(models.Message) time.Time { return db.Time(now) }),
	)
	err := tx.Exec(`INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, last_error)
		SELECT v.key, v.chat_id, v.kind, v.params, v.urgency, 'queued', 0, v.now, v.now, ''
		FROM `+table+` WHERE true ON CONFLICT (key) DO NOTHING`, values...).Error
	return db.Wrap(err, "queue %d messages, the first %q", len(messages), messages[0].Key)
}

// NoticeAdmins queues a text for each of some admins, in the transaction ctx carries if there is one. The key identifies the cause:
// with a known key nothing is queued again.
func (s *Store) NoticeAdmins(ctx context.Context, key, text string, urgency models.Urgency, admins []int64, now time.Time) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error { return s.noticeAdmins(tx, key, text, urgency, admins, now) })
}

// noticeAdmins is NoticeAdmins inside a transaction.
func (s *Store) noticeAdmins(tx *gorm.DB, key, text string, urgency models.Urgency, admins []int64, now time.Time) error {
	return Enqueue(tx, s.db.Dialect, now, db.MapSlice(admins, func(id int64) models.Message {
		return models.Message{
			Key: fmt.Sprintf("admin:%s:%d", key, id), ChatID: id, Kind: models.AdminNotice, Params: map[string]string{"text": text}, Urgency: urgency,
		}
	})...)
}
