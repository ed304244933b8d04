package api

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"mcbk/models"
)

// live answers while the process does.
func (s *Server) live(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"status": "live"}) }

// ready answers 200 when requests can be served, else 503 with the reason.
func (s *Server) ready(c *gin.Context) {
	if err := s.store.Ready(c.Request.Context()); err != nil {
		reason := "the database does not answer"
		if behind := new(models.BehindError); errors.As(err, behind) {
			reason = behind.Error()
		}
		s.log.WarnContext(c.Request.Context(), "not ready", "error", err)
		c.JSON(http.StatusServiceUnavailable, gin.H{"status": "not ready", "reason": reason})
		return
	}
	c.JSON(http.StatusOK, gin.H{"status": "ready"})
}

// tonConnectManifest tells wallets which app asks; they fetch it from their own origins.
func (s *Server) tonConnectManifest(c *gin.Context) {
	c.Header("Access-Control-Allow-Origin", "*")
	c.JSON(http.StatusOK, gin.H{
		"url":              s.options.WebAppURL,
		"name":             s.options.Config.Product,
		"iconUrl":          s.options.WebAppURL + "/icon-180.png",
		"privacyPolicyUrl": s.options.WebAppURL + "/privacy",
	})
}
