package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/gin-gonic/gin"

	"mcbk/models"
	"mcbk/models/commit"
)

// once executes a write with an Idempotency-Key once: handler and key share a transaction, and a repeated request gets the stored
// response. Calls that store their own key are exempt.
func (g *gateway) once(next StrictHandlerFunc, operation string) StrictHandlerFunc {
	return func(c *gin.Context, request any) (any, error) {
		if c.Request.Method == http.MethodGet || c.GetHeader("Idempotency-Key") == "" {
			return next(c, request)
		}
		if storesItsKey(c) {
			response, err := next(c, request)
			if before, ok := errors.AsType[*commit.AnsweredError](err); ok {
				c.Data(before.Status, gin.MIMEJSON, before.Body)
				return nil, nil
			}
			return response, err
		}
		outer := c.Request
		defer func() { c.Request = outer }() // its transaction is over
		key := requestOf(c, player(c).ID, operation)
		answer, err := g.store.Commit.Once(c.Request.Context(), key, g.now(), func(ctx context.Context) (commit.Answer, error) {
			c.Request = c.Request.WithContext(ctx)
			response, err := next(c, request)
			if err != nil {
				return commit.Answer{}, err
			}
			return renderAnswer(response)
		})
		if err != nil {
			return nil, err
		}
		c.Data(answer.Status, gin.MIMEJSON, answer.Body)
		return nil, nil
	}
}

// requestOf returns the identity of a request; its key may be empty.
func requestOf(c *gin.Context, player models.PlayerID, operation string) commit.Request {
	by := callerOf(c, operation)
	return commit.Request{Player: player, Key: by.Key, Operation: operation, BodyHash: by.BodyHash}
}

// callerOf returns who sends a command, and the identity of the request.
func callerOf(ctx context.Context, operation string) commit.Caller {
	c, _ := ctx.Value(gin.ContextKey).(*gin.Context)
	launch, _ := launchOf(ctx)
	body, _ := c.Value(bodyKey).([]byte)
	hash := sha256.Sum256(append([]byte(c.Request.URL.Path+"\n"), body...))
	return commit.Caller{TelegramID: launch.user.TelegramID, Key: c.GetHeader("Idempotency-Key"), Operation: operation, BodyHash: hash[:]}
}

// isAnswered reports whether a request has a stored response, so that Telegram or the chain need not be called.
func (g *gateway) isAnswered(c *gin.Context) (bool, error) {
	key := c.GetHeader("Idempotency-Key")
	if key == "" {
		return false, nil
	}
	return g.store.Commit.Answered(c.Request.Context(), player(c).ID, key)
}

// unlessAnswered runs first before a call, outside of its transaction, unless the request has a stored response.
func (g *gateway) unlessAnswered(next StrictHandlerFunc, first func(c *gin.Context, request any) error) StrictHandlerFunc {
	return func(c *gin.Context, request any) (any, error) {
		known, err := g.isAnswered(c)
		if err == nil && !known {
			err = first(c, request)
		}
		if err != nil {
			return nil, err
		}
		return next(c, request)
	}
}

// renderAnswer returns what a generated response would write. Each has one method, named after its operation, that writes it.
func renderAnswer(response any) (commit.Answer, error) {
	value := reflect.ValueOf(response)
	for i := range value.NumMethod() {
		if name := value.Type().Method(i).Name; !strings.HasPrefix(name, "Visit") || !strings.HasSuffix(name, "Response") {
			continue
		}
		visit, ok := value.Method(i).Interface().(func(http.ResponseWriter) error)
		if !ok {
			continue
		}
		page := &page{header: http.Header{}, status: http.StatusOK}
		err := visit(page)
		return commit.Answer{Status: page.status, Body: page.body.Bytes()}, err
	}
	return commit.Answer{}, fmt.Errorf("%T is no response", response)
}

// page is a response in memory.
type page struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (p *page) Header() http.Header         { return p.header }
func (p *page) Write(b []byte) (int, error) { return p.body.Write(b) }
func (p *page) WriteHeader(status int)      { p.status = status }
