package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"mcbk/models/settings"
)

// feature is a part of the game that admins can disable.
type feature struct {
	name string // of the runtime setting
	on   func(r settings.RuntimeSettings) bool
}

// features are keyed by the contract's tags: a call belongs to the feature of its tag, and may have several.
var features = map[string]feature{
	"token":    {"sales", func(r settings.RuntimeSettings) bool { return r.Sales }},
	"ads":      {"ads", func(r settings.RuntimeSettings) bool { return r.Ads }},
	"roulette": {"wheel", func(r settings.RuntimeSettings) bool { return r.Wheel }},
	"mines":    {"mines", func(r settings.RuntimeSettings) bool { return r.Mines }},
}

// finishing are operations allowed in a disabled feature, because they complete something: an ad was shown, and its ticket lives an
// hour.
var finishing = map[string]bool{"completeAd": true}

// featureGate refuses writes of a disabled feature. Reads are allowed.
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
