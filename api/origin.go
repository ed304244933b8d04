package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

// origin returns the caller's address as a keyed hash that only this bot can compare; no address is stored.
func (s *Server) origin(ctx context.Context) string {
	c, ok := ctx.(*gin.Context)
	if !ok {
		return ""
	}
	address := s.addresses.network(c.Request)
	if address == "" {
		return ""
	}
	sum := hmac.New(sha256.New, []byte(s.options.BotToken))
	sum.Write([]byte("origin " + address))
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// addresses finds the client's address behind trusted proxies.
type addresses struct {
	proxies []netip.Prefix // trusted, with their X-Forwarded-For
	log     *slog.Logger
	warn    sync.Once
}

// network returns the key of an address in limits: for IPv6 its /64, which belongs to one home.
func (a *addresses) network(r *http.Request) string {
	address, err := a.client(r)
	if err != nil {
		return ""
	}
	if address.Is4() {
		return address.String()
	}
	home, err := address.Prefix(64)
	if err != nil {
		return ""
	}
	return home.Addr().String()
}

// client returns the peer or, if that is a trusted proxy, the nearest untrusted address in X-Forwarded-For. A malformed entry is logged
// once and replaced by its proxy's address.
func (a *addresses) client(r *http.Request) (netip.Addr, error) {
	peer, err := parseAddress(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, err
	}
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, entry := range slices.Backward(forwarded) {
		if entry = strings.TrimSpace(entry); entry == "" || !a.trusts(peer) {
			continue
		}
		next, err := parseAddress(entry)
		if err != nil {
			a.warn.Do(func() {
				a.log.WarnContext(r.Context(), "malformed X-Forwarded-For of a trusted proxy, its own address counts", "proxy", peer, "bytes", len(entry))
			})
			return peer, nil
		}
		peer = next
	}
	return peer, nil
}

// parseAddress parses an address in proxies' formats: with or without a port, IPv6 with or without brackets, quotes or zone.
func parseAddress(text string) (netip.Addr, error) {
	text = strings.Trim(text, `"`)
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(text)
		address = withPort.Addr()
	}
	return address.Unmap().WithZone(""), err
}

func (a *addresses) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(a.proxies, func(p netip.Prefix) bool { return p.Contains(address) })
}
