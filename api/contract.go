package api

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/gin-gonic/gin"

	"mcbk/game"
)

//go:embed openapi.yaml
var contractText []byte

// contract finds the operation that a route serves and validates requests against it.
type contract struct {
	doc    *openapi3.T
	routes map[methodAndPath]*routers.Route
}

// methodAndPath is a route by Gin's spelling.
type methodAndPath struct{ method, path string }

// readContract loads the description that the generated code was made from. It is read only.
var readContract = sync.OnceValues(func() (*contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(contractText)
	if err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	c := &contract{doc: doc, routes: map[methodAndPath]*routers.Route{}}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			c.routes[methodAndPath{method, basePath + ginPath(path)}] = &routers.Route{
				Spec: doc, Path: path, PathItem: item, Method: method, Operation: operation,
			}
		}
	}
	return c, nil
})

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// ginPath writes /orders/{id} as /orders/:id.
func ginPath(path string) string { return pathParameter.ReplaceAllString(path, ":$1") }

// route returns the operation of the request's route; nil outside the contract.
func (c *contract) route(g *gin.Context) *routers.Route {
	return c.routes[methodAndPath{g.Request.Method, strings.TrimSuffix(g.FullPath(), "/")}]
}

// public reports whether an operation needs no launch data.
func public(r *routers.Route) bool {
	return r.Operation.Security != nil && len(*r.Operation.Security) == 0
}

// check refuses what the contract does not allow with validation_failed, naming the field, or with the code that the contract has
// for that field. The request's body must be in memory.
func (c *contract) check(g *gin.Context, route *routers.Route) error {
	if carriesNothing(g.Request, route) {
		return nil
	}
	// A malformed query would be read in part. Public calls are not held to that: their senders are not our app.
	if _, err := url.ParseQuery(g.Request.URL.RawQuery); err != nil && !public(route) {
		return invalid("query", "is not written as addresses are")
	}
	dropBlanks(g.Request, route)
	params := make(map[string]string, len(g.Params))
	for _, p := range g.Params {
		params[p.Key] = p.Value
	}
	err := openapi3filter.ValidateRequest(g.Request.Context(), &openapi3filter.RequestValidationInput{
		Request: g.Request, PathParams: params, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc: func(context.Context, *openapi3filter.AuthenticationInput) error { return nil },
			KeepValidatedValue: true,
		},
	})
	if err == nil {
		return nil
	}
	field, problem := "body", "is not what the contract describes"
	var wrong *openapi3filter.RequestError
	if errors.As(err, &wrong) && wrong.Parameter != nil {
		field = wrong.Parameter.Name
	}
	var schema *openapi3.SchemaError
	if errors.As(err, &schema) {
		if code, ok := ownCode(schema); ok {
			return game.Refuse(code)
		}
		if path := schema.JSONPointer(); len(path) > 0 {
			field = strings.Join(path, ".")
		}
		problem = schema.Reason
	}
	return invalid(field, problem)
}

// dropBlanks removes empty parameters from a call's query, as if they were absent, where the contract does not require them.
func dropBlanks(request *http.Request, route *routers.Route) {
	query, err := url.ParseQuery(request.URL.RawQuery)
	if err != nil {
		return
	}
	dropped := false
	for _, parameter := range slices.Concat(route.PathItem.Parameters, route.Operation.Parameters) {
		p := parameter.Value
		if p.In == openapi3.ParameterInQuery && !p.Required && len(query[p.Name]) > 0 && strings.Join(query[p.Name], "") == "" {
			query.Del(p.Name)
			dropped = true
		}
	}
	if dropped {
		request.URL.RawQuery = query.Encode()
	}
}

// carriesNothing reports whether a call has no body, query or header that the contract could refuse. Most reads have none, and
// validating them would be a tenth of their cost.
func carriesNothing(request *http.Request, route *routers.Route) bool {
	if route.Operation.RequestBody != nil || request.URL.RawQuery != "" {
		return false
	}
	for _, parameter := range slices.Concat(route.PathItem.Parameters, route.Operation.Parameters) {
		p := parameter.Value
		absent := p.In == openapi3.ParameterInQuery || (p.In == openapi3.ParameterInHeader && request.Header[http.CanonicalHeaderKey(p.Name)] == nil)
		if !absent || p.Required {
			return false
		}
	}
	return true
}

// ownCode returns the code with which the contract refuses a field, in `x-refusal`, if it has one.
func ownCode(wrong *openapi3.SchemaError) (game.Code, bool) {
	for ; wrong != nil; wrong, _ = wrong.Origin.(*openapi3.SchemaError) { //nolint:errorlint // each is the cause of the last
		if code, ok := wrong.Schema.Extensions["x-refusal"].(string); ok {
			return game.Code(code), true
		}
	}
	return "", false
}

type readCloser struct{ *bytes.Reader }

func (readCloser) Close() error { return nil }
