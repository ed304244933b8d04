package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"mcbk/game"
	"mcbk/models/db"
	"mcbk/models/taps"
)

const requestIDHeader = "X-Request-Id"

// requestID assigns an ID and logs the outcome with the route's pattern: the raw path or query may contain a secret.
func (g *gateway) requestID(c *gin.Context) {
	id := uuid.NewString()
	c.Set(requestIDKey, id)
	c.Header(requestIDHeader, id)
	c.Next()
	g.log.DebugContext(c.Request.Context(), "request", "request", id, "method", c.Request.Method,
		"route", g.routeName(c), "status", c.Writer.Status(), "player", player(c).ID)
}

// recoverPanic turns a panic into an internal error. A response that has begun is aborted: completed, it would look valid.
func (g *gateway) recoverPanic(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		if c.Writer.Written() {
			g.logFailure(c, err)
			panic(http.ErrAbortHandler)
		}
		g.fail(c, err)
	}()
	c.Next()
}

// timeout limits the time of a request.
func timeout(c *gin.Context) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), handlerTimeout)
	defer cancel()
	c.Request = c.Request.WithContext(ctx)
	c.Next()
}

// authenticate verifies the launch data of every non-public call.
func (g *gateway) authenticate(c *gin.Context) {
	route := g.contract.route(c)
	if route == nil {
		g.fail(c, game.Refuse(notFound))
		return
	}
	c.Set(routeKey, route)
	c.Header("Cache-Control", "no-store")
	if public(route) {
		return
	}
	now := g.now()
	launch, err := g.launches.verify(rawInitData(c), g.store.Settings.RuntimeSettings(c.Request.Context(), now).LaunchAge, now)
	if err != nil {
		g.fail(c, g.countForged(c, err))
		return
	}
	c.Set(launchKey, launch)
}

// countForged counts forged launch data per address, and refuses more of them beyond the limit. Valid calls of the address, which
// thousands may share, go on.
func (g *gateway) countForged(c *gin.Context, err error) error {
	if no := asRefusal(err); no.Code != initDataInvalid {
		return err
	}
	if tooMany := g.limits.take(c.Request.Context(), forgedOfAddress, g.addresses.network(c.Request)); tooMany != nil {
		return tooMany
	}
	return err
}

// rawInitData finds launch data in a header, or in the query of the two tap syncs: a page-exit beacon can set no header.
func rawInitData(c *gin.Context) string {
	if scheme, raw, ok := strings.Cut(c.GetHeader("Authorization"), " "); ok && strings.EqualFold(scheme, "tma") {
		return raw
	}
	if raw := c.GetHeader("X-Telegram-Init-Data"); raw != "" {
		return raw
	}
	if isTapSync(c) {
		return c.Query("init_data")
	}
	return ""
}

func isTapSync(c *gin.Context) bool {
	path := c.FullPath()
	return path == basePath+"/tap/perform-batch-tap" || path == basePath+"/mines/mine"
}

// maintenanceWait is the Retry-After of maintenance.
const maintenanceWait = 15 * time.Second

// maintenance refuses players while the game is closed. Public calls go on.
func (g *gateway) maintenance(c *gin.Context) {
	if _, signed := launchOf(c); signed && g.store.Settings.InMaintenance(c.Request.Context(), g.now()) {
		g.fail(c, &game.Refusal{Code: maintenance, RetryAfter: maintenanceWait})
	}
}

// limitInFlight refuses calls beyond the limit. It follows the reading of the body, so that a slow sender holds no slot; health checks
// and pages never wait.
func (g *gateway) limitInFlight(c *gin.Context) {
	select {
	case g.inFlight <- struct{}{}:
		defer func() { <-g.inFlight }()
		c.Next()
	default:
		g.fail(c, &game.Refusal{Code: overloaded, RetryAfter: time.Second})
	}
}

// loadPlayer loads the calling player; an unknown one is refused as not found, a banned one with user_blocked. getMe creates players
// itself, and the app calls getSettings at the same time, so that one accepts unknown players.
func (g *gateway) loadPlayer(c *gin.Context) {
	launch, signed := launchOf(c)
	operation := routeOf(c).Operation.OperationID
	if !signed || operation == "getMe" || storesItsKey(c) {
		return
	}
	p, err := g.store.Players.PlayerByTelegramID(c.Request.Context(), launch.user.TelegramID)
	if errors.Is(err, db.ErrNotFound) && operation == "getSettings" {
		return
	}
	if err == nil {
		err = p.CanPlay()
	}
	if err != nil {
		g.fail(c, err)
		return
	}
	c.Set(playerKey, p)
}

// storesItsKey reports whether the call is a command, which locks its player's row and stores its own key; or a batch of taps, whose
// Idempotency-Key, if any, is its ID. A different key is stored by once.
func storesItsKey(c *gin.Context) bool {
	if _, plain := c.Value(batchKey).(taps.Batch); plain {
		return true
	}
	body, _ := c.Value(bodyKey).([]byte)
	switch routeOf(c).Operation.OperationID {
	case "spin", "checkIn", "claimTask", "claimPrediction", "claimSpinReward", "claimCircleAds":
		return true
	case "claimChestReward":
		return !watchesAd(body)
	case "performBatchTap", "mine":
	default:
		return false
	}
	key := c.GetHeader("Idempotency-Key")
	if key == "" {
		return true
	}
	var batch struct {
		ID string `json:"batch_id"`
	}
	return json.Unmarshal(body, &batch) == nil && batch.ID == key
}

// copyContext gives the handler a copy of Gin's context. Gin reuses the original, while a database driver may still read it.
func copyContext(next StrictHandlerFunc, _ string) StrictHandlerFunc {
	return func(c *gin.Context, request any) (any, error) { return next(c.Copy(), request) }
}
