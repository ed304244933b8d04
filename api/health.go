package api

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"mcbk/models/db"
)

// live answers as long as the process runs.
func (s *Server) live(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"status": "live"}) }

// readiness caches whether requests can be served. However many ask, the database is asked once a second, by one of them.
type readiness struct {
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
func (s *Server) isReady(ctx context.Context) (chain gin.H, err error) {
	s.readiness.mu.Lock()
	defer s.readiness.mu.Unlock()
	if s.readiness.asked.IsZero() || s.now().Sub(s.readiness.asked).Abs() >= readyFor {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout) // others wait for it too
		defer cancel()
		s.readiness.err = s.store.DB.Ready(ctx)
		s.readiness.chain = s.chainKnown(ctx)
		s.readiness.asked = s.now()
	}
	return s.readiness.chain, s.readiness.err
}

// chainKnown returns the lag of the treasury's history, null while it is unknown.
func (s *Server) chainKnown(ctx context.Context) gin.H {
	if !s.sells() {
		return nil
	}
	lag, known, err := s.store.Treasury.ChainLag(ctx, s.now())
	if err != nil || !known {
		return gin.H{"lag_seconds": nil}
	}
	return gin.H{"lag_seconds": int64(lag / time.Second)}
}

// ready answers 200 when requests can be served, else 503 with the reason.
func (s *Server) ready(c *gin.Context) {
	chain, err := s.isReady(c.Request.Context())
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
		s.log.WarnContext(c.Request.Context(), "not ready", "error", err)
		c.JSON(http.StatusServiceUnavailable, gin.H{"status": "not ready", "reason": reason})
		return
	}
	answer := gin.H{"status": "ready"}
	if chain != nil {
		answer["chain"] = chain
	}
	c.JSON(http.StatusOK, answer)
}
