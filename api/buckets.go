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

// cachedBuckets is how many addresses or players are tracked per limit; the least recently used is evicted. By then a per-second bucket
// has long been full again.
const cachedBuckets = 1 << 16

// buckets are this process's token buckets of one limit.
type buckets struct {
	interval time.Duration // of regaining one call
	burst    int           // capacity
	of       *lru.Cache[string, *rate.Limiter]
}

func newBuckets(interval time.Duration, burst int) *buckets {
	return &buckets{interval: interval, burst: burst, of: newCache[string, *rate.Limiter](cachedBuckets)}
}

// newCache returns a cache of a constant size above zero.
func newCache[K comparable, V any](size int) *lru.Cache[K, V] {
	cache, err := lru.New[K, V](size)
	if err != nil {
		panic(err)
	}
	return cache
}

// take takes one call from a bucket, or returns the wait for the next one.
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

// redisTimeout limits each step (connection, write, read); after a failure Redis is skipped for a while.
const (
	sharedTimeout = 50 * time.Millisecond
	sharedPause   = 5 * time.Second
)

// sharedBuckets are the buckets of all processes, in Redis. While Redis is unavailable each process counts alone.
type sharedBuckets struct {
	limiter *redis_rate.Limiter
	log     *slog.Logger
	state   atomic.Int32
	pause   time.Duration
}

// States of Redis. When a probe is due, one call makes it and the others go on without Redis.
const (
	redisHere int32 = iota
	redisUnavailable
	redisDue
)

func newSharedBuckets(client *redis.Client, log *slog.Logger) *sharedBuckets {
	return &sharedBuckets{limiter: redis_rate.NewLimiter(client), log: log, pause: sharedPause}
}

// take is buckets.take for all processes; counted is false while Redis is unavailable.
func (s *sharedBuckets) take(ctx context.Context, b *buckets, key string) (wait time.Duration, counted bool) {
	state := s.state.Load()
	if state == redisUnavailable || (state == redisDue && !s.state.CompareAndSwap(redisDue, redisUnavailable)) {
		return 0, false
	}
	// A client that hangs up must not count as a failure of Redis.
	ctx = context.WithoutCancel(ctx)
	result, err := s.limiter.Allow(ctx, "mcbk:"+key, redis_rate.Limit{Rate: 1, Period: b.interval, Burst: b.burst})
	if err != nil {
		s.lost(ctx, err, state)
		return 0, false
	}
	if state == redisDue {
		s.state.Store(redisHere)
		s.log.InfoContext(ctx, "Redis available again, limits are shared")
	}
	return max(result.RetryAfter, 0), true // -1 if a call was taken
}

// lost skips Redis for a while.
func (s *sharedBuckets) lost(ctx context.Context, err error, found int32) {
	if found == redisHere {
		if !s.state.CompareAndSwap(redisHere, redisUnavailable) {
			return // another call has recorded it
		}
		s.log.WarnContext(ctx, "Redis unavailable, limits are per process", "error", err)
	}
	time.AfterFunc(s.pause, func() { s.state.Store(redisDue) })
}

// OpenRedis makes a client whose calls fail fast, without retries.
func OpenRedis(address string) (*redis.Client, error) {
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, errors.New("is not the address of a Redis server") // the error may contain a password
	}
	options.DialTimeout, options.PoolTimeout = sharedTimeout, sharedTimeout
	options.ReadTimeout, options.WriteTimeout = sharedTimeout, sharedTimeout
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // failures are returned as errors and logged once
	return redis.NewClient(options), nil
}
