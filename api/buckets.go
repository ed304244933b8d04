package api

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
	"golang.org/x/time/rate"
)

// cachedBuckets is how many addresses or players this process tracks per limit; the least recently seen is evicted. By then its
// bucket has long been full again, for the limits per second.
const cachedBuckets = 1 << 16

// buckets are the token buckets of one limit in this process.
type buckets struct {
	interval time.Duration // in which a bucket regains one call
	burst    int           // how many calls a bucket holds
	of       *lru.Cache[string, *rate.Limiter]
}

func newBuckets(interval time.Duration, burst int) *buckets {
	of, err := lru.New[string, *rate.Limiter](cachedBuckets)
	if err != nil {
		panic(err) // only a size below 1 is an error
	}
	return &buckets{interval: interval, burst: burst, of: of}
}

// take takes one call from a bucket, or returns how long until there is one.
func (b *buckets) take(who string, now time.Time) (wait time.Duration) {
	bucket, ok := b.of.Get(who)
	if !ok {
		bucket = rate.NewLimiter(rate.Every(b.interval), b.burst)
		if before, had, _ := b.of.PeekOrAdd(who, bucket); had {
			bucket = before
		}
	}
	if bucket.AllowN(now, 1) {
		return 0
	}
	missing := 1 - bucket.TokensAt(now)
	return max(time.Duration(missing*float64(b.interval)), 1)
}

// How long a call waits for each of Redis' steps (a connection, a write, a read), and how long no call asks Redis after it has
// failed to answer.
const (
	sharedTimeout = 50 * time.Millisecond
	sharedPause   = 5 * time.Second
)

// sharedBuckets are the buckets of all processes together, in Redis. While Redis is away each process counts for itself.
type sharedBuckets struct {
	limiter *redis_rate.Limiter
	log     *slog.Logger
	state   atomic.Int32
	pause   time.Duration
}

// States of Redis. Once it is due to be asked again, one call asks it and the others go on without it.
const (
	redisHere int32 = iota
	redisUnavailable
	redisDue
)

func newSharedBuckets(client *redis.Client, log *slog.Logger) *sharedBuckets {
	return &sharedBuckets{limiter: redis_rate.NewLimiter(client), log: log, pause: sharedPause}
}

// take is buckets.take over all processes; counted is false while Redis is away.
func (s *sharedBuckets) take(ctx context.Context, b *buckets, key string) (wait time.Duration, counted bool) {
	state := s.state.Load()
	if state == redisUnavailable || (state == redisDue && !s.state.CompareAndSwap(redisDue, redisUnavailable)) {
		return 0, false
	}
	// A client that hangs up says nothing about Redis.
	ctx = context.WithoutCancel(ctx)
	result, err := s.limiter.Allow(ctx, "mcbk:"+key, redis_rate.Limit{Rate: 1, Period: b.interval, Burst: b.burst})
	if err != nil {
		s.lost(ctx, err, state)
		return 0, false
	}
	if state == redisDue {
		s.state.Store(redisHere)
		s.log.InfoContext(ctx, "Redis is back, limits are shared again")
	}
	return max(result.RetryAfter, 0), true // -1 when there was one
}

// lost stops asking Redis for a while.
func (s *sharedBuckets) lost(ctx context.Context, err error, found int32) {
	if found == redisHere {
		if !s.state.CompareAndSwap(redisHere, redisUnavailable) {
			return // another call has seen it too
		}
		s.log.WarnContext(ctx, "Redis is away, this process limits for itself", "error", err)
	}
	time.AfterFunc(s.pause, func() { s.state.Store(redisDue) })
}

// OpenRedis makes a client whose calls fail fast instead of waiting or trying again.
func OpenRedis(address string) (*redis.Client, error) {
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, errors.New("is not the address of a Redis server") // the error may repeat a password
	}
	options.DialTimeout, options.PoolTimeout = sharedTimeout, sharedTimeout
	options.ReadTimeout, options.WriteTimeout = sharedTimeout, sharedTimeout
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // failures come back as errors and are logged once
	return redis.NewClient(options), nil
}
