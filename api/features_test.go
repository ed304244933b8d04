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
		raw := g.arrives(modelstest.TelegramID())
		all := calls(t, g, raw)
		for tag, feature := range switched {
			modelstest.Done(t, g.store, settings.ActionChangeSetting, feature, "off")
			offs, ons := map[string]request{}, map[string]request{}
			for _, r := range g.routes(t) {
				call, is := all[r.name]
				switch {
				case !is || !slices.Contains(r.operation.Tags, tag):
				case r.method == http.MethodGet || r.id() == "completeAd": // reads, and completing
					ons[r.name] = call
				default:
					offs[r.name] = call
				}
			}
			for name, call := range ons {
				if a := g.send(call); a.code() == "maintenance" {
					t.Errorf("%s off: %s got %d %s", feature, name, a.status, a.body)
				}
			}
			before, refused := g.contents(t), 0
			for name, call := range offs {
				refused++
				a := g.send(call)
				if a.status != http.StatusServiceUnavailable || a.code() != "maintenance" || a.at("params.feature") != feature || a.header.Get("Retry-After") != "15" {
					t.Errorf("%s off: %s got %d %s", feature, name, a.status, a.body)
				}
			}
			if refused == 0 {
				t.Errorf("%s off: nothing is refused", feature)
			}
			if tables := g.contents(t).Changed(before); len(tables) > 0 {
				t.Errorf("%s off: changed %v", feature, tables)
			}
			for _, r := range g.routes(t) {
				if call, is := all[r.name]; is && !slices.Contains(r.operation.Tags, tag) && r.method != http.MethodGet {
					if a := g.send(call); a.code() == "maintenance" {
						t.Errorf("%s off: %s got %d %s", feature, r.name, a.status, a.body)
					}
				}
			}
			modelstest.Done(t, g.store, settings.ActionChangeSetting, feature, "on")
			for _, r := range g.routes(t) {
				if call, is := all[r.name]; is && slices.Contains(r.operation.Tags, tag) {
					if a := g.send(call); a.code() == "maintenance" {
						t.Errorf("%s on again: %s got %d %s", feature, r.name, a.status, a.body)
					}
				}
			}
		}
	})
}

// A caller without launch data, or during maintenance, learns nothing about switches.
func TestFeatureGateFollowsAuthenticationAndMaintenance(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "wheel", "off")
		spin := request{method: "POST", path: "/api/roulette/spin", body: `{"is_golden_spin_requested":false}`, launch: "user=1"}
		if a := g.send(spin); a.code() != "init_data_invalid" {
			t.Errorf("a forger: %d %s", a.status, a.body)
		}
		spin.launch = raw
		if a := g.send(spin); a.at("params.feature") != "wheel" {
			t.Errorf("a player: %d %s", a.status, a.body)
		}
		modelstest.Done(t, g.store, settings.ActionMaintenance, "on")
		if a := g.send(spin); a.code() != "maintenance" || a.at("params.feature") == "wheel" {
			t.Errorf("while all is closed: %d %s", a.status, a.body)
		}
	})
}

func TestConfigListsDisabledFeatures(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, database string) {
		g := serve(t, modelstest.Store(t, database), func(o *api.Options) {
			o.Config.Ads.Enabled = true
		})
		tells := func(want string) {
			t.Helper()
			a := g.send(request{method: "GET", path: "/api/config", launch: "-"})
			if got := a.at("maintenance") + " " + a.at("sales_enabled") + " " + a.at("ads.enabled"); got != want {
				t.Errorf("maintenance, sales, ads: %s, want %s", got, want)
			}
		}
		tells("false true true")
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "sales", "off")
		tells("false false true")
		modelstest.Done(t, g.store, settings.ActionChangeSetting, "ads", "off")
		modelstest.Done(t, g.store, settings.ActionMaintenance, "on")
		tells("true false false")
	})
}
