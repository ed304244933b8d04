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

// live answers as long as the process runs.
func live(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"status": "live"}) }

// health caches whether requests can be served. However many ask, the database is asked once a second, by one of them.
type health struct {
	store *store.Store
	now   func() time.Time
	log   *slog.Logger
	sells bool

	mu    sync.Mutex
	asked time.Time
	err   error
	chain gin.H // how far the treasury's history is known; nil where nothing is sold
}

// readyFor is how long an answer is cached, and readyTimeout how long the database may take for it.
const (
	readyFor     = time.Second
	readyTimeout = 3 * time.Second
)

// isReady asks the database whether requests can be served (see db.DB.Ready) and how far the chain is known; the latter
// does not affect readiness.
func (h *health) isReady(ctx context.Context) (chain gin.H, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.asked.IsZero() || h.now().Sub(h.asked).Abs() >= readyFor {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout) // others wait for it too
		defer cancel()
		h.err = h.store.DB.Ready(ctx)
		h.chain = h.chainKnown(ctx)
		h.asked = h.now()
	}
	return h.chain, h.err
}

// chainKnown returns the lag of the treasury's history, null while it is unknown.
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

// ready answers 200 when requests can be served, else 503 with the reason.
func (h *health) ready(c *gin.Context) {
	chain, err := h.isReady(c.Request.Context())
	if err != nil {
		reason := "the database does not answer"
		var behind db.BehindError
		var skewed db.SkewedError
		switch {
		case errors.As(err, &behind):
			reason = behind.Error()
		case errors.As(err, &skewed):
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
