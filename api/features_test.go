package api_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcbk/api"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

// switched are the switches by the contract's tag.
var switched = map[string]string{"token": "sales", "ads": "ads", "roulette": "wheel", "mines": "mines"}

// A switch without a feature would have no effect.
func TestEverySwitchControlsAFeature(t *testing.T) {
	features := api.Features()
	if !maps.Equal(features, switched) {
		t.Errorf("api/features.go switches %v, the test beside it plays with %v: both need the line", features, switched)
	}
	switches := 0
	for _, setting := range (settings.RuntimeSettings{}).List() {
		if !setting.IsSwitch() {
			continue
		}
		switches++
		if !slices.Contains(slices.Collect(maps.Values(features)), setting.Key) {
			t.Errorf("the switch %s does nothing: it needs a line in features (api/features.go), under the tag of its calls", setting.Key)
		}
		if !strings.Contains(switchesTold.FindString(document(t).Info.Description), "`"+setting.Key+"`") {
			t.Errorf("clients are not told of the switch %s: it is missing beside params.feature (api/openapi.yaml)", setting.Key)
		}
	}
	if switches < 4 {
		t.Errorf("only %d switches are found", switches)
	}
}

// switchesTold is where the contract lists the switches.
var switchesTold = regexp.MustCompile("`params.feature` \\([^)]*\\)")

// TestDisabledFeatureRefusesOnlyItsWrites takes its cases from the contract: a new call is covered by its tag.
func TestDisabledFeatureRefusesOnlyItsWrites(t *testing.T) {
	onEachGuarded(t, func(t *testing.T, g *table) {
		all := calls(t, g, g.arrives(modelstest.TelegramID()))
		for tag, feature := range switched {
			// send sends the calls that the switch stops, or all others; completing an ad goes on.
			send := func(when string, stopped, refused bool) (sent int) {
				for _, r := range g.routes(t) {
					call, is := all[r.name]
					if !is || stopped != (slices.Contains(r.operation.Tags, tag) && r.method != http.MethodGet && r.id() != "completeAd") {
						continue
					}
					sent++
					a := g.send(call)
					if is := a.code() == "maintenance"; is != refused || is && (a.status != 503 || a.at("params.feature") != feature || a.header.Get("Retry-After") != "15") {
						t.Errorf("%s %s: %s got %d %s", feature, when, r.name, a.status, a.body)
					}
				}
				return sent
			}
			modelstest.Done(t, g.store, settings.ActionChangeSetting, feature, "off")
			before := g.contents(t)
			if send("off", true, true) == 0 {
				t.Errorf("%s off: nothing is refused", feature)
			}
			g.unchanged(before)
			send("off", false, false)
			modelstest.Done(t, g.store, settings.ActionChangeSetting, feature, "on")
			send("on again", true, false)
		}
	})
}

// A caller without launch data, or during maintenance, learns nothing about switches.
func TestFeatureGateFollowsAuthenticationAndMaintenance(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		spin := func(raw string, status int, shows map[string]string) {
			t.Helper()
			g.asks(raw, "POST", "/roulette/spin", `{"is_golden_spin_requested":false}`, status, shows)
		}
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "wheel", "off")
		spin("user=1", 401, map[string]string{"code": "init_data_invalid"})
		spin(raw, 503, map[string]string{"params.feature": "wheel"})
		modelstest.Done(t, g.store, settings.ActionMaintenance, "on")
		spin(raw, 503, map[string]string{"code": "maintenance", "params.feature": "no params.feature"})
	})
}

func TestConfigListsDisabledFeatures(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		g := serve(t, store, func(o *api.Options) { o.Config.Ads.Enabled = true })
		tells := func(maintenance, sales, ads string) {
			t.Helper()
			g.asks("-", "GET", "/config", "", 200, map[string]string{"maintenance": maintenance, "sales_enabled": sales, "ads.enabled": ads})
		}
		tells("false", "true", "true")
		modelstest.Done(t, store, settings.ActionChangeSetting, "sales", "off")
		tells("false", "false", "true")
		modelstest.Done(t, store, settings.ActionChangeSetting, "ads", "off")
		modelstest.Done(t, store, settings.ActionMaintenance, "on")
		tells("true", "false", "false")
	})
}
