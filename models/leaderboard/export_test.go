package leaderboard

import "context"

// FollowLedger is the part of FollowRanks that reads the ledger, two rows at once; the rest would hide what it misses.
func (s *Store) FollowLedger(ctx context.Context) error { return s.followLedger(ctx, 2) }
