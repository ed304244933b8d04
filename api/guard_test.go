package api_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// kind is a kind of abuse case, applied to every route.
type kind string

const (
	auth       kind = "auth"       // launch data: none, forged, expired, from the future
	foreign    kind = "foreign"    // another player's ID is not found, and nothing changes
	badInput   kind = "bad input"  // empty, of wrong types, too large, with an unknown field, too deep
	replay     kind = "replay"     // ten times with one key: the same bytes and one effect; a GET changes nothing
	concurrent kind = "concurrent" // fifty at once: one response, one effect, valid ledger
)

// generated are the cases that every route has. Each returns what is wrong.
var generated = map[kind]func(g *table, r route) []string{
	auth: withWrongLaunchData, foreign: withAnothersID, badInput: withBadInput, replay: tenTimes, concurrent: fiftyAtOnce,
}

// example is what the generated cases need of an operation, registered by the feature's test file (see guard).
type example struct {
	// good is a successful call of a new player with launch data launch; a write changes something. The key is sent with it.
	good func(g *table, launch, key string) request
	// alone means that the call uses up the player's day for other examples.
	alone bool
	// cases replace the generated ones of their kind.
	cases map[kind]func(t *testing.T, g *table)
}

var examples = map[string]example{}

// guard registers the example of an operation.
func guard(operation string, e example) struct{} {
	examples[operation] = e
	return struct{}{}
}

// exemptions are kinds that a route lacks, with the reason. A needless one fails the test.
var exemptions = []exemption{
	{
		routes: []string{"GET /api/config"}, kinds: []kind{auth},
		because: "the web app asks before it knows who plays",
	},
	{
		routes: []string{
			"GET /health/live", "HEAD /health/live", "GET /health/ready", "HEAD /health/ready",
			"GET /tonconnect-manifest.json", "HEAD /tonconnect-manifest.json", "GET /wallets.json", "HEAD /wallets.json", "GET /", "GET /assets/app-1a.js",
		},
		kinds: []kind{auth, badInput}, because: "anybody may ask, and nothing of the request is read",
	},
	{
		routes: []string{"POST " + webhookPath}, kinds: []kind{auth, badInput, replay, concurrent},
		because: "the bot answers it",
		proofs: []string{
			"bot.TestWebhookAcceptsOnlyTelegramsUpdates", "bot.TestRepeatedUpdateIsHandledOnce",
			"outbox.TestRepeatedUpdateIsStoredOnce",
		},
	},
}

type exemption struct {
	routes  []string
	kinds   []kind
	because string
	proofs  []string // tests of another package instead
}

const webhookPath = "/telegram/webhook"

// pages are routes outside the contract.
var pages = []string{"GET /", "GET /assets/app-1a.js"}

func TestEveryRouteHasAbuseCases(t *testing.T) {
	onEachGuarded(t, func(t *testing.T, g *table) {
		covered := coverage{}
		for _, r := range g.routes(t) {
			for _, k := range r.needs() {
				if !covered.check(t, g, r, k) && !g.sound(t) {
					t.Fatalf("%s (%s) left the ledger unsound, as every route after it would say", r.name, k)
				}
			}
		}
		covered.complete(t, g.routes(t))
	})
}

func onEachGuarded(t *testing.T, test func(t *testing.T, g *table)) {
	t.Helper()
	modelstest.Each(t, func(t *testing.T, database string) { test(t, guarded(t, database)) })
}

// guarded is the production router over a database whose rows can be compared.
func guarded(t *testing.T, database string) *table {
	t.Helper()
	address := modelstest.Address(t, database)
	watched := func(o *api.Options) {
		o.WebhookPath, o.Webhook, o.Ads.Trusted = webhookPath, http.NotFoundHandler(), true
	}
	g := serve(t, modelstest.OpenStore(t, address), watched)
	if database == "postgres" { // which several processes may use
		g.twin = serveAt(t, modelstest.OpenStore(t, address), g.clock, watched)
	}
	raw := modelstest.Raw(t, address)
	g.contents = func(t testing.TB) modelstest.Contents { return modelstest.ReadContents(t, raw) }
	player := g.arrives(modelstest.TelegramID()) // an existing player, who must not be affected
	g.tasks(player)                              // nor is it the first call of the day
	offered(t, g)
	return g
}

// coverage are the kinds of passed cases, by route.
type coverage map[string]map[kind]bool

// cover counts a case once its test has passed and has sent a request to the route.
func (c coverage) cover(t *testing.T, g *table, r route, k kind) {
	t.Helper()
	before := g.visits.count(r.name)
	t.Cleanup(func() {
		switch {
		case t.Failed() || t.Skipped():
		case g.visits.count(r.name) == before:
			t.Errorf("sent nothing to %s", r.name)
		default:
			if c[r.name] == nil {
				c[r.name] = map[kind]bool{}
			}
			c[r.name][k] = true
		}
	})
}

// sound reports whether the ledger is valid.
func (g *table) sound(t *testing.T) bool {
	t.Helper()
	report, err := g.store.Audit.Verify(t.Context(), modelstest.Season, g.clock.Now())
	return err == nil && len(report.Broken()) == 0
}

// check runs the route's case of a kind, and reports whether it passed.
func (c coverage) check(t *testing.T, g *table, r route, k kind) bool {
	return t.Run(r.name+" "+string(k), func(t *testing.T) {
		g := g.in(t)
		problems := func() []string { return generated[k](g, r) }
		if because := r.exempt(k); because != "" {
			if len(problems()) == 0 {
				t.Errorf("passes, so that it needs no exemption because %s", because)
			}
			return
		}
		c.cover(t, g, r, k)
		if byHand := examples[r.id()].cases[k]; byHand != nil {
			byHand(t, g)
			return
		}
		for _, problem := range problems() {
			t.Error(problem)
		}
	})
}

// complete fails for missing cases and needless exemptions and examples.
func (c coverage) complete(t *testing.T, routes []route) {
	t.Helper()
	byName, operations := map[string]route{}, map[string]bool{}
	for _, r := range routes {
		byName[r.name] = r
		operations[r.id()] = true
		for _, k := range r.needs() {
			if !c[r.name][k] && r.exempt(k) == "" && !someRun() {
				t.Errorf("%s is not covered: %s", r.name, k)
			}
		}
	}
	tests := modelstest.Tests(t, "..")
	for _, e := range exemptions {
		for _, proof := range e.proofs {
			if !tests[proof] {
				t.Errorf("there is no %s", proof)
			}
		}
		for _, name := range e.routes {
			if r, known := byName[name]; !known {
				t.Errorf("an exemption for %s, which is no route", name)
			} else {
				for _, k := range e.kinds {
					if !slices.Contains(r.needs(), k) {
						t.Errorf("an exemption for %s from %s, which it is not held to", name, k)
					}
				}
			}
		}
	}
	for operation := range examples {
		if !operations[operation] {
			t.Errorf("an example of %s, which no route serves", operation)
		}
	}
}

// route is one that the router serves.
type route struct {
	name         string // in Gin's notation: "GET /api/orders/:id"
	method, path string
	operation    *openapi3.Operation // of the contract; nil outside it
	parameters   openapi3.Parameters // the path's and the operation's
}

var ginParameter = regexp.MustCompile(`:(\w+)`)

// routes are all that the router serves, with their operations. Every operation of the contract must be among them.
func (g *table) routes(t *testing.T) []route {
	t.Helper()
	doc := document(t)
	served := map[string]bool{}
	all := make([]route, 0, len(g.visits.routes))
	for _, name := range g.visits.routes {
		method, path, _ := strings.Cut(name, " ")
		r := route{name: name, method: method, path: path}
		if call, ok := strings.CutPrefix(strings.TrimSuffix(path, "/"), "/api"); ok {
			item := doc.Paths.Value(ginParameter.ReplaceAllString(call, "{$1}"))
			if item == nil || item.GetOperation(method) == nil {
				t.Fatalf("%s is not in the contract", name)
			}
			r.operation = item.GetOperation(method)
			r.parameters = slices.Concat(item.Parameters, r.operation.Parameters)
			served[r.id()] = true
		}
		all = append(all, r)
	}
	for _, operation := range operations(t) {
		if !served[operation.OperationID] {
			t.Errorf("no route serves %s", operation.OperationID)
		}
	}
	return all
}

// id is the operation ID.
func (r route) id() string {
	if r.operation == nil {
		return ""
	}
	return r.operation.OperationID
}

func (r route) isWrite() bool { return r.method != http.MethodGet && r.method != http.MethodHead }

// needs are the kinds of cases that a route must have.
func (r route) needs() []kind {
	kinds := []kind{auth, badInput, replay, concurrent}
	if r.namesAnID() {
		kinds = append(kinds, foreign)
	}
	return kinds
}

// namesAnID reports whether a request contains an ID that may be another player's.
func (r route) namesAnID() bool {
	var names []string
	for _, p := range r.parameters {
		if p.Value.In != openapi3.ParameterInHeader {
			names = append(names, p.Value.Name)
		}
	}
	if body := r.body(); body != nil {
		names = slices.AppendSeq(names, maps.Keys(body.Properties))
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return name == "id" || name == "ticket" || strings.HasSuffix(name, "_id")
	})
}

// body is the schema of the request's body; nil without one.
func (r route) body() *openapi3.Schema {
	if r.operation == nil || r.operation.RequestBody == nil {
		return nil
	}
	return r.operation.RequestBody.Value.Content.Get("application/json").Schema.Value
}

// exempt is the reason of an exemption; "" without one.
func (r route) exempt(k kind) string {
	for _, e := range exemptions {
		if slices.Contains(e.routes, r.name) && slices.Contains(e.kinds, k) {
			return e.because
		}
	}
	return ""
}

// visits counts the test's requests by route.
type visits struct {
	routes []string

	mu sync.Mutex
	of map[string]int
}

func visitsOf(engine *gin.Engine) *visits {
	v := &visits{of: map[string]int{}, routes: slices.Clone(pages)}
	for _, r := range engine.Routes() {
		v.routes = append(v.routes, r.Method+" "+r.Path)
	}
	slices.Sort(v.routes)
	return v
}

func (v *visits) note(method, path string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	path, _, _ = strings.Cut(path, "?")
	v.of[v.route(method+" "+path)]++
}

// route is the route that serves a request.
func (v *visits) route(request string) string {
	if slices.Contains(v.routes, request) {
		return request
	}
	parts := strings.Split(request, "/")
	for _, name := range v.routes {
		pattern := strings.Split(name, "/")
		if slices.EqualFunc(pattern, parts, func(a, b string) bool { return a == b || strings.HasPrefix(a, ":") }) {
			return name
		}
	}
	return ""
}

func (v *visits) count(route string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.of[route]
}
