package models

import "database/sql"

// Meter is told of writes once they are committed. It must not block, and be safe for many
// callers at once. (decision 0018: metrics)
type Meter interface {
	// TapGroup counts one commit that wrote so many tap batches.
	TapGroup(size int)
	// Postings counts postings of an entry's kind: one of a fixed few, never a player's.
	Postings(kind string, n int)
	// Messages counts messages of the outbox that came to one of the few ends there are.
	Messages(end string, n int)
}

// The ends a message may come to, as the meter is told of them.
const (
	endSent      = "sent"
	endGivenUp   = "given_up"  // after its last try
	endRefused   = "refused"   // Telegram said no to it
	endBlocked   = "blocked"   // the person does not let the bot write
	endUnwanted  = "unwanted"  // the player switched messages off
	endCancelled = "cancelled" // an admin stopped its broadcast
)

// noMeter is a Store's until Measure gives it one.
type noMeter struct{}

func (noMeter) TapGroup(int)         {}
func (noMeter) Postings(string, int) {}
func (noMeter) Messages(string, int) {}

// Measure makes the store tell m of its writes. It is called before the store is used.
func (s *Store) Measure(m Meter) { s.meter = m }

// Pools are the store's connections by what they are for, so that their use can be watched.
func (s *Store) Pools() (map[string]*sql.DB, error) {
	write, err := s.db.DB()
	if err != nil {
		return nil, err
	}
	read, err := s.read.DB()
	if err != nil {
		return nil, err
	}
	if read == write {
		return map[string]*sql.DB{"all": write}, nil
	}
	return map[string]*sql.DB{"write": write, "read": read}, nil
}
