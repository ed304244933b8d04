package models

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// Checksum computes the checksum of a posting, never 0. A posting that was changed by hand no longer matches its checksum.
func (p Posting) Checksum() int64 {
	row := make(Encoding, 0, 256)
	row.Posting(p)
	sum := sha256.Sum256(row)
	return int64(binary.BigEndian.Uint64(sum[:8]) | 1) //nolint:gosec // any 64 bits will do
}

// Posting moves an amount from one account to another.
type Posting struct {
	PlayerID    PlayerID
	Reference   string // the entry's reference, unique per player
	Line        int    // place within the entry, from 0
	Source      Account
	Destination Account
	Asset       Asset
	Amount      int64  // in the asset's unit, never negative
	Memo        string // what verify, or a repeated request, has to know of the entry; may be empty
	PostedAt    time.Time
	Mark        int64 // a checksum of the other fields, see checksum
}

// TableName implements schema.Tabler.
func (Posting) TableName() string { return "postings" }

// PostingColumns names the columns of a posting in the order in which they are scanned.
const PostingColumns = "id, player_id, reference, line, source, destination, asset, amount, memo, posted_at, mark"
