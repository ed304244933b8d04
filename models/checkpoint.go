package models

import (
	"fmt"
	"time"
)

// Checkpoint seals the postings after the previous checkpoint, up to LastPostingID, with a hash chain: if one of them is changed or
// removed, or another is added, its hash and all later ones no longer match. (decision 0003)
type Checkpoint struct {
	ID            int64 // 1, 2, 3, …; 0 is before the first
	LastPostingID int64
	Postings      int64  // how many are sealed
	Amounts       string // what they move of each asset, like "MCBK=1000 SPIN=2"
	Hash          []byte // SHA-256 of the hash before, the postings, the admins' actions and this row
	SealedAt      time.Time
	LastActionID  int64 // of admin_actions, which it seals likewise; 0 for none, as before they were sealed
	Actions       int64
}

// TableName implements schema.Tabler.
func (Checkpoint) TableName() string { return "ledger_checkpoints" }

func (c Checkpoint) String() string {
	if c.ID == 0 {
		return "no checkpoint yet"
	}
	return fmt.Sprintf("checkpoint %d up to posting %d is %x", c.ID, c.LastPostingID, c.Hash)
}
