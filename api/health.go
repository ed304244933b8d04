package api

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// live answers while the process does.
func (s *Server) live(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"status": "live"}) }

// ready answers 200 when requests can be served, else 503 with the reason.
func (s *Server) ready(c *gin.Context) {
	if err := s.store.Ready(c.Request.Context()); err != nil {
		c.JSON(http.StatusServiceUnavailable, gin.H{"status": "not ready", "reason": err.Error()})
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
