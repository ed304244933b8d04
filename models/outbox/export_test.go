package outbox

import (
	"context"
	"time"

	"gorm.io/gorm"

	"mcbk/models"
)

// UntriedMessages is a statement whose plan a test reads.
const UntriedMessages = untriedMessages

// Limits that StartBroadcast and ReceiveUpdates keep.
const (
	OutboxBacklog = outboxBacklog
	InboxBacklog  = inboxBacklog
)

// ReceiveUpdatesUpTo is ReceiveUpdates with a limit that a test can reach.
func (s *Store) ReceiveUpdatesUpTo(ctx context.Context, backlog int64, updates []models.BotUpdate, now time.Time) (int, error) {
	limited := *s
	limited.inboxBacklog = backlog
	return limited.ReceiveUpdates(ctx, updates, now)
}

// StartBroadcastUpTo starts a draft, as the confirmed question of an admin does, with a limit that a test can reach.
func (s *Store) StartBroadcastUpTo(ctx context.Context, backlog, id int64, now time.Time) (b models.Broadcast, err error) {
	limited := *s
	limited.outboxBacklog = backlog
	err = s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
		b, err = limited.startBroadcast(tx, id, now)
		return err
	})
	return b, err
}

// StartBroadcast is StartBroadcastUpTo with the limit that admins have.
func (s *Store) StartBroadcast(ctx context.Context, id int64, now time.Time) (models.Broadcast, error) {
	return s.StartBroadcastUpTo(ctx, OutboxBacklog, id, now)
}

// CountAudience is BroadcastAudience by pages of so many players.
func (s *Store) CountAudience(ctx context.Context, players int64) (int64, error) {
	limited := *s
	limited.audiencePage = players
	return limited.BroadcastAudience(ctx)
}

// FanBroadcastBy is FanBroadcast with a limit that a test can reach.
func (s *Store) FanBroadcastBy(ctx context.Context, ahead int64, now time.Time) (more bool, err error) {
	limited := *s
	limited.broadcastAhead = ahead
	return limited.FanBroadcast(ctx, now)
}

// UpdatesOf counts a chat's updates in a state.
func (s *Store) UpdatesOf(ctx context.Context, chat int64, state models.UpdateState) (n int) {
	if err := s.db.Read(ctx).Raw("SELECT COUNT(*) FROM bot_updates WHERE chat_id = ? AND state = ?", chat, state).Scan(&n).Error; err != nil {
		return -1
	}
	return n
}

// MissedAfter are those whom Remind finds after one who checked in at a time.
func (s *Store) MissedAfter(ctx context.Context, at time.Time, id models.PlayerID, now time.Time) (ids []models.PlayerID, err error) {
	found, err := missedToday(s.db.Read(ctx), remindable{ID: id, CheckedInAt: at}, now)
	for _, r := range found {
		ids = append(ids, r.ID)
	}
	return ids, err
}
