package jobs

import (
	"context"
	"sync"
	"time"

	"mcbk/models"
)

// Ranks are everybody's places, which each process keeps for itself.
type Ranks interface {
	// BuildRanks reads all players.
	BuildRanks(ctx context.Context) error
	// FollowRanks brings places up to what is committed, by whatever process.
	FollowRanks(ctx context.Context) error
	// TakeChanged returns whom this process has changed since the last call.
	TakeChanged() []models.PlayerID
	// RefreshRanks reads those players again.
	RefreshRanks(ctx context.Context, ids []models.PlayerID) error
}

// Relay carries to the other processes whom this one has changed, and back. It may lose what it likes: FollowRanks finds it.
type Relay interface {
	// Listen hears until ctx ends.
	Listen(ctx context.Context)
	// Tell names players to the other processes.
	Tell(ctx context.Context, ids []models.PlayerID)
	// Heard takes the players that others have named since the last call.
	Heard() []models.PlayerID
}

// How fresh places are. (decision 0038: ranks)
const (
	refreshEvery = 250 * time.Millisecond // of players that this process changed, or hears of
	followEvery  = 5 * time.Second        // of all others
)

// FollowRanks builds the ranks and keeps them right until ctx ends, in every process. built is called once, when there are any.
func FollowRanks(ctx context.Context, ranks Ranks, relay Relay, built func(), o Options) error {
	for {
		err := ranks.BuildRanks(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			break
		}
		o.Log.WarnContext(ctx, "nobody has a place yet", "error", err) // mostly the database is away
		pause(ctx, leadAgain)
	}
	built()
	var hearing sync.WaitGroup
	hearing.Go(func() { relay.Listen(ctx) })
	defer hearing.Wait()
	often, seldom := time.NewTicker(refreshEvery), time.NewTicker(followEvery)
	defer often.Stop()
	defer seldom.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-often.C:
			own := ranks.TakeChanged()
			relay.Tell(ctx, own)
			err = ranks.RefreshRanks(ctx, append(own, relay.Heard()...))
		case <-seldom.C:
			err = ranks.FollowRanks(ctx)
		}
		if err != nil && ctx.Err() == nil {
			o.Log.WarnContext(ctx, "places on the boards are older than they should be", "error", err)
		}
	}
}

// NoRelay is that of a process that is alone, or whose game has no Redis.
type NoRelay struct{}

// Listen hears nothing.
func (NoRelay) Listen(context.Context) {}

// Tell tells nobody.
func (NoRelay) Tell(context.Context, []models.PlayerID) {}

// Heard is nothing.
func (NoRelay) Heard() []models.PlayerID { return nil }
