package api

import (
	"context"
	"slices"

	"github.com/getkin/kin-openapi/routers"
	"github.com/gin-gonic/gin"

	"mcbk/models"
)

// gateway is the middleware in front of Server's handlers.
type gateway struct {
	*Server

	contract *contract
	launches *launchVerifier
	counters *metrics
	inFlight chan struct{}
	lookups  chan struct{} // one for each call to Telegram
	policy   string        // Content-Security-Policy
}

// Keys of Gin's context, set by a stage for later stages and handlers.
const (
	requestIDKey    = "request"
	routeKey        = "route"        // *routers.Route of the contract
	launchKey       = "launch"       // launchData
	bodyKey         = "body"         // []byte
	batchKey        = "batch"        // taps.Batch, only of a plain batch
	playerKey       = "player"       // models.Player
	accountKey      = "account"      // ton.Account
	subscriptionKey = "subscription" // subscription
	invoiceKey      = "invoice"      // *orders.Invoice
)

// scope is the set of requests that pass a stage.
type scope int

const (
	allRequests scope = iota
	calls             // of the contract
	operations        // decoded calls, around the handler
)

// stage is a step of the middleware. In the scope operations it wraps the handler.
type stage struct {
	name   string
	scope  scope
	needs  []string // keys of earlier stages
	leaves []string // keys and headers
	run    gin.HandlerFunc
	wrap   StrictMiddlewareFunc
}

// stages returns the middleware in order. A public call has no launch data and no player; stages that need them pass it on.
func (g *gateway) stages() []stage {
	return []stage{
		{name: "requestID", leaves: []string{requestIDKey, requestIDHeader}, run: g.requestID},
		{name: "metrics", run: g.metrics},
		{name: "recoverPanic", needs: []string{requestIDKey}, run: g.recoverPanic},
		{name: "securityHeaders", leaves: []string{"Content-Security-Policy"}, run: g.securityHeaders},
		{name: "timeout", run: timeout},
		{name: "limitAddress", run: g.limitAddress},

		{name: "authenticate", scope: calls, leaves: []string{routeKey, launchKey, "Cache-Control"}, run: g.authenticate},
		{name: "checkAdSecret", scope: calls, run: g.checkAdSecret},
		{name: "limitPlayer", scope: calls, needs: []string{launchKey}, run: g.limitPlayer},
		{name: "maintenance", scope: calls, needs: []string{launchKey}, run: g.maintenance},
		{name: "featureGate", scope: calls, needs: []string{routeKey}, run: g.featureGate},
		{name: "validate", scope: calls, needs: []string{routeKey}, leaves: []string{bodyKey, batchKey}, run: g.validate},
		{name: "limitInFlight", scope: calls, run: g.limitInFlight},
		{name: "loadPlayer", scope: calls, needs: []string{routeKey, launchKey, bodyKey, batchKey}, leaves: []string{playerKey}, run: g.loadPlayer},
		{name: "tapFastPath", scope: calls, needs: []string{launchKey, batchKey}, run: g.tapFastPath},

		{name: "limitWrites", scope: operations, needs: []string{playerKey}, wrap: g.limitWrites},
		{name: "fetchWalletKey", scope: operations, needs: []string{playerKey}, leaves: []string{accountKey}, wrap: g.fetchWalletKey},
		{name: "fetchSubscription", scope: operations, needs: []string{playerKey}, leaves: []string{subscriptionKey}, wrap: g.fetchSubscription},
		{name: "createInvoice", scope: operations, needs: []string{playerKey}, leaves: []string{invoiceKey}, wrap: g.createInvoice},
		{name: "once", scope: operations, needs: []string{routeKey, bodyKey, batchKey, playerKey}, wrap: g.once},
		{name: "copyContext", scope: operations, wrap: copyContext},
	}
}

// chain returns a scope's stages for Gin.
func (g *gateway) chain(of scope) []gin.HandlerFunc {
	var chain []gin.HandlerFunc
	for _, s := range g.stages() {
		if s.scope == of {
			chain = append(chain, s.run)
		}
	}
	return chain
}

// wrappers returns the stages of the scope operations for the generated code, the innermost first.
func (g *gateway) wrappers() []StrictMiddlewareFunc {
	var wrappers []StrictMiddlewareFunc
	for _, s := range slices.Backward(g.stages()) {
		if s.scope == operations {
			wrappers = append(wrappers, s.wrap)
		}
	}
	return wrappers
}

// player returns the calling player, set by loadPlayer; the zero player for a public call.
func player(ctx context.Context) models.Player {
	p, _ := ctx.Value(playerKey).(models.Player)
	return p
}

// launchOf returns a call's launch data; signed is false for a public one.
func launchOf(ctx context.Context) (launch launchData, signed bool) {
	launch, signed = ctx.Value(launchKey).(launchData)
	return launch, signed
}

func routeOf(c *gin.Context) *routers.Route {
	route, _ := c.Value(routeKey).(*routers.Route)
	return route
}

func requestIDOf(c *gin.Context) string { return c.GetString(requestIDKey) }
