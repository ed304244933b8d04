package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"mcbk/game"
	"mcbk/models"
)

const requestIDHeader = "X-Request-Id"

type playerKey struct{}

// Keys of what middleware leaves in Gin's context for later steps.
const (
	launchKey = "launch"
	bodyKey   = "body"
	idKey     = "request"
)

// identify gives the request an id, and logs how it ended. Queries are never logged: one of
// them may carry launch data.
func (s *Server) identify(c *gin.Context) {
	id := uuid.NewString()
	c.Set(idKey, id)
	c.Header(requestIDHeader, id)
	c.Next()
	s.log.DebugContext(c.Request.Context(), "request", "request", id, "method", c.Request.Method,
		"path", c.Request.URL.Path, "status", c.Writer.Status(), "player", playerID(c))
}

func requestID(c *gin.Context) string { return c.GetString(idKey) }

func playerID(c *gin.Context) models.PlayerID { return player(c.Request.Context()).ID }

// recovered turns a panic into an internal error.
func (s *Server) recovered(c *gin.Context) {
	defer func() {
		if p := recover(); p != nil {
			s.fail(c, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	c.Next()
}

// bounded sheds what is too much and ends what takes too long.
func (s *Server) bounded(c *gin.Context) {
	select {
	case s.inFlight <- struct{}{}:
		defer func() { <-s.inFlight }()
	default:
		s.fail(c, &game.Refusal{Code: overloaded, RetryAfter: time.Second})
		return
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), handlerTimeout)
	defer cancel()
	c.Request = c.Request.WithContext(ctx)
	c.Next()
}

// signedIn checks the launch data of every call that is not public.
func (s *Server) signedIn(c *gin.Context) {
	route := s.contract.route(c)
	if route == nil {
		s.fail(c, game.Refuse(notFound))
		return
	}
	c.Header("Cache-Control", "no-store")
	if public(route) {
		return
	}
	launch, err := s.checkInitData(rawInitData(c), s.now())
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Set(launchKey, launch)
}

// rawInitData finds launch data in a header, or for the two tap syncs in the address, since a
// page-exit beacon can set no header.
func rawInitData(c *gin.Context) string {
	if raw, ok := strings.CutPrefix(c.GetHeader("Authorization"), "tma "); ok {
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

// built refuses calls that are not built yet.
func (s *Server) built(c *gin.Context) {
	if notYet[s.contract.route(c).Operation.OperationID] {
		s.fail(c, game.Refuse(notImplemented))
	}
}

// validated reads the body within limits and holds the request to the contract.
func (s *Server) validated(c *gin.Context) {
	route := s.contract.route(c)
	body, err := readBody(c, route.Operation.RequestBody != nil)
	if err == nil {
		err = s.contract.check(c, route, body)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Set(bodyKey, body)
}

// readBody reads at most 16 KiB of JSON of at most eight levels. A beacon's text/plain counts
// as JSON on the tap syncs. It refuses with body_too_large, unsupported_media_type and
// validation_failed.
func readBody(c *gin.Context, wanted bool) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBody))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, game.Refuse(bodyTooLarge)
	}
	if err != nil {
		return nil, invalid("body", "cannot be read")
	}
	if !wanted {
		return nil, nil
	}
	if c.GetHeader("Content-Encoding") != "" {
		return nil, game.Refuse(unsupportedMediaType)
	}
	kind, _, err := mime.ParseMediaType(c.ContentType())
	if err == nil && kind == "text/plain" && isTapSync(c) {
		kind = gin.MIMEJSON
		c.Request.Header.Set("Content-Type", kind)
	}
	if len(body) > 0 && kind != gin.MIMEJSON {
		return nil, game.Refuse(unsupportedMediaType)
	}
	if len(body) == 0 {
		c.Request.Header.Set("Content-Type", gin.MIMEJSON)
	}
	return body, checkJSON(body)
}

// checkJSON refuses what is not one JSON value, or is nested too deep.
func checkJSON(body []byte) error {
	if !json.Valid(body) {
		return invalid("body", "is not JSON")
	}
	decoder, depth := json.NewDecoder(bytes.NewReader(body)), 0
	for token, err := decoder.Token(); err == nil; token, err = decoder.Token() {
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxDepth {
			return invalid("body", "is nested too deep")
		}
	}
	return nil
}

// strangers are the operations that need no player: getMe makes one, and the web app asks for
// the season at the same moment.
var strangers = map[string]bool{"getMe": true, "getSettings": true}

// known loads the player who asks; a person who never opened the game is not found.
func (s *Server) known(c *gin.Context) {
	launch, signed := c.Value(launchKey).(launchData)
	if !signed || strangers[s.contract.route(c).Operation.OperationID] {
		return
	}
	p, err := s.store.PlayerByTelegramID(c.Request.Context(), launch.arrival.TelegramID)
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), playerKey{}, p))
}

// steady gives the handler a copy of Gin's context. Gin uses the original again for the next
// request, while a database driver may still look at the one it was called with.
func steady(next StrictHandlerFunc, _ string) StrictHandlerFunc {
	return func(c *gin.Context, request any) (any, error) { return next(c.Copy(), request) }
}
