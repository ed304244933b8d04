package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"mcbk/models"
	"mcbk/models/given"
)

// told is a relay between a test and a process.
type told struct {
	NoRelay
	out chan []models.PlayerID
	in  chan models.PlayerID
}

func (r told) Publish(_ context.Context, ids []models.PlayerID) {
	if len(ids) > 0 {
		r.out <- ids
	}
}

func (r told) Received() []models.PlayerID {
	select {
	case id := <-r.in:
		return []models.PlayerID{id}
	default:
		return nil
	}
}

// forgetful are ranks that find nothing by the ledger.
type forgetful struct{ Ranks }

func (forgetful) FollowRanks(context.Context) error { return nil }

func TestAProcessTellsAndHearsOfChanges(t *testing.T) {
	t.Parallel()
	address := given.Address(t, "postgres")
	here, there := given.OpenStore(t, address), given.OpenStore(t, address)
	best, other := given.Player(t, here, given.Tapped(10)), given.Player(t, here)
	ctx, cancel := context.WithCancel(t.Context())
	relay := told{out: make(chan []models.PlayerID, 9), in: make(chan models.PlayerID, 9)}
	built, ended := make(chan struct{}), make(chan error)
	go func() {
		ended <- FollowRanks(ctx, forgetful{here}, relay, func() { close(built) }, newOffice().options())
	}()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	<-built
	if ids := <-relay.out; !slices.Contains(ids, best.ID) || !slices.Contains(ids, other.ID) {
		t.Errorf("told of %v", ids)
	}
	leads := func(store *models.Store, p models.Player, taps int) {
		t.Helper()
		batch := models.Batch{TelegramID: p.TelegramID, Sent: taps}
		answer, err := store.Tap(t.Context(), batch, given.Season, given.Noon.Add(24*time.Hour))
		if err != nil || answer.Accepted != taps {
			t.Fatalf("%d taps accepted, %v", answer.Accepted, err)
		}
		if store == there {
			relay.in <- p.ID
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			leaders, _, err := here.Leaders(t.Context(), models.ByCoins, models.Page{Limit: 1})
			if err == nil && len(leaders) == 1 && leaders[0].ID == p.ID && leaders[0].Game == answer.Player.Balances.Game {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the best are %+v, want player %d: %v", leaders, p.ID, err)
			}
		}
	}
	leads(here, other, 20)
	leads(there, best, 20)
}

// brittle are ranks that are built at the third try.
type brittle struct {
	Ranks
	tries int
}

func (b *brittle) BuildRanks(context.Context) error {
	if b.tries++; b.tries < 3 {
		return errors.New("the disk is slow")
	}
	return nil
}

func TestRanksThatCannotBeBuiltAreToldAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		o, ranks := newOffice(), new(brittle)
		if err := FollowRanks(ctx, ranks, NoRelay{}, cancel, o.options()); err != nil {
			t.Error(err)
		}
		if told := strings.Count(o.log.String(), "the disk is slow"); ranks.tries != 3 || told != 2 {
			t.Errorf("after %d tries %d are told:\n%s", ranks.tries, told, o.log.String())
		}
	})
}

func TestPlayersAreNamedToOtherProcesses(t *testing.T) {
	t.Parallel()
	options, err := redis.ParseURL(given.Redis())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	one, other := NewRedisRelay(client, slog.New(slog.DiscardHandler)), NewRedisRelay(client, slog.New(slog.DiscardHandler))
	go one.Listen(t.Context())
	go other.Listen(t.Context())
	base := models.PlayerID(time.Now().UnixNano()) // no other test's, nor another run's beside this one
	foreign := func(id models.PlayerID) bool { return id < base || id >= base+2*relayBatch }
	var heard []models.PlayerID
	for deadline := time.Now().Add(10 * time.Second); len(heard) < 2*relayBatch; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("heard of %d players", len(heard))
		}
		ids := make([]models.PlayerID, 2*relayBatch) // in more than one message
		for i := range ids {
			ids[i] = base + models.PlayerID(i)
		}
		client.Publish(t.Context(), relayChannel, "x not-a-number 12.5 ") // somebody else's nonsense
		one.Publish(t.Context(), ids)
		heard = append(heard, other.Received()...)
		slices.Sort(heard)
		heard = slices.Compact(heard)
		heard = slices.DeleteFunc(heard, foreign)
	}
	if own := slices.DeleteFunc(one.Received(), foreign); len(own) > 0 {
		t.Error("a process hears of what it said itself")
	}
}

func TestARedisThatIsAwayDelaysNobody(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	t.Cleanup(func() { _ = client.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	relay := NewRedisRelay(client, slog.New(slog.DiscardHandler))
	ended := make(chan struct{})
	go func() {
		relay.Listen(ctx)
		close(ended)
	}()
	began := time.Now()
	relay.Publish(ctx, []models.PlayerID{1})
	if took := time.Since(began); took > 2*time.Second || len(relay.Received()) > 0 {
		t.Errorf("telling took %s", took)
	}
	cancel()
	<-ended
}
