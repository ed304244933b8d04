package jobs

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"mcbk/models"
)

// Messages of changed players.
const (
	relayChannel = "mcbk:ranks" // shared by all games on this Redis: an ID of another game costs one needless read
	relayBatch   = 5_000        // players in a message
	relayTimeout = 100 * time.Millisecond
	maxReceived  = 100_000 // waiting players; FollowRanks finds the rest
)

// RedisRelay is a Relay over a channel of Redis.
type RedisRelay struct {
	client *redis.Client
	self   string // prefix of this process's own messages, which it ignores
	log    *slog.Logger

	mu       sync.Mutex
	received map[models.PlayerID]struct{}
}

// NewRedisRelay makes a relay; it receives while Listen runs.
func NewRedisRelay(client *redis.Client, log *slog.Logger) *RedisRelay {
	return &RedisRelay{client: client, self: uuid.NewString(), log: log, received: map[models.PlayerID]struct{}{}}
}

// Listen receives until ctx ends; go-redis reconnects.
func (r *RedisRelay) Listen(ctx context.Context) {
	channel := r.client.Subscribe(ctx, relayChannel)
	defer channel.Close() //nolint:errcheck // nothing is left to do
	messages := channel.Channel()
	for {
		select {
		case <-ctx.Done():
			return
		case message, open := <-messages:
			if !open {
				return
			}
			r.receive(message.Payload)
		}
	}
}

func (r *RedisRelay) receive(message string) {
	from, ids, _ := strings.Cut(message, " ")
	if from == r.self {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for word := range strings.SplitSeq(ids, " ") {
		if id, err := strconv.ParseInt(word, 10, 64); err == nil && len(r.received) < maxReceived {
			r.received[models.PlayerID(id)] = struct{}{}
		}
	}
}

// Received returns the players that other processes have sent since the last call.
func (r *RedisRelay) Received() []models.PlayerID {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := slices.Collect(maps.Keys(r.received))
	clear(r.received)
	return ids
}

// Publish sends players to the other processes. While Redis is unavailable it sends nothing.
func (r *RedisRelay) Publish(ctx context.Context, ids []models.PlayerID) {
	ctx, cancel := context.WithTimeout(ctx, relayTimeout)
	defer cancel()
	for part := range slices.Chunk(ids, relayBatch) {
		words := []string{r.self}
		for _, id := range part {
			words = append(words, strconv.FormatInt(int64(id), 10))
		}
		if err := r.client.Publish(ctx, relayChannel, strings.Join(words, " ")).Err(); err != nil {
			r.log.DebugContext(ctx, "publish changed players", "error", err)
			return
		}
	}
}
