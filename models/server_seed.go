package models

import (
	"encoding/hex"
	"time"

	"mcbk/game"
)

// ServerSeed is a server seed of a player, and the client seed that goes with it.
type ServerSeed struct {
	ID         int64
	PlayerID   PlayerID
	Seed       []byte // 32 bytes; secret until retired
	ClientSeed string // empty until the seed is present
	Nonce      int64  // of the next spin, which is also the number of spins made
	State      SeedState
	BegunDay   game.Day   // UTC day on which it became present
	RetiredAt  *time.Time // UTC; nil until then
}

// TableName implements schema.Tabler.
func (ServerSeed) TableName() string { return "wheel_seeds" }

// SeedState is the state of a seed.
type SeedState string

// The next seed becomes present when the present one is retired: when the player chooses a client
// seed, else at the first request of a UTC day after it was used.
const (
	SeedNext    SeedState = "next"
	SeedCurrent SeedState = "present"
	SeedRetired SeedState = "retired"
)

// ServerSeedSteps are the states that follow each state of a seed.
var ServerSeedSteps = Steps[SeedState]{
	SeedNext:    {SeedCurrent},
	SeedCurrent: {SeedRetired},
}

// Server returns the seed in the form that rolls are made from.
func (w ServerSeed) Server() (seed game.ServerSeed) {
	copy(seed[:], w.Seed)
	return seed
}

// UsedBefore reports whether a spin of an earlier UTC day than today was made with the seed, which then serves no more.
func (w ServerSeed) UsedBefore(today game.Day) bool { return w.BegunDay < today && w.Nonce > 0 }

// Hash returns the SHA-256 of the server seed in hex.
func (w ServerSeed) Hash() string {
	hash := w.Server().Hash()
	return hex.EncodeToString(hash[:])
}
