package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"

	"mcbk/game"
	"mcbk/models/db"
)

// validate reads the body within its limit and validates the request against the contract.
func (g *gateway) validate(c *gin.Context) {
	route := routeOf(c)
	operation := route.Operation
	body, err := readBody(c, maxBodyOf(operation.OperationID))
	if operation.RequestBody == nil {
		if err == nil && c.Request.Method != http.MethodGet {
			err = checkEmptyBody(c, body)
		}
		body = nil
	}
	c.Request.Body = io.NopCloser(bytes.NewReader(body))
	if err == nil {
		if batch, plain := parsePlainBatch(c.Request, operation.OperationID, body); plain {
			c.Set(batchKey, batch)
		} else {
			err = g.contract.validateSchema(c, route, body)
		}
	}
	if err != nil {
		g.fail(c, err)
		return
	}
	c.Set(bodyKey, body)
}

// bodyLimits are the operations with a larger body than maxBody: a wallet's proof carries its contract.
var bodyLimits = map[string]int64{"setWallet": 64 << 10}

func maxBodyOf(operation string) int64 {
	if most, long := bodyLimits[operation]; long {
		return most
	}
	return maxBody
}

// checkEmptyBody refuses a body where the contract has none, except an empty object.
func checkEmptyBody(c *gin.Context, body []byte) error {
	if body = bytes.TrimSpace(body); len(body) == 0 {
		return nil
	}
	if err := checkContentType(c, body); err != nil {
		return err
	}
	if fields := map[string]any{}; json.Unmarshal(body, &fields) != nil || fields == nil || len(fields) > 0 {
		return invalid("body", "must be empty")
	}
	return nil
}

// readBody reads at most that many bytes. It refuses with body_too_large and validation_failed; after a timeout the request may be
// retried.
func readBody(c *gin.Context, most int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, most))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
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

// checkContentType refuses a body that is not declared as JSON with unsupported_media_type. On the tap syncs a beacon's text/plain
// counts as JSON. An empty body needs no declaration.
func checkContentType(c *gin.Context, body []byte) error {
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

// checkJSON refuses anything but one JSON value, and deep nesting.
func checkJSON(body []byte) error {
	if !json.Valid(body) {
		return invalid("body", "is not JSON")
	}
	if depth(body) > maxDepth {
		return invalid("body", "is nested too deep")
	}
	return nil
}

// depth returns the nesting depth of valid JSON.
func depth(body []byte) (deepest int) {
	open, inText := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case inText && c == '\\':
			i++ // an escaped character
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
