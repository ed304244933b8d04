package api

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/gin-gonic/gin"

	"mcbk/game"
)

//go:embed openapi.yaml
var contractText []byte

// contract maps routes to operations and validates requests.
type contract struct {
	doc    *openapi3.T
	routes map[methodAndPath]*routers.Route
}

// methodAndPath is a route in Gin's notation.
type methodAndPath struct{ method, path string }

// readContract loads the embedded openapi.yaml once.
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

// ginPath converts /orders/{id} to /orders/:id.
func ginPath(path string) string { return pathParameter.ReplaceAllString(path, ":$1") }

// route returns the operation of the request's route; nil outside the contract.
func (c *contract) route(g *gin.Context) *routers.Route {
	return c.routes[methodAndPath{g.Request.Method, strings.TrimSuffix(g.FullPath(), "/")}]
}

// public reports whether an operation needs no launch data.
func public(r *routers.Route) bool {
	return r.Operation.Security != nil && len(*r.Operation.Security) == 0
}

// validateSchema refuses a call that violates the contract.
func (c *contract) validateSchema(g *gin.Context, route *routers.Route, body []byte) error {
	if route.Operation.RequestBody != nil {
		if err := checkContentType(g, body); err != nil {
			return err
		}
		if err := checkJSON(body); err != nil {
			return err
		}
	}
	return c.check(g, route, body)
}

// check refuses a violation of the contract with validation_failed, naming the field, or with the contract's code for that field. The
// request's body must be in memory.
func (c *contract) check(g *gin.Context, route *routers.Route, body []byte) error {
	if hasNoInput(g.Request, route) {
		return nil
	}
	if err := checkText(g, body); err != nil {
		return err
	}
	// A malformed query would be parsed partly. Public calls are exempt: their senders are not our app.
	if _, err := url.ParseQuery(g.Request.URL.RawQuery); err != nil && !public(route) {
		return invalid("query", "is not written as addresses are")
	}
	dropEmptyParameters(g.Request, route)
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
	if wrong, ok := errors.AsType[*openapi3filter.RequestError](err); ok && wrong.Parameter != nil {
		field = wrong.Parameter.Name
	}
	if schema, ok := errors.AsType[*openapi3.SchemaError](err); ok {
		if code, ok := fieldRefusal(schema); ok {
			return game.Refuse(code)
		}
		if path := schema.JSONPointer(); len(path) > 0 {
			field = strings.Join(path, ".")
		}
		problem = schema.Reason
	}
	return invalid(field, problem)
}

// checkText refuses text that PostgreSQL cannot store: NUL anywhere, and invalid UTF-8 in an address (JSON decoding replaces it).
func checkText(g *gin.Context, body []byte) error {
	for _, p := range g.Params {
		if !isText(p.Value) {
			return invalid(p.Key, "holds a character that is not text")
		}
	}
	for name, values := range g.Request.URL.Query() {
		if !isText(name + strings.Join(values, "")) {
			return invalid(strings.ToValidUTF8(name, ""), "holds a character that is not text")
		}
	}
	var value any
	if bytes.Contains(body, []byte(`\u0000`)) && json.Unmarshal(body, &value) == nil {
		if field, found := findNUL(value); found {
			return invalid(field, "holds a NUL character")
		}
	}
	return nil
}

func isText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// findNUL returns the path of a decoded JSON string that contains NUL.
func findNUL(value any) (path string, found bool) {
	switch v := value.(type) {
	case string:
		return "", strings.ContainsRune(v, 0)
	case []any:
		for i, item := range v {
			if path, found := findNUL(item); found {
				return strings.TrimSuffix(fmt.Sprintf("%d.%s", i, path), "."), true
			}
		}
	case map[string]any:
		for name, item := range v {
			if !isText(name) {
				return "body", true
			}
			if path, found := findNUL(item); found {
				return strings.TrimSuffix(name+"."+path, "."), true
			}
		}
	}
	return "", false
}

// dropEmptyParameters removes empty optional parameters from a query.
func dropEmptyParameters(request *http.Request, route *routers.Route) {
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

// hasNoInput reports whether a call has no body, query or header to validate. Most reads have none, and validating them would be a
// tenth of their cost.
func hasNoInput(request *http.Request, route *routers.Route) bool {
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

// fieldRefusal returns the contract's code for a refused field (`x-refusal`), if any.
func fieldRefusal(wrong *openapi3.SchemaError) (game.Code, bool) {
	for ; wrong != nil; wrong, _ = wrong.Origin.(*openapi3.SchemaError) { //nolint:errorlint // Origin is the cause
		if code, ok := wrong.Schema.Extensions["x-refusal"].(string); ok {
			return game.Code(code), true
		}
	}
	return "", false
}
