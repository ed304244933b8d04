package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"mcbk/models/db"
	"mcbk/models/store"
)

// live responds while the process runs.
func live(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"status": "live"}) }

// health caches readiness: the database is checked once a second, however many requests come.
type health struct {
	store *store.Store
	now   func() time.Time
	log   *slog.Logger
	sells bool

	mu    sync.Mutex
	asked time.Time
	err   error
	chain gin.H // the treasury's known history; nil without sales
}

// readyFor is the cache's lifetime, readyTimeout the database's time limit.
const (
	readyFor     = time.Second
	readyTimeout = 3 * time.Second
)

// isReady checks readiness (see db.DB.Ready) and loads the lag of the chain, which does not affect readiness.
func (h *health) isReady(ctx context.Context) (chain gin.H, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.asked.IsZero() || h.now().Sub(h.asked).Abs() >= readyFor {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout) // shared with concurrent requests
		defer cancel()
		h.err = h.store.DB.Ready(ctx)
		h.chain = h.chainKnown(ctx)
		h.asked = h.now()
	}
	return h.chain, h.err
}

// chainKnown returns the lag of the treasury's history; null if unknown.
func (h *health) chainKnown(ctx context.Context) gin.H {
	if !h.sells {
		return nil
	}
	lag, known, err := h.store.Treasury.ChainLag(ctx, h.now())
	if err != nil || !known {
		return gin.H{"lag_seconds": nil}
	}
	return gin.H{"lag_seconds": int64(lag / time.Second)}
}

// ready responds 200 when ready, else 503 with the reason.
func (h *health) ready(c *gin.Context) {
	chain, err := h.isReady(c.Request.Context())
	if err != nil {
		reason := "the database does not answer"
		if behind, ok := errors.AsType[db.BehindError](err); ok {
			reason = behind.Error()
		} else if skewed, ok := errors.AsType[db.SkewedError](err); ok {
			reason = skewed.Error()
		}
		h.log.WarnContext(c.Request.Context(), "not ready", "error", err)
		c.JSON(http.StatusServiceUnavailable, gin.H{"status": "not ready", "reason": reason})
		return
	}
	answer := gin.H{"status": "ready"}
	if chain != nil {
		answer["chain"] = chain
	}
	c.JSON(http.StatusOK, answer)
}
