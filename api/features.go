package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"mcbk/models/settings"
)

// feature is a part of the game that admins can switch off.
type feature struct {
	name string // of the runtime setting
	on   func(r settings.RuntimeSettings) bool
}

// features are found by the contract's tag: a call with the tag belongs to the feature as soon as it is in the contract. A call
// may have several.
var features = map[string]feature{
	"token":    {"sales", func(r settings.RuntimeSettings) bool { return r.Sales }},
	"ads":      {"ads", func(r settings.RuntimeSettings) bool { return r.Ads }},
	"roulette": {"wheel", func(r settings.RuntimeSettings) bool { return r.Wheel }},
	"mines":    {"mines", func(r settings.RuntimeSettings) bool { return r.Mines }},
}

// finishing are operations that stay allowed when their feature is switched off, because they complete something begun before: an
// ad was shown, and its ticket lives an hour.
var finishing = map[string]bool{"completeAd": true}

// featureGate refuses calls of a feature that is switched off, whether or not they are implemented. Reading goes on.
func (g *gateway) featureGate(c *gin.Context) {
	operation := routeOf(c).Operation
	if c.Request.Method == http.MethodGet || finishing[operation.OperationID] {
		return
	}
	for _, tag := range operation.Tags {
		f, switchable := features[tag]
		if switchable && !f.on(g.store.Settings.RuntimeSettings(c.Request.Context(), g.now())) {
			g.fail(c, switchedOff(f.name))
			return
		}
	}
}
