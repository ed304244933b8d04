package models

import (
	"context"
	"time"
)

// InboxBacklog is the limit that ReceiveUpdates keeps.
const InboxBacklog = inboxBacklog

// ReceiveUpdatesUpTo is ReceiveUpdates with a limit that a test can reach.
func (s *Store) ReceiveUpdatesUpTo(ctx context.Context, backlog int64, updates []BotUpdate, now time.Time) (int, error) {
	return s.receiveUpdates(ctx, updates, backlog, now)
}
