package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"

	"github.com/gin-gonic/gin"
)

// origin returns the caller's address as a keyed hash that only this bot can compare: players are asked for no address, and none
// is stored.
func (s *Server) origin(ctx context.Context) string {
	c, ok := ctx.(*gin.Context)
	if !ok {
		return ""
	}
	address := network(c)
	if address == "" {
		return ""
	}
	sum := hmac.New(sha256.New, []byte(s.options.BotToken))
	sum.Write([]byte("origin " + address))
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// network returns the key under which an address is counted: a home with IPv6 has a whole /64 to choose from.
func network(c *gin.Context) string {
	address, err := netip.ParseAddr(c.ClientIP())
	if err != nil {
		return ""
	}
	if address = address.Unmap(); address.Is4() {
		return address.String()
	}
	home, err := address.Prefix(64)
	if err != nil {
		return ""
	}
	return home.Addr().String()
}
