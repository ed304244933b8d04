// Package outbox stores messages from and to Telegram: the bot's inbox and outbox, chats, broadcasts and reminders. (decision 0014)
// Raw SQL: queues that skip locked rows, sweeps, fan-out.
package outbox

import (
	"mcbk/models/db"
)

// Store stores outbox.
type Store struct {
	db *db.DB

	outboxBacklog, inboxBacklog, broadcastAhead, audiencePage int64 // smaller in tests
}

// New returns the store on an open database.
func New(database *db.DB) *Store {
	return &Store{
		db: database, outboxBacklog: outboxBacklog, inboxBacklog: inboxBacklog, broadcastAhead: broadcastAhead, audiencePage: audiencePage,
	}
}
