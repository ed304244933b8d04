package api

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/redis/go-redis/v9"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// limit is a key of defaultLimits.
type limit string

const (
	callsOfAddress  limit = "address"
	forgedOfAddress limit = "forged"
	callsOfPlayer   limit = "player"
	writesOfPlayer  limit = "writes"
	rowsOfPlayer    limit = "rows"   // writes over a longer time: each may store a row
	checksOfPlayer  limit = "checks" // subscription checks at Telegram
	spinsOfPlayer   limit = "spins"
	seedsOfPlayer   limit = "seeds"  // client seeds, each of which stores a row
	noncesOfPlayer  limit = "nonces" // payloads for wallet proofs
	walletLookups   limit = "looks"  // account look-ups on the chain
	cardsOfPlayer   limit = "cards"  // pictures to share, each of which is drawn and sent

	historiesOfPlayer limit = "histories" // answers that read all of a player's postings
)

// subject is the unit of a limit.
type subject int

const (
	perAddress subject = iota // an IPv4 address, or the /64 of an IPv6 one
	perPlayer                 // by Telegram ID
)

// tokenBucket holds burst calls and refills by rate calls each period.
type tokenBucket struct {
	subject subject
	rate    int
	period  time.Duration
	burst   int
}

// defaultLimits apply at defaultSettings (decision 0004: limits).
var defaultLimits = map[limit]tokenBucket{
	callsOfAddress:  {perAddress, 100, time.Second, 400},
	forgedOfAddress: {perAddress, 30, time.Minute, 30},
	callsOfPlayer:   {perPlayer, 10, time.Second, 40},
	writesOfPlayer:  {perPlayer, 5, time.Second, 20},
	rowsOfPlayer:    {perPlayer, 6_000, 24 * time.Hour, 600},
	checksOfPlayer:  {perPlayer, 6, time.Minute, 6},
	spinsOfPlayer:   {perPlayer, 1, time.Second, 2}, // two may arrive closer than they were sent
	seedsOfPlayer:   {perPlayer, 20, time.Hour, 20},
	noncesOfPlayer:  {perPlayer, 20, time.Hour, 20},
	walletLookups:   {perPlayer, 12, time.Minute, 12},
	cardsOfPlayer:   {perPlayer, 20, time.Hour, 5},

	historiesOfPlayer: {perPlayer, 60, time.Minute, 40},
}

var defaultSettings = map[subject]int{perAddress: 100, perPlayer: 10}

// Limits are the settings: requests a second. All limits per address (or per player) scale with theirs; 0 switches them off.
type Limits struct {
	Address int
	Player  int
	Redis   *redis.Client // shared by all processes; nil with one process
}

// limiter is a rate limiter.
type limiter struct {
	now     func() time.Time
	buckets map[limit]*buckets
	shared  *sharedBuckets // nil without Redis
}

func newLimiter(settings Limits, now func() time.Time, log *slog.Logger) *limiter {
	l := &limiter{now: now, buckets: map[limit]*buckets{}}
	asked := map[subject]int{perAddress: settings.Address, perPlayer: settings.Player}
	for name, b := range defaultLimits {
		if setting := asked[b.subject]; setting > 0 {
			l.buckets[name] = newBuckets(b.scaled(setting, defaultSettings[b.subject]))
		}
	}
	if settings.Redis != nil {
		l.shared = newSharedBuckets(settings.Redis, log)
	}
	return l
}

// scaled returns the interval of regaining one call, and the burst, at a setting.
func (b tokenBucket) scaled(setting, standard int) (interval time.Duration, burst int) {
	scale := float64(setting) / float64(standard)
	interval = time.Duration(float64(b.period) / (float64(b.rate) * scale))
	return max(interval, 1), max(int(float64(b.burst)*scale), 1)
}

// take counts a call; beyond the limit it refuses with rate_limited. It may call Redis, so never within a transaction.
func (l *limiter) take(ctx context.Context, of limit, who string) error {
	if db.InTransaction(ctx) {
		return fmt.Errorf("limit %s is taken within a transaction", of)
	}
	b := l.buckets[of]
	if b == nil {
		return nil
	}
	wait, counted := time.Duration(0), false
	if l.shared != nil {
		wait, counted = l.shared.take(ctx, b, string(of)+":"+who)
	}
	if !counted {
		wait = b.take(who, l.now())
	}
	if wait > 0 {
		return &game.Refusal{Code: rateLimited, RetryAfter: wait}
	}
	return nil
}

// limitAddress limits the calls of an address. Pages and health checks are cheap and not counted; nor is the ad network, which reports
// on all players from few addresses.
func (g *gateway) limitAddress(c *gin.Context) {
	if !isCall(c.Request.URL.Path) || (c.Request.URL.Path == adCallbackPath && g.options.Ads.isNetwork(c.Query("key"))) {
		return
	}
	if err := g.limits.take(c.Request.Context(), callsOfAddress, g.addresses.network(c.Request)); err != nil {
		g.fail(c, err)
	}
}

// limitPlayer limits the calls of a player, existing or not. Launch data within the limit are cached as verified.
func (g *gateway) limitPlayer(c *gin.Context) {
	launch, signed := launchOf(c)
	if !signed {
		return
	}
	caller := strconv.FormatInt(launch.user.TelegramID, 10)
	err := g.limits.take(c.Request.Context(), callsOfPlayer, caller)
	if err == nil && !isSafe(c.Request) {
		if err = g.limits.take(c.Request.Context(), writesOfPlayer, caller); err == nil {
			err = g.limits.take(c.Request.Context(), rowsOfPlayer, caller)
		}
	}
	if err != nil {
		g.fail(c, err)
		return
	}
	g.launches.add(launch)
}

// writeLimits are additional limits of operations.
var writeLimits = map[string]limit{"SetClientSeed": seedsOfPlayer, "CreateProofPayload": noncesOfPlayer, "SendCard": cardsOfPlayer}

// limitWrites applies writeLimits before once begins a transaction. A repeated request is not counted.
func (g *gateway) limitWrites(next StrictHandlerFunc, operation string) StrictHandlerFunc {
	of, limited := writeLimits[operation]
	if !limited {
		return next
	}
	return g.unlessAnswered(next, func(c *gin.Context, _ any) error {
		return g.limits.take(c.Request.Context(), of, who(player(c)))
	})
}

// who returns a player's key in limits.
func who(p models.Player) string { return strconv.FormatInt(p.TelegramID, 10) }
