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
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/routers"
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/taps"
)

const requestIDHeader = "X-Request-Id"

type playerKey struct{}

// Keys of what middleware leaves in Gin's context for later steps.
const (
	launchKey = "launch"
	bodyKey   = "body"
	batchKey  = "batch" // a models.Batch, only of a plain batch
	idKey     = "request"
)

// identify gives the request an id, and logs how it ended: the route's pattern, never the raw path or query, which may carry a
// secret.
func (s *Server) identify(c *gin.Context) {
	id := uuid.NewString()
	c.Set(idKey, id)
	c.Header(requestIDHeader, id)
	c.Next()
	s.log.DebugContext(c.Request.Context(), "request", "request", id, "method", c.Request.Method,
		"route", s.routeName(c), "status", c.Writer.Status(), "player", playerID(c))
}

func requestID(c *gin.Context) string { return c.GetString(idKey) }

func playerID(c *gin.Context) models.PlayerID { return player(c.Request.Context()).ID }

// recovered turns a panic into an internal error. An answer that has begun is cut off: completed, it would look like a good one.
func (s *Server) recovered(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		if c.Writer.Written() {
			s.logFailure(c, err)
			panic(http.ErrAbortHandler)
		}
		s.fail(c, err)
	}()
	c.Next()
}

// bounded sets a timeout on the request.
func bounded(c *gin.Context) {
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
	now := s.now()
	launch, err := s.checkInitData(rawInitData(c), s.store.Settings.RuntimeSettings(c.Request.Context(), now).LaunchAge, now)
	if err != nil {
		s.fail(c, s.countForged(c, err))
		return
	}
	c.Set(launchKey, launch)
}

// countForged counts forged launch data per address, and refuses more of them beyond the limit. Honest calls from there go on:
// thousands may share an address.
func (s *Server) countForged(c *gin.Context, err error) error {
	if no := asRefusal(err); no.Code != initDataInvalid {
		return err
	}
	if tooMany := s.limits.take(c.Request.Context(), forgedOfAddress, s.network(c)); tooMany != nil {
		return tooMany
	}
	return err
}

// rawInitData finds launch data in a header, or in the query for the two tap syncs: a client's page-exit beacon can set no header.
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

// maintenanceWait is after how long a client that was turned away may ask again.
const maintenanceWait = 15 * time.Second

// open turns players away while an admin has closed the game. Public calls go on.
func (s *Server) open(c *gin.Context) {
	_, signed := c.Value(launchKey).(launchData)
	if signed && s.store.Settings.InMaintenance(c.Request.Context(), s.now()) {
		s.fail(c, &game.Refusal{Code: maintenance, RetryAfter: maintenanceWait})
	}
}

// validated reads the body within limits and validates the request against the contract.
func (s *Server) validated(c *gin.Context) {
	route := s.contract.route(c)
	operation := route.Operation
	body, err := readBody(c, mostOf(operation.OperationID))
	if operation.RequestBody == nil {
		if err == nil && c.Request.Method != http.MethodGet {
			err = checkNothing(c, body)
		}
		body = nil
	}
	c.Request.Body = readCloser{bytes.NewReader(body)}
	if err == nil {
		if batch, plain := readPlainBatch(c.Request, operation.OperationID, body); plain {
			c.Set(batchKey, batch)
		} else {
			err = s.validateSchema(c, route, body)
		}
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Set(bodyKey, body)
}

// longBodies are the operations whose body may be longer than maxBody: a wallet's proof carries its
// contract.
var longBodies = map[string]int64{"setWallet": 64 << 10}

func mostOf(operation string) int64 {
	if most, long := longBodies[operation]; long {
		return most
	}
	return maxBody
}

// validateSchema refuses a call that does not match the contract.
func (s *Server) validateSchema(c *gin.Context, route *routers.Route, body []byte) error {
	if route.Operation.RequestBody != nil {
		if err := checkKind(c, body); err != nil {
			return err
		}
		if err := checkJSON(body); err != nil {
			return err
		}
	}
	return s.contract.check(c, route, body)
}

// checkNothing refuses a body where the contract has none, except an object without fields.
func checkNothing(c *gin.Context, body []byte) error {
	if body = bytes.TrimSpace(body); len(body) == 0 {
		return nil
	}
	if err := checkKind(c, body); err != nil {
		return err
	}
	if fields := map[string]any{}; json.Unmarshal(body, &fields) != nil || fields == nil || len(fields) > 0 {
		return invalid("body", "must be empty")
	}
	return nil
}

// readBody reads at most that many bytes. It refuses with body_too_large and validation_failed; a body that did not arrive in
// time may be sent again.
func readBody(c *gin.Context, most int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, most))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, game.Refuse(bodyTooLarge)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, db.ErrUnavailable
	}
	if err != nil {
		return nil, invalid("body", "cannot be read")
	}
	return body, nil
}

// checkKind refuses with unsupported_media_type a body that is not declared as JSON. A beacon's text/plain counts as JSON on the
// tap syncs. An empty body needs no declaration.
func checkKind(c *gin.Context, body []byte) error {
	if c.GetHeader("Content-Encoding") != "" {
		return game.Refuse(unsupportedMediaType)
	}
	kind, _, err := mime.ParseMediaType(c.ContentType())
	if err == nil && kind == "text/plain" && isTapSync(c) {
		kind = gin.MIMEJSON
		c.Request.Header.Set("Content-Type", kind)
	}
	if len(body) > 0 && kind != gin.MIMEJSON {
		return game.Refuse(unsupportedMediaType)
	}
	if len(body) == 0 {
		c.Request.Header.Set("Content-Type", gin.MIMEJSON)
	}
	return nil
}

// checkJSON refuses what is not one JSON value, or is nested too deep.
func checkJSON(body []byte) error {
	if !json.Valid(body) {
		return invalid("body", "is not JSON")
	}
	if depth(body) > maxDepth {
		return invalid("body", "is nested too deep")
	}
	return nil
}

// depth returns how deep objects and arrays are nested in valid JSON.
func depth(body []byte) (deepest int) {
	open, inText := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case inText && c == '\\':
			i++ // what follows belongs to the text
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			open++
			deepest = max(deepest, open)
		case c == '}' || c == ']':
			open--
		}
	}
	return deepest
}

// limitedInFlight turns calls away while too many are being served. It comes after the body was read, so that a slow sender holds no
// slot, and health checks and pages never wait.
func (s *Server) limitedInFlight(c *gin.Context) {
	select {
	case s.inFlight <- struct{}{}:
		defer func() { <-s.inFlight }()
		c.Next()
	default:
		s.fail(c, &game.Refusal{Code: overloaded, RetryAfter: time.Second})
	}
}

// known loads the player who calls; a person who never opened the game is not found, and a banned player is refused with
// user_blocked. getMe creates players and does its own lookup; at the same moment the web app asks for the season.
func (s *Server) known(c *gin.Context) {
	launch, signed := c.Value(launchKey).(launchData)
	operation := s.contract.route(c).Operation.OperationID
	if !signed || operation == "getMe" || s.findsPlayer(c) {
		return
	}
	p, err := s.store.Players.PlayerByTelegramID(c.Request.Context(), launch.user.TelegramID)
	if errors.Is(err, db.ErrNotFound) && operation == "getSettings" {
		return
	}
	if err == nil {
		err = p.CanPlay()
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), playerKey{}, p))
}

// findsPlayer reports whether the call finds the player itself, in the row that it locks, and keeps its own key: a spin, and a
// batch of taps whose Idempotency-Key, if any, is its id. With another key the answer is kept under that (see once).
func (s *Server) findsPlayer(c *gin.Context) bool {
	if _, plain := c.Value(batchKey).(taps.Batch); plain {
		return true
	}
	switch s.contract.route(c).Operation.OperationID {
	case "spin":
		return true
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
	body, _ := c.Value(bodyKey).([]byte)
	return json.Unmarshal(body, &batch) == nil && batch.ID == key
}

// contextCopied gives the handler a copy of Gin's context. Gin reuses the original for the next request, while a database driver may
// still read the one it was called with.
func contextCopied(next StrictHandlerFunc, _ string) StrictHandlerFunc {
	return func(c *gin.Context, request any) (any, error) { return next(c.Copy(), request) }
}
