package jobs

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"mcbk/models"
	"mcbk/models/leaderboard"
	"mcbk/models/modelstest"
	"mcbk/models/taps"
)

// fakeRelay is a relay between a test and a process.
type fakeRelay struct {
	NoRelay
	out chan []models.PlayerID
	in  chan models.PlayerID
}

func (r fakeRelay) Publish(_ context.Context, ids []models.PlayerID) {
	if len(ids) > 0 {
		r.out <- ids
	}
}

func (r fakeRelay) Received() []models.PlayerID {
	select {
	case id := <-r.in:
		return []models.PlayerID{id}
	default:
		return nil
	}
}

// The ledger is not followed before followInterval has passed.
func TestChangesAreExchangedBetweenProcesses(t *testing.T) {
	bubble(t, func(h *harness) {
		best, other := modelstest.Player(h, h.store, modelstest.Tapped(10)), modelstest.Player(h, h.store)
		ctx, cancel := context.WithCancel(h.Context())
		relay := fakeRelay{out: make(chan []models.PlayerID, 9), in: make(chan models.PlayerID, 9)}
		built, ended := make(chan struct{}), make(chan error)
		go func() { ended <- FollowRanks(ctx, h.store, relay, func() { close(built) }, h.options()) }()
		<-built
		leads := func(when string, p models.Player) {
			h.Helper()
			time.Sleep(refreshInterval + time.Millisecond)
			if leaders, _, err := h.store.Leaderboard.Leaders(ctx, leaderboard.ByCoins, models.Page{Limit: 1}); err != nil || len(leaders) != 1 || leaders[0].ID != p.ID {
				h.Errorf("%s the best are %+v, want player %d: %v", when, leaders, p.ID, err)
			}
		}
		leads("at first", best)
		if ids := <-relay.out; !slices.Contains(ids, best.ID) || !slices.Contains(ids, other.ID) {
			h.Errorf("published are %v", ids)
		}
		modelstest.Must(h.store.Taps.Tap(ctx, taps.Batch{TelegramID: other.TelegramID, Sent: 20}, modelstest.Season, modelstest.Noon.Add(24*time.Hour)))(h)
		leads("changed here", other)
		if ids := <-relay.out; !slices.Equal(ids, []models.PlayerID{other.ID}) {
			h.Errorf("published are %v", ids)
		}
		h.exec("UPDATE players SET balance_game = 30000 WHERE id = ?", best.ID)
		leads("changed elsewhere, not received", other)
		relay.in <- best.ID
		leads("received", best)
		h.exec("UPDATE players SET balance_game = 40000 WHERE id = ?", other.ID)
		time.Sleep(followInterval)
		leads("followed", other)
		cancel()
		if err := <-ended; err != nil || len(relay.out) > 0 {
			h.Errorf("%d messages are published besides, %v", len(relay.out), err)
		}
	})
}

func TestRanksThatCannotBeBuiltAreRetried(t *testing.T) {
	bubble(t, func(h *harness) {
		ctx, cancel := context.WithCancel(h.Context())
		h.exec("ALTER TABLE postings RENAME TO hidden")
		time.AfterFunc(leaseRetryDelay+time.Second, func() { h.exec("ALTER TABLE hidden RENAME TO postings") })
		began := time.Now()
		modelstest.NoError(h, FollowRanks(ctx, h.store, NoRelay{}, cancel, h.options()))
		if logged := strings.Count(h.log.String(), "no such table: postings"); logged != 2 || time.Since(began) != 2*leaseRetryDelay {
			h.Errorf("built after %s, logged %d times:\n%s", time.Since(began), logged, h.log.String())
		}
	})
}

func TestRedisRelaySendsPlayersToOtherProcesses(t *testing.T) {
	t.Parallel()
	options := modelstest.Must(redis.ParseURL(modelstest.Redis()))(t)
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	one, other := NewRedisRelay(client, slog.New(slog.DiscardHandler)), NewRedisRelay(client, slog.New(slog.DiscardHandler))
	go one.Listen(t.Context())
	go other.Listen(t.Context())
	base := models.PlayerID(time.Now().UnixNano()) // unique to this test run
	foreign := func(id models.PlayerID) bool { return id < base || id >= base+2*relayBatch }
	var received []models.PlayerID
	for deadline := time.Now().Add(10 * time.Second); len(received) < 2*relayBatch; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("received %d players", len(received))
		}
		ids := make([]models.PlayerID, 2*relayBatch) // in more than one message
		for i := range ids {
			ids[i] = base + models.PlayerID(i)
		}
		client.Publish(t.Context(), relayChannel, "x not-a-number 12.5 ") // of another program
		one.Publish(t.Context(), ids)
		received = append(received, other.Received()...)
		slices.Sort(received)
		received = slices.Compact(received)
		received = slices.DeleteFunc(received, foreign)
	}
	if own := slices.DeleteFunc(one.Received(), foreign); len(own) > 0 {
		t.Error("a process receives what it published itself")
	}
}

func TestUnavailableRedisDoesNotDelayPublish(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	t.Cleanup(func() { _ = client.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	relay := NewRedisRelay(client, slog.New(slog.DiscardHandler))
	var listening sync.WaitGroup
	listening.Go(func() { relay.Listen(ctx) })
	began := time.Now()
	relay.Publish(ctx, []models.PlayerID{1})
	if took := time.Since(began); took > 2*time.Second || len(relay.Received()) > 0 {
		t.Errorf("publishing took %s", took)
	}
	cancel()
	listening.Wait()
}
