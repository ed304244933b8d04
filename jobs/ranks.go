package jobs

import (
	"context"
	"sync"
	"time"

	"mcbk/models"
	"mcbk/models/store"
)

// Relay exchanges the IDs of changed players between processes. It is best effort: FollowRanks finds lost ones.
type Relay interface {
	// Listen receives until ctx ends.
	Listen(ctx context.Context)
	// Publish sends players to the other processes.
	Publish(ctx context.Context, ids []models.PlayerID)
	// Received returns the players that others have sent since the last call.
	Received() []models.PlayerID
}

// Freshness of ranks (decision 0038: ranks).
const (
	refreshInterval = 250 * time.Millisecond // for players that this process changed, or received
	followInterval  = 5 * time.Second        // for all others
)

// FollowRanks builds the ranks and updates them until ctx ends, in every process. It calls built after the first build.
func FollowRanks(ctx context.Context, store *store.Store, relay Relay, built func(), o Options) error {
	for {
		err := store.Leaderboard.BuildRanks(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			break
		}
		o.Log.WarnContext(ctx, "build ranks", "error", err)
		pause(ctx, leaseRetryDelay)
	}
	built()
	var listening sync.WaitGroup
	listening.Go(func() { relay.Listen(ctx) })
	defer listening.Wait()
	refresh, follow := time.NewTicker(refreshInterval), time.NewTicker(followInterval)
	defer refresh.Stop()
	defer follow.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-refresh.C:
			own := store.Leaderboard.DrainChanged()
			relay.Publish(ctx, own)
			err = store.Leaderboard.RefreshRanks(ctx, append(own, relay.Received()...))
		case <-follow.C:
			err = store.Leaderboard.FollowRanks(ctx)
		}
		if err != nil && ctx.Err() == nil {
			o.Log.WarnContext(ctx, "update ranks", "error", err)
		}
	}
}

// NoRelay is the Relay of a single process, or of a game without Redis.
type NoRelay struct{}

// Listen receives nothing.
func (NoRelay) Listen(context.Context) {}

// Publish does nothing.
func (NoRelay) Publish(context.Context, []models.PlayerID) {}

// Received returns nothing.
func (NoRelay) Received() []models.PlayerID { return nil }
