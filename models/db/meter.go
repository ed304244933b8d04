package db

import "database/sql"

// Meter counts writes once they are committed. It must not block, and must be safe for concurrent use. (decision 0018: metrics)
type Meter interface {
	// Round counts one commit of size writes of players.
	Round(size int)
	// RoundFailed counts a round that failed.
	RoundFailed()
	// Postings counts n postings of an entry's kind: one of a fixed few, never a player's.
	Postings(kind string, n int)
	// Messages counts outbox messages by how they ended, one of the ends below.
	Messages(end string, n int)
}

// The ends of a message, as the meter counts them.
const (
	EndSent      = "sent"
	EndGivenUp   = "given_up"  // after its last try
	EndRefused   = "refused"   // Telegram refused it
	EndBlocked   = "blocked"   // the person blocked the bot
	EndUnwanted  = "unwanted"  // the player switched messages off, or there is nothing left to remind them of
	EndCancelled = "cancelled" // what it belongs to is over: a broadcast that was stopped, an alarm that ended
)

// NoMeter is the meter of a Store until Measure sets another.
type NoMeter struct{}

// Round counts nothing.
func (NoMeter) Round(int) {}

// RoundFailed counts nothing.
func (NoMeter) RoundFailed() {}

// Postings counts nothing.
func (NoMeter) Postings(string, int) {}

// Messages counts nothing.
func (NoMeter) Messages(string, int) {}

// Measure sets the meter of the store's writes. Call it before the store is used.
func (d *DB) Measure(m Meter) { d.Meter = m }

// Pools returns the store's connection pools by purpose, so that their use can be watched.
func (d *DB) Pools() (map[string]*sql.DB, error) {
	write, err := d.writer.DB()
	if err != nil {
		return nil, err
	}
	read, err := d.reader.DB()
	if err != nil {
		return nil, err
	}
	pools := map[string]*sql.DB{"write": write, "read": read}
	if read == write {
		pools = map[string]*sql.DB{"all": write}
	}
	grouped, err := d.Grouped.DB()
	if err == nil && grouped != write {
		pools["grouped"] = grouped
	}
	return pools, err
}
